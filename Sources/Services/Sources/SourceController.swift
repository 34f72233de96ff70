internal import Dispatch
internal import GPSD
internal import Locking
package import Tracking

/// A service whose source a ``SourceController`` runs.
package protocol SourceClient: AnyObject, Sendable {
  /// Whether it gets fixes by replay only, and no source runs.
  var isIsolated: Bool { get }
  /// Whether a client of it needs fixes.
  var needsSource: Bool { get }
  /// The time at which the engine has something to report without a fix.
  var nextDeadline: Timestamp? { get }
  /// A recording is about to start.
  func beginTrace()
  func receive(_ signal: SourceSignal)
  /// Waits until the clients have room for more of a recording.
  func waitUntilDrained()
}

/// Runs the source of a service while a client needs it.
package final class SourceController: Sendable {
  private enum Phase {
    /// The source has not been needed yet.
    case new
    /// A recording is about to start.
    case starting
    case started
  }

  private struct State {
    weak var service: (any SourceClient)?
    var driver: SourceDriver?
    var phase = Phase.new
    var isNeeded = false
  }

  /// How long a recording waits for the main queue, which may never run, seconds of real time.
  private static let mainQueueTimeout = 0.2
  /// The timeout of the check whether gpsd is reachable.
  private static let reachTimeout = Duration.milliseconds(200)

  private let source: SourceDescription
  private let state = Mutex(State())

  package init(_ source: SourceDescription) { self.source = source }

  /// Sets the service, once.
  package func setService(_ service: any SourceClient) {
    state.withLock { $0.service = service }
  }

  /// Whether there can be fixes.
  package var isAvailable: Bool {
    switch source {
    case .none: false
    case .trace: true
    case .gpsd(let address):
      state.withLock { $0.isNeeded } || isReachable(address, within: Self.reachTimeout)
    }
  }

  /// Starts or stops the source if the service's need for it has changed.
  package func update() {
    state.withLock { state in
      guard let service = state.service, !service.isIsolated else { return }
      let isNeeded = service.needsSource
      guard isNeeded != state.isNeeded else { return }
      state.isNeeded = isNeeded
      if state.phase == .new { open(&state, service) }
      guard state.phase == .started else { return }
      if isNeeded { state.driver?.start() } else { state.driver?.stop() }
    }
  }

  /// Notes that the next deadline may be earlier than before.
  package func poke() { state.withLock { $0.driver }?.poke() }

  /// Opens the source.
  ///
  /// A recording starts after the current turn of the main queue, so all clients started in that turn
  /// get all of it.
  private func open(_ state: inout State, _ service: any SourceClient) {
    state.driver = makeDriver(for: service)
    guard case .trace = source else {
      state.phase = .started
      return
    }
    state.phase = .starting
    service.beginTrace()
    DispatchQueue.main.async { [weak self] in self?.startRecording() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.mainQueueTimeout) { [weak self] in
      self?.startRecording()
    }
  }

  private func startRecording() {
    state.withLock { state in
      guard state.phase == .starting else { return }
      state.phase = .started
      if state.isNeeded { state.driver?.start() }
    }
  }

  private func makeDriver(for service: any SourceClient) -> SourceDriver {
    let isRecording = if case .trace = source { true } else { false }
    return SourceDriver(
      source, deadline: { [weak service] in service?.nextDeadline },
      sink: { [weak service] signal in
        guard let service else { return }
        service.receive(signal)
        if isRecording { service.waitUntilDrained() }
      })
  }
}
