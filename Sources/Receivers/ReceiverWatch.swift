internal import Geodesy
internal import Estimation
internal import Geodesy
internal import Traces

/// Notices in the output of a receiver when positions cease to come, and when they come again.
///
/// Everything follows from the lines, so a recording gives the changes that its session gave: what has no
/// line of gpsd's has one of the program's (``GPSDReport/change(_:)``).
struct ReceiverWatch: Sendable, Hashable {
  /// The last change that was reported; nil before the first.
  private var status: SourceChange.Status?
  private var lastPosition: Timestamp?
  /// Reports without a position, and positions without a time, in a row.
  private var (empty, timeless) = (0, 0)
  /// Refused positions in a row.
  private var simulated = 0

  /// A receiver may miss a moment, and gpsd reports an instant first without its position.
  private static let patience = 5.0
  /// So many reports in a row are more than a moment when their times are not known.
  private static let limit = 10
  /// One or two refused positions are nothing unusual.
  private static let refusedLimit = 3

  /// Notes a report of a position, or of none.
  mutating func note(_ fix: Fix) -> SourceChange? {
    guard fix.mode != .none, fix.coordinate.isValid else { return miss(fix.time) }
    guard let time = fix.time else {
      timeless += 1
      return timeless >= Self.limit ? change(.noTime, at: lastPosition, nil) : nil
    }
    (empty, timeless, simulated) = (0, 0, 0)
    defer { lastPosition = time }
    guard let status, status != .fix else { return nil }
    return change(.fix, at: time, nil)
  }

  /// Notes a simulated position, which is refused.
  mutating func refuse(_ time: Timestamp?) -> SourceChange? {
    simulated += 1
    guard simulated >= Self.refusedLimit else { return nil }
    return change(.ignoring, at: time ?? lastPosition, SolutionKind.refusal)
  }

  private mutating func miss(_ time: Timestamp?) -> SourceChange? {
    empty += 1
    if let time, let lastPosition {
      guard time.seconds(since: lastPosition) >= Self.patience else { return nil }
    } else {
      guard empty >= Self.limit else { return nil }
    }
    return change(.noFix, at: time ?? lastPosition, nil)
  }

  /// The receiver was removed.
  mutating func removed() -> SourceChange? {
    change(.connected, at: lastPosition, "the receiver was removed")
  }

  /// A change that the lines of gpsd do not show.
  mutating func note(_ change: SourceChange) -> SourceChange? {
    self.change(change.status, at: change.time ?? lastPosition, change.reason)
  }

  private mutating func change(
    _ status: SourceChange.Status, at time: Timestamp?, _ reason: String?
  ) -> SourceChange? {
    guard status != self.status else { return nil }
    self.status = status
    let duration = lastPosition.flatMap { last in time.map { $0.seconds(since: last) } }
    return SourceChange(status, time: time, duration: duration, reason: reason)
  }
}
