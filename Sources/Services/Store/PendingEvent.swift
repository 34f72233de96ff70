package import Tracking

/// An event while a program did not run, which it receives when it does.
package enum PendingEvent: Sendable, Hashable, Codable {
  /// For managers with significant changes.
  case significantChange(Location)
  /// For every manager, as the cases that follow.
  case state(Containment, Region)
  case entered(Region)
  case exited(Region)
  case visit(Stay)
  /// For iterations over the events of the monitor.
  case condition(monitor: String, identifier: String, ConditionState, Timestamp)

  /// Whether it launches the program; a state alone does not (7.8).
  package var isWorthLaunching: Bool {
    if case .state = self { false } else { true }
  }

  /// The notice for clients.
  package var notice: Notice {
    switch self {
    case .significantChange(let location): .locations([location], .significantChange)
    case .state(let state, let region): .state(state, region)
    case .entered(let region): .entered(region)
    case .exited(let region): .exited(region)
    case .visit(let stay): .visit(stay)
    case .condition(_, let identifier, let state, let time):
      .condition(ConditionEvent(identifier: identifier, state: state, time: time))
    }
  }
}
