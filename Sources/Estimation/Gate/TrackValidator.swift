internal import Geodesy

/// Validates the fixes of one device exactly as an engine does, without estimating anything.
///
/// It takes about a tenth of an engine's time: for programs that report which fixes would be used.
package struct TrackValidator: Sendable {
  /// The gate of the engine.
  package private(set) var gate = Gate()
  /// The last fixes that were accepted, by time: those of ``Motion``, as times and positions only.
  private var recent: [TimedPosition] = []
  /// How many of `recent` are forgotten first.
  private var middle = 0
  /// The time of the last fix before `recent`.
  private var forgotten: Timestamp?
  /// The time at which the present clock began; nil when it is the device's first.
  private var horizon: Timestamp?

  /// A device without a fix.
  package init() {}

  /// Validates one fix; impossible fields become unknown.
  ///
  /// - Returns: the outcome of the gate, where `late` means that the fix was inserted in order; the
  ///   late fixes that the engine does not insert are `dropped`.
  /// - Complexity: O(1) for a fix in order, O(``MotionModel/recentCount``) for a late one.
  package mutating func validate(_ fix: inout Fix, limits: GateLimits) -> Gate.Outcome {
    let outcome = gate.validate(&fix, limits: limits)
    switch outcome {
    case .dropped, .waits: return outcome
    case .late:
      let defect = insert(fix, limits)
      gate.settleLate(fix, defect, limits: limits)
      return defect.map { .dropped($0) } ?? .late
    case .accepted: remember(fix)
    case .acceptedAfterGap(let waiting):
      remember(waiting)
      remember(fix)
    case .acceptedAfterBreak(let waiting, let hasNewClock):
      if hasNewClock { restart(at: waiting.time) }
      remember(waiting)
      remember(fix)
    case .acceptedOnEarlierClock:
      restart(at: fix.time)
      remember(fix)
    }
    return outcome
  }

  private mutating func restart(at time: Timestamp?) {
    recent.removeAll(keepingCapacity: true)
    (middle, forgotten, horizon) = (0, nil, time)
  }

  private mutating func insert(_ fix: Fix, _ limits: GateLimits) -> Defect? {
    guard gate.mayInsert(fix, limits: limits), let late = TimedPosition(fix) else {
      return .outOfOrder
    }
    switch LateFixes.outcome(of: late, among: recent, after: forgotten, horizon: horizon) {
    case .dropped(let defect): return defect
    case .inserted(let place):
      recent.insert(late, at: place)
      if place < middle { middle += 1 }
      forgetSome()
      return nil
    }
  }

  /// Keeps a fix among the last ones, as ``Motion`` does.
  private mutating func remember(_ fix: Fix) {
    guard let fix = TimedPosition(fix) else { return }
    if LateFixes.isFull(recent.count, since: middle) {
      forgetFirst()
      middle = recent.count
    }
    recent.append(fix)
    forgetSome()
  }

  private mutating func forgetSome() {
    guard LateFixes.isOverfull(recent.count) else { return }
    if middle == 0 { middle = recent.count / 2 }
    forgetFirst()
    middle = recent.count / 2
  }

  private mutating func forgetFirst() {
    guard middle > 0 else { return }
    forgotten = recent[middle - 1].time
    recent.removeFirst(middle)
  }

  /// Where a device was, and when.
  private struct TimedPosition: RecentFix {
    let time: Timestamp
    let coordinate: Coordinate

    init?(_ fix: Fix) {
      guard let time = fix.time else { return nil }
      (self.time, coordinate) = (time, fix.coordinate)
    }

    /// To 0.1 mm, as for ``FixMeasurement``.
    func isSamePlace(as other: Self) -> Bool { coordinate.isWithin(1e-4, of: other.coordinate) }
  }
}
