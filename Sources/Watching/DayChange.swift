internal import Tracking

/// Detects a change of the day in the reports' time.
struct DayChange: Sendable {
  private var current: Int64?
  /// Whether ``current`` does not follow the day before it, or is that of the file at the start: a wrong date
  /// may have been confirmed.
  private var isLeap: Bool
  /// The day that was left by going back to an earlier one: its reports begin no file again.
  private var left: Int64?
  /// An unexpected day in the last report: most likely a wrong date, unless the next report confirms it.
  private var doubtful: Int64?
  /// The most days by which a report is late; one with an earlier day has another date.
  private static let lateness: Int64 = 31

  /// `last` is the time of the last report in the file, if there is one.
  init(last: Timestamp?) {
    current = last.map(ReportTime.day)
    isLeap = true
  }

  /// Whether a report is the first of another day.
  mutating func isNew(_ time: Timestamp) -> Bool {
    let day = ReportTime.day(of: time)
    guard let current, day != current else {
      (self.current, doubtful) = (day, nil)
      return false
    }
    // Batches of phones come late, among reports of today. After a leap they may be of the right day.
    let isLate = !isLeap && day < current && current - day <= Self.lateness
    guard day == current + 1 || !isLate && day != left else {
      doubtful = nil
      return false
    }
    guard day == current + 1 || day == doubtful else {
      doubtful = day
      return false
    }
    if day < current { left = current } else if let left, day > left { self.left = nil }
    (self.current, doubtful, isLeap) = (day, nil, day != current + 1)
    return true
  }
}
