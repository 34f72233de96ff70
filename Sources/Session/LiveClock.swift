package import Tracking

/// Engine time on a live stream while no fix comes: it follows the system's clock from the last fix.
package struct LiveClock: Sendable {
  /// An instant of engine time and when it was.
  private var mark: (time: Timestamp, heard: ContinuousClock.Instant)?

  /// The longest delay of a fix, seconds, when gpsd holds none back: receivers take up to a second to
  /// compute a solution and to send it at 4,800 baud.
  package static let delay = 2.0

  /// A clock that is stopped until the first call of ``hear(_:at:)``.
  package init() {}

  /// When the last report came; nil before the first.
  package var lastHeard: ContinuousClock.Instant? { mark?.heard }

  /// Sets engine time to `time` at `now`.
  package mutating func hear(_ time: Timestamp, at now: ContinuousClock.Instant) {
    mark = (time, now)
  }

  /// Engine time at `now`; nil before the first report.
  package func time(at now: ContinuousClock.Instant) -> Timestamp? {
    mark.map { $0.time.advanced(bySeconds: (now - $0.heard) / .seconds(1)) }
  }

  /// When a deadline of the engine has passed for certain; nil before the first report.
  package func due(_ deadline: Timestamp) -> ContinuousClock.Instant? {
    mark.map { $0.heard + .seconds(deadline.seconds(since: $0.time) + Self.delay) }
  }
}
