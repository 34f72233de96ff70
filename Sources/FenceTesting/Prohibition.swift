internal import EventLog
internal import Settings
internal import Tracking

/// An event that must not be reported.
struct Prohibition: Sendable {
  var place: ConfigurationPlace
  var pattern: EventPattern
  /// When; nil for the whole track.
  var between: ClosedRange<Timestamp>?

  func matches(_ entry: LogEntry) -> Bool {
    guard pattern.matches(entry) else { return false }
    guard let between else { return true }
    return entry.time.map(between.contains) ?? false
  }
}
