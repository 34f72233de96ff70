package import Tracking

/// How fast a recording is played: as fast as it goes, or at a multiple of its own time.
package struct Pacer: Sendable {
  private let speed: Double?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let sleep: @Sendable (Duration) -> Void
  private var start: (trace: Timestamp, wall: ContinuousClock.Instant)?
  private var last: Timestamp?

  /// A longer step in time is not waited for, seconds: it is a wrong date, which would be waited
  /// for for years, or a silence in which nothing is to be seen.
  package static let longestStep = GateLimits().clockJump
  /// No time to or from the start is longer, seconds: 31 years.
  ///
  /// A Duration holds no number that is much larger, and nobody waits for it.
  private static let longestWait = 1e9

  /// As fast as it goes.
  package static let unlimited = Pacer(speed: nil, now: { .now }, sleep: { _ in })

  /// Plays `speed` trace seconds a second, above 0; nil for no limit.
  ///
  /// The clock and the waiting are given, so that tests need neither.
  package init(
    speed: Double?, now: @escaping @Sendable () -> ContinuousClock.Instant,
    sleep: @escaping @Sendable (Duration) -> Void
  ) {
    self.speed = speed
    self.now = now
    self.sleep = sleep
  }

  /// Whether it is worth waiting at all.
  package var isLimited: Bool { speed != nil }

  /// How long to wait until `time` is due; the first time asked about is due at once, and so is one
  /// that is more than ``longestStep`` away from the one before.
  package mutating func delay(until time: Timestamp) -> Duration? {
    guard let speed else { return nil }
    defer { last = time }
    guard let start, let last, abs(time.seconds(since: last)) <= Self.longestStep else {
      start = (time, now())
      return nil
    }
    let wait = time.seconds(since: start.trace) / speed
    let delay = now().duration(
      to: start.wall + .seconds(min(max(wait, -Self.longestWait), Self.longestWait)))
    return delay > .zero ? delay : nil
  }

  /// Waits.
  package func wait(_ delay: Duration) {
    sleep(delay)
  }
}
