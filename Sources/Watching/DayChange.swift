internal import Tracking

/// Tells when the reports' time comes to another day.
struct DayChange: Sendable {
  private var current: Int64?
  /// Another day than the next one, seen in the last report: a receiver's wrong date, most likely,
  /// unless the report after it says the same.
  private var doubtful: Int64?

  /// `last` is the time of the last report in the file, if there is one.
  init(last: Timestamp?) {
    current = last.map(ReportTime.day)
  }

  /// Whether a report begins another day.
  mutating func isNew(_ time: Timestamp) -> Bool {
    let day = ReportTime.day(of: time)
    guard let current, day != current else {
      (self.current, doubtful) = (day, nil)
      return false
    }
    guard day == current + 1 || day == doubtful else {
      doubtful = day
      return false
    }
    (self.current, doubtful) = (day, nil)
    return true
  }
}
