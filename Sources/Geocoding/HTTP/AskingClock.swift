package import Foundation

/// The time as who asks a server needs it; tests have one that does not run by itself.
package struct AskingClock: Sendable {
  /// Time since any fixed instant, for what lies between requests.
  package var now: @Sendable () -> Duration
  /// The time of day.
  package var date: @Sendable () -> Date
  /// Waits; throws when the task was cancelled first.
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.date = date
    self.sleep = sleep
  }

  /// That of the system; it goes on while the machine sleeps.
  package static let system: AskingClock = {
    let clock = ContinuousClock()
    let start = clock.now
    return AskingClock(
      now: { start.duration(to: clock.now) }, date: { Date() },
      sleep: { try await clock.sleep(for: $0) })
  }()
}
