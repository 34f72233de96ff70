package import Tracking

/// Detects events for a program that does not run: fixes go in, the events that launch it come out.
package struct LaunchDetector: Sendable {
  /// The time of the last fix before the start; nil after the first later one.
  ///
  /// A recording that is played again begins with fixes that are known, which do not show that the clock was
  /// set back. From a receiver they may.
  private var known: Timestamp?
  private var core: ServiceCore
  private let profile: Profile
  /// The clients that represent the program's monitors.
  private var monitors: [ClientID: String] = [:]
  /// Whether the first location is still to come, which is no change without an earlier one.
  private var awaitsFirst: Bool

  /// Continues from the state that the program saved; nil when it has no authorization for the background,
  /// or no requests.
  ///
  /// `visits` and `significantChanges` replace the rules of the program's profile.
  package init?(
    _ state: ServiceState, visits: VisitRules? = nil,
    significantChanges: SignificantChangeRules? = nil
  ) {
    guard state.grant.status == .always, state.wantsLaunches else { return nil }
    profile = state.profile
    var profile = profile
    if let significantChanges { profile.significantChanges = significantChanges }
    core = ServiceCore(profile: profile, grant: state.grant)
    core.resume(state.registrations, state.engine)
    known = core.tracker.lastTime
    if let visits { core.tracker.rules.visits = visits }
    awaitsFirst = state.registrations.lastFix == nil
    let manager = core.add(.manager)
    if state.registrations.hasSignificantChanges { core.startSignificantChanges(manager) }
    for name in state.registrations.monitors.keys.sorted() {
      monitors[core.add(.monitor(name))] = name
    }
    // The initial state is not an event.
    _ = core.takeNotices()
  }

  /// The state to save when the program is launched, or at the end.
  package var state: ServiceState {
    ServiceState(
      core.registrations, engine: core.checkpoint, grant: core.grant, profile: profile)
  }

  /// Takes a fix; returns the events that launch the program, or none.
  package mutating func ingest(_ fix: Fix, from origin: Location.Origin) -> [PendingEvent] {
    if origin == .simulation, let known, let time = fix.time {
      guard time > known else { return [] }
      self.known = nil
    }
    core.ingest(fix, from: origin)
    let events = core.takeNotices().compactMap { event(of: $0) }
    return events.contains(where: \.isWorthLaunching) ? events : []
  }

  private mutating func event(of notice: AddressedNotice) -> PendingEvent? {
    switch notice.notice {
    case .locations(let locations, .significantChange):
      guard let location = locations.last, !awaitsFirst else {
        awaitsFirst = false
        return nil
      }
      return .significantChange(location)
    case .state(let state, let region): return .state(state, region)
    case .entered(let region): return .entered(region)
    case .exited(let region): return .exited(region)
    case .visit(let stay): return .visit(stay)
    case .condition(let event):
      guard let monitor = monitors[notice.to], event.diagnosis == Diagnosis() else { return nil }
      return .condition(
        monitor: monitor, identifier: event.identifier, event.state, event.time)
    default: return nil
    }
  }
}
