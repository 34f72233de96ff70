package import Session
package import Traces
package import Tracking

/// Plays the fixes of one device of a trace.
///
/// The device is the first that the trace names; fixes of others are skipped, which is reported at the
/// end. It can stop at any fix and continue there.
package struct TracePlayer {
  private let feed: TraceFeed
  private var clock = TraceClock()
  /// The signals before the next fix.
  private var signals: ArraySlice<SourceSignal> = []
  private var next: TracePoint?
  private var isOver = false
  /// The last deadline that was passed on; it has no effect a second time.
  private var lastDeadline: Timestamp?
  /// The device played, by its number in the trace.
  private var device: Int32?
  private var otherDevices: Set<Int32> = []
  private var skipped = 0
  private var played = 0

  /// Opens a trace and recognises its format.
  ///
  /// - Throws: ``TraceError``, one line that begins with the path.
  package init(path: String) throws(TraceError) {
    feed = try TraceFeed(path: path)
  }

  /// Plays the trace, or the rest of it, on this thread; at its end sends ``SourceStatus/ended``.
  ///
  /// With a limited pace, a deadline is passed on at its time unless a fix comes before it; without a
  /// limit, the fixes alone advance the time. `deadline` and `isStopped` are called again after every
  /// wait, so a wait may end early.
  ///
  /// - Throws: ``TraceError`` when the trace cannot be read; it is over then.
  package mutating func play(
    pace: Pacer, isStopped: () -> Bool = { false }, deadline: () -> Timestamp?,
    sink: (SourceSignal) -> Void
  ) throws(TraceError) {
    var pace = pace
    while !isStopped() {
      guard try prepare() else { continue }
      if signals.isEmpty, next != nil {
        let early = pace.isLimited ? deadline().flatMap { $0 == lastDeadline ? nil : $0 } : nil
        let due = min(early ?? clock.due, clock.due)
        if let delay = pace.delay(until: due) {
          pace.wait(delay)
          continue
        }
        if due < clock.due {
          lastDeadline = due
          sink(.time(due))
          continue
        }
      }
      guard let signal = take() else { return sink(.status(.ended)) }
      sink(signal)
    }
  }

  /// The next signal, without a wait; nil at the end.
  ///
  /// - Throws: ``TraceError`` when the trace cannot be read; it is over then.
  package mutating func nextSignal() throws(TraceError) -> SourceSignal? {
    while try !prepare() {}
    return take()
  }

  /// The prepared signal; nil at the end.
  private mutating func take() -> SourceSignal? {
    if let signal = signals.popFirst() { return signal }
    guard let point = next else { return nil }
    next = nil
    feed.take()
    played += 1
    return .fix(point.fix, .simulation)
  }

  /// Prepares the next signal; false when it takes one more step.
  private mutating func prepare() throws(TraceError) -> Bool {
    guard next == nil, signals.isEmpty, !isOver else { return true }
    let point: TracePoint?
    do throws(TraceError) {
      point = try feed.peek()
    } catch {
      isOver = true
      throw error
    }
    signals += feed.takeIssues().map { .warning($0.described(in: feed.path)) }
    guard let point else {
      isOver = true
      signals += closingWarnings.map { .warning($0) }
      return true
    }
    guard isPlayed(point) else {
      feed.take()
      skipped += 1
      return !signals.isEmpty
    }
    clock.note(point.fix, clockJump: Pacer.longestStep)
    next = point
    return true
  }

  /// Whether a fix is of the device played; a fix without a device is.
  private mutating func isPlayed(_ point: TracePoint) -> Bool {
    guard let found = point.device else { return true }
    let followed = device ?? found
    device = followed
    if found != followed { otherDevices.insert(found) }
    return found == followed
  }

  private var closingWarnings: [String] {
    var warnings: [String] = []
    if let rest = feed.unreportedIssues { warnings.append(rest) }
    if skipped > 0, let device {
      let names = otherDevices.count == 1 ? "one other device" : "\(otherDevices.count) others"
      warnings.append(
        "\(feed.path): played the fixes of '\(feed.devices[Int(device)])', the first device, and "
          + "skipped \(skipped) of \(names); to play another one, use a trace of it alone")
    }
    if played == 0 {
      let others = feed.others
      warnings.append(
        "\(feed.path): found no fixes, expected a track (\(others.waypoints) waypoints and "
          + "\(others.routePoints) points of routes are not played)")
    }
    return warnings
  }
}
