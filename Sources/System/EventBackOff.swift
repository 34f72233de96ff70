/// A ``BackOff`` that counts events instead of time: after each failure in a row it skips twice as many
/// events, at most 64.
///
/// Both exist because they share no code: ``BackOff`` returns times, with jitter against other clients;
/// this one decides for each event, and there are no other clients.
package struct EventBackOff: Sendable, Hashable {
  /// Failures in a row.
  package private(set) var failures = 0
  private var skipped = 0

  /// The most events skipped in a row.
  private static let longest = 64

  package init() {}

  /// Whether there is an attempt for the next event.
  package mutating func attempts() -> Bool {
    guard skipped > 0 else { return true }
    skipped -= 1
    return false
  }

  /// An attempt has ended.
  package mutating func ended(well: Bool) {
    failures = well ? 0 : failures + 1
    skipped = well ? 0 : min(Self.longest, 1 << min(failures - 1, 30))
  }

  /// How many events are skipped now.
  package var eventsToSkip: Int { skipped }
}
