package import Foundation

/// Hours of the day in which a receiver gets no events.
package struct QuietHours: Sendable, Hashable {
  /// What happens to the events of these hours.
  package enum Policy: String, Sendable, Hashable, CaseIterable {
    /// They are delivered at their end.
    case hold
    /// They are never delivered.
    ///
    /// What was decided outside of these hours is delivered at their end.
    case drop
  }

  /// Minutes since midnight, 0..<1440.
  ///
  /// `end` is not quiet. A start after the end spans midnight.
  package var start: Int
  package var end: Int
  package var policy: Policy

  package init(start: Int, end: Int, policy: Policy) {
    self.start = start
    self.end = end
    self.policy = policy
  }

  /// Whether a time, seconds since 1970, is in these hours.
  package func contains(_ seconds: Double, in zone: TimeZone) -> Bool {
    let minute = LocalTime(seconds, in: zone).minute
    return start <= end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  /// Why events wait in these hours: `quiet hours until 07:00 (Europe/Berlin)`.
  func reason(in zone: TimeZone) -> String {
    let time = String(format: "%02d:%02d", end / 60, end % 60)
    return "quiet hours until \(time) (\(zone == .gmt ? "UTC" : zone.identifier))"
  }
}
