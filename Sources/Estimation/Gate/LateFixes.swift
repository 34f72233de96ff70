/// One of the last fixes of a device, among which a late one is inserted.
protocol RecentFix {
  var time: Timestamp { get }

  /// Whether another has the same position.
  func isSamePlace(as other: Self) -> Bool
}

/// The rules by which a late fix is inserted in order among the last ones.
///
/// The engine keeps between ``MotionModel/recentCount`` / 2 and ``MotionModel/recentCount`` of the
/// last fixes. ``Motion`` and ``TrackValidator`` share these rules, so a validation without an
/// engine counts the same fixes as late.
enum LateFixes {
  /// What becomes of a late fix.
  enum Outcome {
    /// It is inserted before the fix with this index.
    case inserted(Int)
    case dropped(Defect)
  }

  /// What becomes of a late fix.
  ///
  /// - Parameters:
  ///   - recent: The last fixes that are kept, by time.
  ///   - forgotten: The time of the last fix before them; nil when there was none.
  ///   - horizon: The time at which the track began; nil when its beginning is not known.
  /// - Returns: `duplicate` or `sameTime` when a kept fix has its time, `outOfOrder` when it is
  ///   before the horizon or among the forgotten ones.
  /// - Complexity: O(`recent`).
  static func outcome<Recent: RecentFix>(
    of fix: Recent, among recent: [Recent], after forgotten: Timestamp?, horizon: Timestamp?
  ) -> Outcome {
    if let horizon, fix.time < horizon { return .dropped(.outOfOrder) }
    let place = recent.firstIndex { $0.time >= fix.time } ?? recent.count
    if place < recent.count, recent[place].time == fix.time {
      return .dropped(recent[place].isSamePlace(as: fix) ? .duplicate : .sameTime)
    }
    if let forgotten, fix.time <= forgotten { return .dropped(.outOfOrder) }
    return .inserted(place)
  }

  /// Whether so many fixes are followed by half of those that are kept, so the first of them are
  /// forgotten before one more is added.
  @inline(__always)
  static func isFull(_ count: Int, since middle: Int) -> Bool {
    count - middle >= MotionModel.recentCount / 2
  }

  /// Whether so many fixes are more than are kept, as many came late.
  @inline(__always)
  static func isOverfull(_ count: Int) -> Bool { count > MotionModel.recentCount }
}
