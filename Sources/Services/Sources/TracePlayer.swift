internal import Formats
package import Session
internal import Text
package import Traces
package import Tracking

/// Plays the fixes of one device of a recording.
///
/// The device is the first that a trace names, unless another one is wanted; fixes of others are skipped,
/// which is reported at the end. Headings come with the fixes, each at its time. It can stop at any fix
/// and continue there.
package struct TracePlayer {
  private let path: String
  /// The traces that are not over yet.
  private var feeds: [TraceFeed] = []
  private var clock = TraceClock()
  /// The signals before the next fix.
  private var signals: ArraySlice<SourceSignal> = []
  private var next: Fix?
  private var isOver = false
  /// The last deadline that was passed on; it has no effect a second time.
  private var lastDeadline: Timestamp?
  /// The device that is wanted, and the one that is played; nil until its first fix.
  private let wanted: String?
  private var device: ExactText?
  private var otherDevices: Set<ExactText> = []
  private var skipped = 0
  private var played = 0
  private var others = TraceFeed.Others()
  private var droppedHeadings = 0
  /// Gives the time for the first fix; nil for recorded times.
  private let startTime: (() -> Timestamp)?
  /// What is added to recorded times, nanoseconds.
  private var shift: Int64?

  /// Opens a recording and recognises its format.
  ///
  /// A folder or an archive stands for the traces in it, which are played in the order of their times.
  /// - Parameters:
  ///   - device: The device to play; nil for the first.
  ///   - startTime: Gives the time for the first fix; nil for recorded times.
  /// - Throws: `TraceError`, one line that begins with the path.
  package init(
    path: String, device: String? = nil, startTime: (() -> Timestamp)? = nil
  ) throws(TraceError) {
    self.path = path
    wanted = device
    self.startTime = startTime
    var remarks: [SourceSignal] = []
    // As those of a receiver: a program may be tested with a simulator.
    var options = ReadingOptions()
    options.allowsSimulated = true
    feeds = try TraceFeed.open([path], options: options, remark: { remarks.append(.warning($0)) })
    signals += remarks
    for feed in feeds { feed.keepsHeadings = true }
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
      if let due {
        let early = pace.isLimited ? deadline().flatMap { $0 == lastDeadline ? nil : $0 } : nil
        let first = min(early ?? due, due)
        if let delay = pace.delay(until: first) {
          pace.wait(delay)
          continue
        }
        if first < due {
          lastDeadline = first
          sink(.time(first))
          continue
        }
      }
      guard let signal = take() else { return sink(.status(.ended)) }
      sink(signal)
    }
  }

  /// When the prepared signal is due; nil for at once.
  private var due: Timestamp? {
    guard let signal = signals.first else { return next == nil ? nil : clock.due }
    guard case .heading(let heading) = signal, let time = heading.time else { return nil }
    if next != nil { return min(time, clock.due) }
    // Behind the last fix a wrong time must not hold the end up.
    return time.seconds(since: clock.due) <= Pacer.longestStep ? time : nil
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
    guard let fix = next else { return nil }
    next = nil
    played += 1
    return .fix(fix, .simulation)
  }

  /// Prepares the next signal; false when it takes one more step.
  private mutating func prepare() throws(TraceError) -> Bool {
    guard next == nil, signals.isEmpty, !isOver else { return true }
    do throws(TraceError) {
      guard let (feed, point) = try nextPoint() else {
        isOver = true
        signals += closingWarnings.map { .warning($0) }
        return true
      }
      feed.take()
      guard isPlayed(point.device.map { feed.devices[Int($0)] }, of: feed) else {
        skipped += 1
        return !signals.isEmpty
      }
      let fix = shifted(point.fix)
      clock.note(fix, clockJump: Pacer.longestStep)
      next = fix
      addHeadings(of: feed, until: fix.time)
      return true
    } catch {
      isOver = true
      throw error
    }
  }

  /// The earliest of the next fixes, and its trace; nil at the end of all traces.
  private mutating func nextPoint() throws(TraceError) -> (TraceFeed, TracePoint)? {
    var first: (feed: TraceFeed, point: TracePoint)?
    for feed in feeds {
      let point = try feed.peek()
      signals += feed.takeIssues().map { .warning($0.described(in: feed.path)) }
      guard let point else {
        close(feed)
        continue
      }
      // A fix without a time belongs to the one before it.
      if first == nil || Self.time(point) < Self.time(first?.point) { first = (feed, point) }
    }
    return first
  }

  private static func time(_ point: TracePoint?) -> Timestamp { point?.fix.time ?? .distantPast }

  private mutating func close(_ feed: TraceFeed) {
    feeds.removeAll { $0 === feed }
    addHeadings(of: feed, until: clock.reached)
    droppedHeadings += feed.droppedHeadings + feed.takeHeadings().count
    if let rest = feed.unreportedIssues { signals.append(.warning(rest)) }
    others += feed.others
  }

  /// Whether a fix is of the device played; a fix without a device is.
  private mutating func isPlayed(_ found: String?, of feed: TraceFeed) -> Bool {
    guard let found else { return true }
    let wanted = wanted ?? found
    if device == nil, found == wanted {
      // Of the names that are read so far: the trace is played while it is read.
      let index = ExactText.firstIndex(of: wanted, in: feed.devices)
      device = index.map { ExactText(feed.devices[$0]) }
    }
    guard !isDevice(found) else { return true }
    otherDevices.insert(ExactText(found))
    return false
  }

  /// Whether a name is that of the device played.
  private func isDevice(_ name: String) -> Bool {
    device.map { $0 == ExactText(name) } ?? (name == wanted)
  }

  /// Adds the headings of a trace before its next fix, which has this time.
  ///
  /// While the shift of the times is not known they wait in the feed.
  private mutating func addHeadings(of feed: TraceFeed, until time: Timestamp?) {
    guard startTime == nil || shift != nil else { return }
    for (heading, index) in feed.takeHeadings() {
      guard index.map({ isDevice(feed.devices[Int($0)]) }) ?? true else { continue }
      var heading = heading
      heading.time = heading.time.map { moved($0) } ?? time
      signals.append(.heading(heading))
    }
  }

  /// A recorded time when it is played.
  private func moved(_ time: Timestamp) -> Timestamp {
    // A time that the shift leads out of range is wrong, and stays as it is.
    let (moved, isTooLarge) = time.nanoseconds.addingReportingOverflow(shift ?? 0)
    return isTooLarge ? time : Timestamp(nanoseconds: moved)
  }

  /// The fix at the time at which it is played, if recorded times are not wanted.
  private mutating func shifted(_ fix: Fix) -> Fix {
    guard let startTime, let time = fix.time else { return fix }
    shift = shift ?? startTime().nanoseconds(since: time)
    var fix = fix
    fix.time = moved(time)
    return fix
  }

  private var closingWarnings: [String] {
    var warnings: [String] = []
    if droppedHeadings > 0 {
      warnings.append(
        "\(path): left out \(droppedHeadings) headings, because no fix with a time came with them")
    }
    let names = otherDevices.sorted().prefix(3).map(\.text).joined(separator: ", ")
    if let wanted, played == 0, skipped > 0 {
      warnings.append("\(path): found no fixes of '\(wanted)'; it has \(names)")
    } else if skipped > 0, let device = device?.text ?? wanted {
      let rest = otherDevices.count == 1 ? "one other device" : "\(otherDevices.count) others"
      let which = wanted == nil ? ", the first device," : ""
      warnings.append(
        "\(path): played the fixes of '\(device)'\(which) and skipped \(skipped) of \(rest) "
          + "(\(names)); to play another one, add ?device=NAME")
    } else if played == 0 {
      warnings.append(
        "\(path): found no fixes, expected a track (\(others.waypoints) waypoints and "
          + "\(others.routePoints) points of routes are not played)")
    }
    return warnings
  }
}
