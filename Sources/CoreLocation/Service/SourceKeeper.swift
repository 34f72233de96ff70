internal import Dispatch
internal import Locking
internal import Services
internal import Session

/// Runs the source of a service while somebody needs it, and only then.
final class SourceKeeper: Sendable {
  private enum Phase {
    /// Nobody has needed the source yet.
    case new
    /// A recording is about to begin.
    case beginning
    case begun
  }

  private struct State {
    weak var service: LocationService?
    var driver: SourceDriver?
    var phase = Phase.new
    var isNeeded = false
  }

  /// So long a recording waits for the main queue to have its turn, seconds of real time: it may never
  /// have one.
  private static let patience = 0.2
  /// So long it is tried whether gpsd is there.
  private static let reach = Duration.milliseconds(200)

  private let source: SourceDescription
  private let state = Mutex(State())

  init(_ source: SourceDescription) { self.source = source }

  /// Says whose source it is, once.
  func adopt(_ service: LocationService) {
    state.withLock { $0.service = service }
  }

  /// Whether there can be fixes.
  var isAvailable: Bool {
    switch source {
    case .none: false
    case .trace: true
    case .gpsd(let address):
      state.withLock { $0.isNeeded } || isReachable(address, within: Self.reach)
    }
  }

  /// Starts or stops the source, by whether the service needs it.
  func follow() {
    state.withLock { state in
      guard let service = state.service, !service.isIsolated else { return }
      let isNeeded = service.look(\.isSourceNeeded)
      guard isNeeded != state.isNeeded else { return }
      state.isNeeded = isNeeded
      if state.phase == .new { begin(&state, service) }
      guard state.phase == .begun else { return }
      if isNeeded { state.driver?.start() } else { state.driver?.stop() }
    }
  }

  /// Takes note that something may be due earlier than before.
  func poke() { state.withLock { $0.driver }?.poke() }

  /// A recording begins when the main queue has had its turn, so that all services that are started
  /// in the same turn are told of all of it.
  private func begin(_ state: inout State, _ service: LocationService) {
    state.driver = makeDriver(for: service)
    guard case .trace = source else {
      state.phase = .begun
      return
    }
    state.phase = .beginning
    service.state.withLock { $0.core.beginTrace() }
    DispatchQueue.main.async { [weak self] in self?.goAhead() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      self?.goAhead()
    }
  }

  private func goAhead() {
    state.withLock { state in
      guard state.phase == .beginning else { return }
      state.phase = .begun
      if state.isNeeded { state.driver?.start() }
    }
  }

  private func makeDriver(for service: LocationService) -> SourceDriver {
    let isRecording = if case .trace = source { true } else { false }
    return SourceDriver(
      source, deadline: { [weak service] in service?.look(\.core.nextDeadline) ?? nil },
      sink: { [weak service] signal in
        guard let service else { return }
        service.receive(signal)
        if isRecording { service.waitForRoom() }
      })
  }
}
