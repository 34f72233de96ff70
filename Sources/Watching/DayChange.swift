internal import Tracking

/// Detects a change of the day in the reports' time.
struct DayChange: Sendable {
  private var current: Int64?
  /// An unexpected day in the last report: most likely a wrong date, unless the next report confirms it.
  private var doubtful: Int64?
  /// The most days by which a report is late; one with an earlier day has another date.
  private static let lateness: Int64 = 31

  /// `last` is the time of the last report in the file, if there is one.
  init(last: Timestamp?) {
    current = last.map(ReportTime.day)
  }

  /// Whether a report is the first of another day.
  mutating func isNew(_ time: Timestamp) -> Bool {
    let day = ReportTime.day(of: time)
    guard let current, day != current else {
      (self.current, doubtful) = (day, nil)
      return false
    }
    // Batches of phones come late, among reports of today.
    guard day > current || current - day > Self.lateness else {
      doubtful = nil
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
