import Tracking

/// Puts the entries of a log in the order in which they happened, for people.
///
/// The log itself is in the order of decision: a departure is certain minutes after the exit that it
/// leads to. Entries wait until ``mostWaiting`` are there; then the earlier half goes on, so memory is
/// bounded, and only what was decided that many entries late is out of order.
package struct OccurrenceOrder: Sendable {
  private var waiting: [(time: Timestamp, entry: LogEntry)] = []
  private var last = Timestamp.distantPast

  static let mostWaiting = 1 << 15

  package init() {}

  /// Takes the next entry, and appends to `entries` those that wait no longer.
  package mutating func take(_ entry: LogEntry, into entries: inout [LogEntry]) {
    // A problem without a time stays behind what came before it.
    last = entry.time ?? entry.decided ?? last
    waiting.append((last, entry))
    guard waiting.count >= Self.mostWaiting else { return }
    sort()
    entries += waiting.prefix(Self.mostWaiting / 2).map(\.entry)
    waiting.removeFirst(Self.mostWaiting / 2)
  }

  /// Removes and returns the entries that wait.
  package mutating func takeRest() -> [LogEntry] {
    defer { waiting.removeAll() }
    sort()
    return waiting.map(\.entry)
  }

  /// Swift's sort is stable: what happened at once stays in the order of decision.
  private mutating func sort() { waiting.sort { $0.time < $1.time } }
}
