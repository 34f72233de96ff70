public import Fences
public import Geodesy

extension Fence {
  /// How long a device must stay inside for a dwell; nil to report no dwell.
  ///
  /// The same as `dwell`, which is in nanoseconds. It is reported only if `notifications` has
  /// `dwell` as well.
  public var dwellTime: Duration? {
    get { dwell.map { .nanoseconds($0) } }
    set { dwell = newValue.map { Int64(clamping: $0.wholeNanoseconds) } }
  }

  /// Makes a circle that reports enters and exits, and dwells if `dwell` is given.
  ///
  /// - Parameters:
  ///   - id: Unique within a `FenceSet`.
  ///   - center: The middle; a `FenceSet` refuses an invalid one.
  ///   - radius: Metres.
  ///   - dwell: How long a device must stay inside for a dwell; nil to report none.
  public init(id: String, center: Coordinate, radius: Double, dwell: Duration? = nil) {
    self.init(id: id, area: .circle(Circle(center: center, radius: radius)))
    guard let dwell else { return }
    dwellTime = dwell
    notifications.insert(.dwell)
  }
}
