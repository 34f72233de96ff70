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
  /// The time of the last position whose date contradicts ``lastPosition``, and how many there were in a
  /// row, each after the one before.
  private var doubted: Timestamp?
  private var doubts = 0
  /// Reports without a position, and positions without a time, in a row.
  private var (empty, timeless) = (0, 0)
  /// Reports without a position, in a row, that are more than a day after the last one.
  private var later = 0
  /// Refused positions in a row.
  private var simulated = 0
  /// A random number of the run that the lines are from; nil when they do not say it.
  private let start: UInt64?
  /// Changes so far for which no time was known.
  private var untimed: UInt64 = 0

  init(start: UInt64? = nil) { self.start = start }

  /// A receiver may miss a moment, and gpsd reports an instant first without its position.
  private static let patience = 5.0
  /// So many reports in a row are more than a moment when their times are not known.
  private static let limit = 10
  /// One or two refused positions are nothing unusual.
  private static let refusedLimit = 3
  /// Seconds after the last position in which a time is no other date, as the gate has it by default.
  private static let day = 86_400.0
  /// Another date is believed with the second position in a row, as the gate does; a time that is only
  /// late with the tenth.
  private static let dateLimit = 2

  /// Notes a report of a position, or of none.
  mutating func note(_ fix: Fix) -> SourceChange? {
    guard fix.mode != .none, fix.coordinate.isValid else { return miss(fix.time) }
    guard let time = fix.time else {
      timeless += 1
      return timeless >= Self.limit ? change(.noTime, at: lastPosition, nil) : nil
    }
    guard isBelieved(time) else { return nil }
    (empty, timeless, simulated, later) = (0, 0, 0, 0)
    defer { (lastPosition, doubted, doubts) = (time, nil, 0) }
    guard let status, status != .fix else { return nil }
    return change(.fix, at: time, nil)
  }

  /// Whether the time of a position is that of the receiver, not a wrong date or a late report.
  private mutating func isBelieved(_ time: Timestamp) -> Bool {
    guard let lastPosition, !Self.follows(time, lastPosition) else { return true }
    func isDate(_ time: Timestamp) -> Bool { abs(time.seconds(since: lastPosition)) > Self.day }
    // A tracker may wake once in more than a day. A late report does not confirm a date.
    let isNext = doubted.map { time >= $0 && isDate($0) == isDate(time) } ?? false
    doubted = time
    doubts = isNext ? doubts + 1 : 1
    return doubts >= (isDate(time) ? Self.dateLimit : Self.limit)
  }

  private static func follows(_ time: Timestamp, _ last: Timestamp) -> Bool {
    0...day ~= time.seconds(since: last)
  }

  /// Notes a simulated position, which is refused.
  mutating func refuse(_ time: Timestamp?) -> SourceChange? {
    simulated += 1
    guard simulated >= Self.refusedLimit else { return nil }
    return change(.ignoring, at: sane(time), SolutionKind.refusal)
  }

  private mutating func miss(_ time: Timestamp?) -> SourceChange? {
    empty += 1
    if let time, let lastPosition, Self.follows(time, lastPosition) {
      // The receiver has its date.
      (doubted, doubts, later) = (nil, 0, 0)
      guard time.seconds(since: lastPosition) >= Self.patience else { return nil }
    } else if let time, let lastPosition, time > lastPosition {
      // One may be wrong; so many are the date after a long time off.
      later += 1
      return later >= Self.limit ? change(.noFix, at: time, nil) : nil
    } else {
      guard empty >= Self.limit else { return nil }
    }
    return change(.noFix, at: sane(time), nil)
  }

  /// The time of a report without a position, or that of the last position where it has another date.
  private func sane(_ time: Timestamp?) -> Timestamp? {
    guard let time, let lastPosition else { return time ?? lastPosition }
    return Self.follows(time, lastPosition) ? time : lastPosition
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
    // With a clock that was set back it is not known.
    var change = SourceChange(
      status, time: time, duration: duration.flatMap { $0 < 0 ? nil : $0 }, reason: reason)
    if time == nil, let start {
      untimed += 1
      change.occurrence = start &+ untimed
    }
    return change
  }
}
