/// Skips launches of a program that fails at once: after each failure in a row twice as many events are
/// skipped.
struct LaunchBackOff: Sendable, Hashable {
  private(set) var failures = 0
  private var skipped = 0

  /// The most events skipped in a row.
  private static let longest = 64

  /// Whether the program is launched for the next event.
  mutating func launches() -> Bool {
    guard skipped > 0 else { return true }
    skipped -= 1
    return false
  }

  /// The program has ended.
  mutating func ended(well: Bool) {
    failures = well ? 0 : failures + 1
    skipped = well ? 0 : min(Self.longest, 1 << min(failures - 1, 30))
  }

  /// How many events are skipped now.
  var eventsToSkip: Int { skipped }
}
