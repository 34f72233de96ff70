package import Tracking

/// What was saved last, to decide whether to save again.
package struct SavedState: Sendable {
  private var registrations = Registrations()
  private var grant = Authorization()
  private var time: Timestamp?

  /// Engine time after which the last location is saved without another change, seconds.
  private static let interval = 60.0

  package init() {}

  package init(of core: ServiceCore) {
    registrations = core.registrations
    grant = core.grant
    time = core.now
  }

  /// Whether a client changed something since.
  package func isChanged(in core: ServiceCore) -> Bool {
    var (before, now) = (registrations, core.registrations)
    (before.lastFix, now.lastFix) = (nil, nil)
    return before != now || grant != core.grant
  }

  /// Whether it is old in the engine's time, which starts over with a recording.
  package func isOld(at now: Timestamp?) -> Bool {
    guard let now else { return false }
    return time.map { abs(now.seconds(since: $0)) >= Self.interval } ?? true
  }
}
