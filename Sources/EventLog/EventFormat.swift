/// The formats of the event log.
package enum EventFormat: String, Sendable, Hashable, CaseIterable {
  /// A line for people; it may change.
  case text
  /// JSON Lines, the stable format.
  case jsonl
  /// Comma-separated values for spreadsheets.
  case csv
}
