internal import Geodesy
internal import Tracking

/// The standard location updates of one manager.
struct StandardUpdates: Sendable {
  /// The last location it was given.
  private var last: Report?
  /// When they were started; nil until the time is known.
  var started: Timestamp?
  var isPaused = false

  init(started: Timestamp?) {
    self.started = started
  }

  /// A location whose accuracy is at most this share of the last one's is told however near it is:
  /// Core Location documents that smaller moves are reported when the accuracy has improved, with
  /// 500 m and then 100 m as its example.
  private static let clearlyBetter = 0.5

  /// Whether the report is to be delivered; it is then the one from which the filter counts.
  mutating func takes(_ report: Report, filter: Double) -> Bool {
    if filter > 0, let last, !isBetter(report, than: last),
      last.fix.coordinate.distance(to: report.fix.coordinate) < filter
    {
      return false
    }
    last = report
    return true
  }

  private func isBetter(_ report: Report, than last: Report) -> Bool {
    guard let accuracy = report.fix.horizontalAccuracy else { return false }
    guard let before = last.fix.horizontalAccuracy else { return true }
    return accuracy <= before * Self.clearlyBetter
  }
}
