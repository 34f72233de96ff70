package import Tracking

/// What happened while a program did not run, and is told it when it does.
package enum PendingEvent: Sendable, Hashable, Codable {
  /// For those who follow significant changes.
  case significantChange(Report)
  /// For every manager, as the rest.
  case state(Containment, Region)
  case entered(Region)
  case exited(Region)
  case visit(Stay)
  /// For whoever iterates over the events of the monitor.
  case condition(monitor: String, identifier: String, ConditionState, Timestamp)

  /// Whether a program is launched for it; a state alone wakes nobody (7.8).
  package var isWorthLaunching: Bool {
    if case .state = self { false } else { true }
  }

  /// As a client is told of it.
  package var notice: Notice {
    switch self {
    case .significantChange(let report): .locations([report], .significantChange)
    case .state(let state, let region): .state(state, region)
    case .entered(let region): .entered(region)
    case .exited(let region): .exited(region)
    case .visit(let stay): .visit(stay)
    case .condition(_, let identifier, let state, let time):
      .condition(ConditionEvent(identifier: identifier, state: state, time: time))
    }
  }
}
