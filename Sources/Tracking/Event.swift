public import Geodesy

/// Something that happened to one device.
///
/// The engine knows neither the device's name nor the event's id: the program that runs one engine
/// for each device adds them.
///
/// Events of one device come in the order of ``decided``, those of one decision in the order of
/// ``time``. Only a device whose clock is set back emits an earlier ``decided`` than before.
public struct Event: Sendable, Hashable {
  /// What happened.
  public enum Statement: Sendable, Hashable {
    /// The device came into the fence.
    ///
    /// ``Event/time`` is when it crossed the edge, placed between two fixes where the rule of the
    /// fence can. A fence with the initial state `enter` also reports it for a device that was
    /// first seen inside.
    case enter(fence: String, Crossing)
    /// The device left the fence after `inside` seconds in it (since it was first seen there).
    case exit(fence: String, Crossing, inside: Double)
    /// The device has been in the fence for its dwell time, `inside` seconds.
    ///
    /// ``Event/time`` is when the time was full, which is mostly not that of a fix.
    case dwell(fence: String, inside: Double)
    /// Where the device is, reported when it is first seen. The confidence is the probability that
    /// this is true, nil when the fix gave no accuracy.
    ///
    /// It is also reported as ``Containment/unknown``: once when the device is first seen too near
    /// to the edge to say, and when it has been silent inside for ``Rules/memory``.
    case state(fence: String, Containment, confidence: Double?)
    /// The device stays, or stayed, at a place: reported once when the stay is certain, and once
    /// more when it has left.
    ///
    /// ``Event/time`` is the arrival, in the second report the departure. ``Event/coordinate`` is
    /// the centre of the stay.
    case visit(Visit)
    /// The device is far from where it was when this was last reported.
    ///
    /// How far, and how often at most: ``SignificantChangeRules``. ``Event/coordinate`` is the
    /// estimate.
    case significantChange
  }

  /// What happened.
  public var statement: Statement
  /// When it happened.
  ///
  /// The receiver's time. It may lie between two fixes, and is not after ``decided``.
  public var time: Timestamp
  /// The trace time at which the engine decided; never before the newest fix that was used.
  public var decided: Timestamp
  /// Where it happened.
  public var coordinate: Coordinate
  /// Radius in metres that holds the true position with probability 0.68, nil when unknown.
  public var horizontalAccuracy: Double?
  /// Speed over ground at that moment, metres per second, nil when unknown.
  public var speed: Double?
  /// Course at that moment, degrees true, nil when unknown.
  public var course: Double?

  /// Makes an event, such as one that a test gives to a handler of events.
  ///
  /// - Parameters:
  ///   - statement: What happened.
  ///   - time: When it happened.
  ///   - decided: The trace time of the decision, which is not before `time`.
  ///   - coordinate: Where it happened.
  ///   - horizontalAccuracy: The 68 % radius, metres.
  ///   - speed: Metres per second.
  ///   - course: Degrees true, 0..<360.
  public init(
    statement: Statement, time: Timestamp, decided: Timestamp, coordinate: Coordinate,
    horizontalAccuracy: Double? = nil, speed: Double? = nil, course: Double? = nil
  ) {
    (self.statement, self.time, self.decided) = (statement, time, decided)
    (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
    (self.speed, self.course) = (speed, course)
  }
}

/// On which side of a fence's edge a device is.
public enum Containment: String, Sendable, Hashable, Codable, CaseIterable {
  /// In the area or on its edge.
  case inside
  /// Not in the area.
  case outside
  /// Unknown.
  case unknown
}
