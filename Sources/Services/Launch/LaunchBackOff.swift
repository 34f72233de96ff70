/// Keeps a program that fails at once from being launched again and again: after each failure in a
/// row it is spared twice as many events.
struct LaunchBackOff: Sendable, Hashable {
  private(set) var failures = 0
  private var spared = 0

  /// No more events are spared in a row.
  private static let longest = 64

  /// Whether the program is launched for the next event.
  mutating func launches() -> Bool {
    guard spared > 0 else { return true }
    spared -= 1
    return false
  }

  /// The program has ended.
  mutating func ended(well: Bool) {
    failures = well ? 0 : failures + 1
    spared = well ? 0 : min(Self.longest, 1 << min(failures - 1, 30))
  }

  /// How many events the program is spared now.
  var toSpare: Int { spared }
}
