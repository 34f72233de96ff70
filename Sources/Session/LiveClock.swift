package import Tracking

/// Engine time on a live stream while no fix comes: it goes on as fast as the clock, from the last
/// fix on.
package struct LiveClock: Sendable {
  /// An instant of engine time and when it was.
  private var mark: (time: Timestamp, heard: ContinuousClock.Instant)?

  /// Fixes reach the engine by so many seconds late at most, when gpsd is known to hold none back:
  /// receivers take up to a second for a solution and to say it at 4,800 baud.
  package static let delay = 2.0

  /// A clock that stands until something is heard.
  package init() {}

  /// When the last word came; nil before the first.
  package var lastHeard: ContinuousClock.Instant? { mark?.heard }

  /// Takes note that it was `time` at `now`.
  package mutating func hear(_ time: Timestamp, at now: ContinuousClock.Instant) {
    mark = (time, now)
  }

  /// Engine time at `now`; nil before anything was heard.
  package func time(at now: ContinuousClock.Instant) -> Timestamp? {
    mark.map { $0.time.advanced(bySeconds: (now - $0.heard) / .seconds(1)) }
  }

  /// When a deadline of the engine has come for certain, nil before anything was heard.
  package func due(_ deadline: Timestamp) -> ContinuousClock.Instant? {
    mark.map { $0.heard + .seconds(deadline.seconds(since: $0.time) + Self.delay) }
  }
}
