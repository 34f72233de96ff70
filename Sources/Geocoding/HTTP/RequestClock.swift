package import Foundation

/// The clock of requests to a server; tests have one that they move.
package struct RequestClock: Sendable {
  /// Time since any fixed instant, for intervals.
  package var now: @Sendable () -> Duration
  /// The time of day.
  package var date: @Sendable () -> Date
  /// Waits; throws if the task is cancelled first.
  package var sleep: @Sendable (Duration) async throws -> Void

  /// Makes a clock of these functions.
  package init(
    now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.date = date
    self.sleep = sleep
  }

  /// The clock of the system; it advances while the machine sleeps.
  package static let system: RequestClock = {
    let clock = ContinuousClock()
    let start = clock.now
    return RequestClock(
      now: { start.duration(to: clock.now) }, date: { Date() },
      sleep: { try await clock.sleep(for: $0) })
  }()
}
