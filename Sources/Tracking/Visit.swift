/// A stay at one place; its centre is the coordinate of the event that reports it.
public struct Visit: Sendable, Hashable, Codable {
  /// When the device came, or was first seen there.
  ///
  /// It is the same in both events of a visit.
  public var arrival: Timestamp
  /// Whether the device was seen to come; false when it was there from its first fix on, so that
  /// ``arrival`` is only the latest that is possible.
  public var isArrivalSeen: Bool
  /// When it left; nil while it stays.
  public var departure: Timestamp?
  /// Probability that this is a stay at this place, given the fixes so far.
  public var confidence: Double
}
