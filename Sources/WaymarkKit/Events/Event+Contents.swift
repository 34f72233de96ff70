internal import EventLog
public import Tracking

/// The parts of what happened, for handlers that do not care which kind of event it is.
extension Event {
  /// The id of the fence; nil for visits and significant changes.
  public var fence: String? { statement.fence }

  /// How the edge was crossed; nil unless the device came in or left.
  public var crossing: Crossing? { statement.crossing }

  /// The visit; nil for other events.
  public var visit: Visit? { statement.visit }

  /// The side of the edge on which the device was first seen; nil for other events.
  public var containment: Containment? { statement.containment }

  /// How long the device has been in the fence, of an exit or a dwell; nil for other events.
  public var timeInside: Duration? { statement.inside.map { .seconds($0) } }

  /// The probability that it happened, 0...1; nil where none is known.
  public var confidence: Double? { statement.confidence }
}

extension Visit {
  /// How long the device stayed; nil while it stays.
  ///
  /// It is the shortest that is possible if the device was not seen to come (`isArrivalSeen`).
  public var stay: Duration? { departure.map { $0 - arrival } }
}
