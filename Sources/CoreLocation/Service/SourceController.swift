internal import Dispatch
internal import GPSD
internal import Locking
internal import Services

/// Runs the source of a service while a client needs it.
final class SourceController: Sendable {
  private enum Phase {
    /// The source has not been needed yet.
    case new
    /// A recording is about to start.
    case starting
    case started
  }

  private struct State {
    weak var service: LocationService?
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

  init(_ source: SourceDescription) { self.source = source }

  /// Sets the service, once.
  func setService(_ service: LocationService) {
    state.withLock { $0.service = service }
  }

  /// Whether there can be fixes.
  var isAvailable: Bool {
    switch source {
    case .none: false
    case .trace: true
    case .gpsd(let address):
      state.withLock { $0.isNeeded } || isReachable(address, within: Self.reachTimeout)
    }
  }

  /// Starts or stops the source if the service's need for it has changed.
  func update() {
    state.withLock { state in
      guard let service = state.service, !service.isIsolated else { return }
      let isNeeded = service.read(\.isSourceNeeded)
      guard isNeeded != state.isNeeded else { return }
      state.isNeeded = isNeeded
      if state.phase == .new { open(&state, service) }
      guard state.phase == .started else { return }
      if isNeeded { state.driver?.start() } else { state.driver?.stop() }
    }
  }

  /// Notes that the next deadline may be earlier than before.
  func poke() { state.withLock { $0.driver }?.poke() }

  /// Opens the source.
  ///
  /// A recording starts after the current turn of the main queue, so all clients started in that turn
  /// get all of it.
  private func open(_ state: inout State, _ service: LocationService) {
    state.driver = makeDriver(for: service)
    guard case .trace = source else {
      state.phase = .started
      return
    }
    state.phase = .starting
    service.state.withLock { $0.core.beginTrace() }
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

  private func makeDriver(for service: LocationService) -> SourceDriver {
    let isRecording = if case .trace = source { true } else { false }
    return SourceDriver(
      source, deadline: { [weak service] in service?.read(\.core.nextDeadline) ?? nil },
      sink: { [weak service] signal in
        guard let service else { return }
        service.receive(signal)
        if isRecording { service.waitUntilDrained() }
      })
  }
}
