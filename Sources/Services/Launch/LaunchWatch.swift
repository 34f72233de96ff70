package import Tracking

/// Looks on a program's behalf while it does not run: fixes go in, what it is launched for comes out.
package struct LaunchWatch: Sendable {
  private var core: ServiceCore
  private let profile: Profile
  /// The clients that stand for those of the program.
  private var monitors: [ClientID: String] = [:]
  /// Without a location of before, the first one is no change.
  private var awaitsFirst: Bool

  /// Goes on from what the program left; nil when it may not be told in the background, or wants
  /// nothing.
  ///
  /// The rules of visits and significant changes are those of the program's profile, unless others
  /// are given.
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
    if let visits { core.tracker.rules.visits = visits }
    awaitsFirst = state.registrations.lastFix == nil
    let manager = core.add(.manager)
    if state.registrations.hasSignificantChanges { core.startSignificantChanges(manager) }
    for name in state.registrations.monitors.keys.sorted() {
      monitors[core.add(.monitor(name))] = name
    }
    // What is known already is no news.
    _ = core.takeLetters()
  }

  /// What is to be kept when the program is launched, or the watch ends.
  package var state: ServiceState {
    ServiceState(
      core.registrations, engine: core.checkpoint, grant: core.grant, profile: profile)
  }

  /// Takes a fix; gives what the program is launched for, or nothing.
  package mutating func ingest(_ fix: Fix, from origin: Report.Origin) -> [PendingEvent] {
    core.ingest(fix, from: origin)
    let events = core.takeLetters().compactMap { event(of: $0) }
    return events.contains(where: \.isWorthLaunching) ? events : []
  }

  private mutating func event(of letter: Letter) -> PendingEvent? {
    switch letter.notice {
    case .locations(let reports, .significantChange):
      guard let report = reports.last, !awaitsFirst else {
        awaitsFirst = false
        return nil
      }
      return .significantChange(report)
    case .state(let state, let region): return .state(state, region)
    case .entered(let region): return .entered(region)
    case .exited(let region): return .exited(region)
    case .visit(let stay): return .visit(stay)
    case .condition(let event):
      guard let monitor = monitors[letter.to], event.diagnosis == Diagnosis() else { return nil }
      return .condition(
        monitor: monitor, identifier: event.identifier, event.state, event.time)
    default: return nil
    }
  }
}
