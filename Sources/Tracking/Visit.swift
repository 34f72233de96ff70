/// A stay at one place; its centre is the coordinate of the event that reports it.
///
/// A consumer that wants one row a visit keeps the last report for each ``arrival`` of a device,
/// and drops those that are retracted.
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
  ///
  /// 0.94 while the stay goes on: the share that is right when a visit is first reported. When it
  /// has ended, the share by its length, its accuracy and how much of it was silent, as measured on
  /// simulated worlds and real phones (Docs/Accuracy.md, "Visits").
  public var confidence: Double
  /// One sigma of ``arrival``, seconds; nil when the device was not seen to come.
  ///
  /// At least 40 s: what people mean by arriving differs by as much (the door, the lift, the parked
  /// car).
  public var arrivalUncertainty: Double?
  /// One sigma of ``departure``, seconds; nil while it stays.
  public var departureUncertainty: Double?
  /// How often this visit was reported before: 0 for the first report, 1 for the one that ends it.
  public var revision = 0
  /// Whether this retracts the earlier report, as it was not a stay.
  public var isRetracted = false

  /// Makes a visit that goes on, or has ended.
  public init(
    arrival: Timestamp, isArrivalSeen: Bool, departure: Timestamp?, confidence: Double
  ) {
    (self.arrival, self.isArrivalSeen) = (arrival, isArrivalSeen)
    (self.departure, self.confidence) = (departure, confidence)
  }
}
