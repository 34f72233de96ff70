internal import Session
internal import Tracking

/// When the lines of a recording are due, by the times of its positions.
struct RecordingPace {
  /// When what comes next is due; nil before the first time.
  private(set) var due: Timestamp?
  /// The first of these times.
  private(set) var start: Timestamp?
  /// The time of the last position, in the recording.
  private(set) var last: Timestamp?
  /// The last usual step from one position to the next, nanoseconds.
  private var step: Int64 = 1_000_000_000

  /// Receivers beside each other may be so many nanoseconds apart.
  private static let slack: Int64 = 5_000_000_000

  /// A position has this time.
  ///
  /// A clock that steps back, or by more than a day, does not make anybody wait: the position is as far
  /// from the one before as that was from its own.
  mutating func note(_ time: Timestamp) {
    guard let last, let due else {
      due = due?.advanced(byNanoseconds: step) ?? time
      start = start ?? due
      self.last = time
      return
    }
    let (length, overflow) = time.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
    if !overflow, -Self.slack...0 ~= length { return }
    let limit = Int64(Pacer.longestStep * 1e9)
    if !overflow, 1...limit ~= length {
      // A gap is no usual step.
      if length <= Self.slack { step = length }
      self.due = due.advanced(byNanoseconds: length)
    } else {
      self.due = due.advanced(byNanoseconds: step)
    }
    self.last = time
  }

  /// Whole seconds from the beginning of a pass to that of the next, for when its first and its last
  /// position were due; nil for too many.
  func length(from first: Timestamp, to last: Timestamp) -> Int64? {
    let (sum, overflow) = last.nanoseconds(since: first).addingReportingOverflow(step)
    return overflow ? nil : (sum - 1) / 1_000_000_000 + 1
  }

  /// The recording starts over, that many seconds after its first time.
  mutating func restart(after seconds: Int64) {
    guard let start, let next = start.shifted(bySeconds: seconds) else { return }
    due = next.advanced(byNanoseconds: -step)
    self.start = next
    last = nil
  }
}
