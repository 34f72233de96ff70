package import Tracking

/// Waits between fixes of a recording: not at all, or so it plays at a multiple of its own time.
package struct Pacer: Sendable {
  private let speed: Double?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let sleep: @Sendable (Duration) -> Void
  private var start: (trace: Timestamp, wall: ContinuousClock.Instant)?
  private var last: Timestamp?

  /// Longer steps in time are skipped, seconds: a wrong date would make the program wait for years,
  /// and nothing happens in a long silence.
  package static let longestStep = GateLimits().clockJump
  /// The longest time from the start, seconds: 31 years.
  ///
  /// A Duration cannot hold much larger numbers.
  private static let longestWait = 1e9

  /// Never waits.
  package static let unlimited = Pacer(speed: nil, now: { .now }, sleep: { _ in })

  /// Plays `speed` trace seconds a second, above 0; nil for no limit.
  ///
  /// Tests pass a clock and a sleep of their own.
  package init(
    speed: Double?, now: @escaping @Sendable () -> ContinuousClock.Instant,
    sleep: @escaping @Sendable (Duration) -> Void
  ) {
    self.speed = speed
    self.now = now
    self.sleep = sleep
  }

  /// Whether it ever waits.
  package var isLimited: Bool { speed != nil }

  /// How long to wait until `time` is due; nil when it is due now.
  ///
  /// The first time is due at once, and so is one more than ``longestStep`` from the one before.
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
