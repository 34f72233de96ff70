package import Tracking

/// How fast a recording is played: as fast as it goes, or at a multiple of its own time.
package struct Pace: Sendable {
  private let speed: Double?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let sleep: @Sendable (Duration) -> Void
  private var start: (trace: Timestamp, wall: ContinuousClock.Instant)?

  /// As fast as it goes.
  package static let unlimited = Pace(speed: nil, now: { .now }, sleep: { _ in })

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

  /// How long to wait until `time` is due; the first time asked about is due at once.
  package mutating func delay(until time: Timestamp) -> Duration? {
    guard let speed else { return nil }
    guard let start else {
      start = (time, now())
      return nil
    }
    let due = start.wall + .seconds(time.seconds(since: start.trace) / speed)
    let delay = now().duration(to: due)
    return delay > .zero ? delay : nil
  }

  /// Waits.
  package func wait(_ delay: Duration) {
    sleep(delay)
  }
}
