package import Geodesy
package import Tracking

/// A program's requests that last beyond its end.
package struct Registrations: Sendable, Hashable, Codable {
  package var regions: [Region] = []
  /// On which side of each region the device was.
  package var states: [String: Containment] = [:]
  package var hasVisits = false
  /// Whether a manager follows significant changes, so that the program is worth launching.
  package var hasSignificantChanges = false
  /// The last significant change delivered.
  package var significantFix: Fix?
  package var monitors: [String: [ConditionRecord]] = [:]
  /// The last known fix.
  package var lastFix: Fix?

  package init() {}
}

/// A condition that a monitor can have.
package enum Condition: Sendable, Hashable, Codable {
  /// A circle with its radius in metres.
  case circle(center: Coordinate, radius: Double)
  /// A condition that is not supported here: a beacon, as the client encoded it.
  case unsupported([UInt8])
}

/// A condition of a monitor, and the last state that the program received.
package struct ConditionRecord: Sendable, Hashable, Codable {
  package var identifier: String
  package var condition: Condition
  /// The state that the program received last, or assumed.
  package var state: ConditionState
  /// The time of that state; initially the time when the condition was added.
  package var time: Timestamp

  package init(
    identifier: String, condition: Condition, state: ConditionState, time: Timestamp
  ) {
    self.identifier = identifier
    self.condition = condition
    self.state = state
    self.time = time
  }
}
