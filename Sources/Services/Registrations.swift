package import Geodesy
package import Tracking

/// What a program has asked for that lasts when it ends.
package struct Registrations: Sendable, Hashable, Codable {
  package var regions: [Region] = []
  /// Where the device was with regard to them.
  package var states: [String: Containment] = [:]
  package var hasVisits = false
  /// Whether a manager follows significant changes, so that the program is worth launching.
  package var hasSignificantChanges = false
  /// The fix that was told last of those.
  package var significantFix: Fix?
  package var monitors: [String: [ConditionRecord]] = [:]
  /// The last fix that was known.
  package var lastFix: Fix?

  package init() {}
}

/// What a monitor can watch.
package enum Condition: Sendable, Hashable, Codable {
  /// A circle with its radius in metres.
  case circle(center: Coordinate, radius: Double)
  /// Something that cannot be watched here: a beacon, as the client encoded it.
  case unsupported([UInt8])
}

/// A condition of a monitor, and what the program was told of it last.
package struct ConditionRecord: Sendable, Hashable, Codable {
  package var identifier: String
  package var condition: Condition
  /// What the program took last, or was told to assume.
  package var state: ConditionState
  /// When that became so; when the condition was added at first.
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
