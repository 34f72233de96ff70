package import EventLog
package import Explaining
package import Receivers
package import Session
internal import Traces
package import Tracking

/// The engine on a live stream, without I/O: bytes of the source go in; log entries, and the engine's
/// inputs for a journal, come out.
///
/// The output depends only on the bytes, however they are split, so a recording replays to the same
/// events.
package struct LiveSession {
  /// The name of the device.
  package let device: String
  /// The entries until ``takeEntries()``.
  private var entries: [LogEntry] = []
  /// The warnings about the stream until ``takeWarnings()``.
  private var warnings: [String] = []
  /// Gets every input before the engine processes it.
  private let store: StateStore?
  /// The number of the device in the store.
  private let number: Int
  private var session: Session
  private var decoder: ReceiverLogDecoder
  private var batch = TraceBatch()
  private var clock = TraceClock()
  private var issueCount = 0
  private var others = TraceFeed.Others()
  private let index: Int
  /// The last fix that the engine used.
  private(set) var lastFix: Fix?
  /// How the receiver found it.
  private(set) var lastSolution = SolutionKind.plain
  /// The positions since the last ``removeTrail()`` that the engine used, for those who show them.
  private(set) var trail: [Fix] = []
  /// Whether they are kept.
  var keepsTrail = false
  /// Positions without a time, in a row.
  private(set) var timeless = 0
  /// Estimates the current time from the times of the fixes.
  private var time = LiveClock()
  /// What happened to the anchors until ``takeAnchorMessages()``.
  private(set) var anchorMessages: [String] = []
  private var drift = DriftMonitor()
  /// Explains the events; nil when nobody asks.
  private var recorder: ReasonRecorder?
  /// The reasons until ``takeReasons()``.
  private var reasons: [Explanation] = []
  /// The events since the last fix, which are explained with the next.
  private var unexplained: [EventID] = []

  /// Makes a session that emits entries of `kinds`; ``resume(from:)`` continues from the state of a store.
  init(
    rules: Rules, kinds: Set<LogEntry.Kind>, device: String, source: String,
    decoder: ReceiverLogDecoder = ReceiverLogDecoder(), store: StateStore? = nil,
    number: Int = 0, explains: Bool = false
  ) {
    self.device = device
    self.store = store
    self.number = number
    recorder = explains ? ReasonRecorder(device: device) : nil
    self.decoder = decoder
    // Each of them has a session of its own.
    self.decoder.keepsShipsApart = true
    session = Session(rules: rules, kinds: kinds, watchesUse: true)
    session.sources = [source]
    index = session.index(of: device)
  }

  /// Where the device reports.
  var source: String {
    get { session.sources[0] }
    set { session.sources[0] = newValue }
  }

  /// The last state of the receiver.
  package var receiver: ReceiverState { decoder.state }

  /// The name that the device gives itself, as a ship does; nil when it gave none.
  var title: String?

  /// Names the places of stays; nil for none.
  package var names: (any PlaceNamer)? {
    get { session.names }
    set { session.names = newValue }
  }

  /// The rules, with the fences that fixes have placed.
  package var rules: Rules { session.rules }

  /// Takes rules, and plans of fences that fixes place; an unchanged fence keeps its state.
  package mutating func adopt(_ rules: Rules, _ anchors: [AnchorPlan] = []) {
    session.adopt(rules, anchors)
    forgetReasons()
  }

  /// The fixes so far were judged by other rules.
  private mutating func forgetReasons() {
    recorder = recorder.map { _ in ReasonRecorder(device: device) }
  }

  /// The fences that fixes place; nil without any.
  var anchors: AnchorWatch? { session.anchors }

  /// The anchors, and where the device is.
  var anchorDrifts: [AnchorDrift] {
    session.anchors.map { drift.drifts($0, of: lastFix?.coordinate) } ?? []
  }

  /// Removes and returns what happened to the anchors, in words.
  mutating func takeAnchorMessages() -> [String] {
    defer { anchorMessages.removeAll() }
    return anchorMessages
  }

  /// The positions since the last fix that the engine did not use.
  var ignored: IgnoredFixes { session.ignored(of: index) }

  /// Why positions are not used, in words; nil while they are.
  var ignoringReason: String? {
    receiver.simulated > 0 ? SolutionKind.refusal : ignored.reason
  }

  /// The status of a device that sends its positions itself, by what became of them.
  var ownStatus: SourceStatus {
    if timeless >= StatusMonitor.timelessLimit { return .noTime }
    if let reason = ignoringReason { return .ignoring(reason) }
    return timeless > 0 && lastFix == nil ? .connected : .fix
  }

  /// The engine's time by the system's clock; nil before the first fix.
  func time(at now: ContinuousClock.Instant) -> Timestamp? { time.time(at: now) }

  /// When the last fix came that the engine used; nil before the first.
  var lastHeard: ContinuousClock.Instant? { time.lastHeard }

  /// The engine, for a checkpoint.
  var tracker: Tracker { session.tracker(of: index) }

  /// Resumes from a checkpoint, under its rules.
  mutating func resume(from tracker: Tracker, _ anchors: AnchorWatch? = nil) {
    _ = session.resume(device, from: tracker)
    session.resume(anchors)
  }

  /// Processes an input that came after the checkpoint; its entries follow with ``takeEntries()``.
  mutating func replay(_ record: JournalRecord) {
    switch record {
    case .fix(let fix, let line): take(fix, line: line)
    case .time(let time): take(time)
    case .issue(let issue, let time): take(issue, at: time)
    case .status(let change): take(change)
    case .anchor(let command): take(command)
    case .rules(let new): adopt(new.rules, new.anchors)
    case .written, .stored, .device, .appeared: break
    }
    reasons.removeAll()
    anchorMessages.removeAll()
  }

  /// Processes bytes of the stream: complete lines, or the rest of the stream when `isFinal`.
  package mutating func receive(
    _ bytes: ArraySlice<UInt8>, at now: ContinuousClock.Instant, isFinal: Bool = false
  ) {
    batch.removeAll()
    _ = decoder.decode(bytes.span, isFinal: isFinal, into: &batch)
    var marks = batch.marks[...]
    for (place, point) in batch.points.enumerated() {
      while let next = marks.first, next.before <= place {
        note(next.mark)
        marks.removeFirst()
      }
      hear(point, at: now)
    }
    for next in marks { note(next.mark) }
    store?.commit()
  }

  /// Processes a position of the device that another source has heard.
  ///
  /// - Parameter line: The line of that source.
  mutating func receive(_ fix: Fix, line: Int, at now: ContinuousClock.Instant) {
    hear(TracePoint(fix: fix, line: line), at: now)
    store?.commit()
  }

  private mutating func hear(_ point: TracePoint, at now: ContinuousClock.Instant) {
    let fix = point.fix
    store?.add(.fix(fix, line: point.line), of: number)
    timeless = fix.time == nil ? timeless + 1 : 0
    guard take(fix, line: point.line), let heard = fix.time else { return }
    time.hear(heard, at: now)
    guard !isRejected else { return }
    if keepsTrail, lastFix?.time != heard { trail.append(fix) }
    (lastFix, lastSolution) = (fix, point.solution)
    if let anchors = session.anchors { drift.note(fix, anchors) }
  }

  /// Whether the engine refused the last position, which may have the time of the one before.
  private var isRejected: Bool {
    switch session.lastDefect(of: index) {
    case .sameTime, .coarse, .invalid, .withoutPosition, .timeless, .outOfOrder: true
    case nil, .duplicate, .teleport, .clockJump: false
    }
  }

  /// Forgets the positions that were shown.
  mutating func removeTrail() { trail.removeAll() }

  /// Removes and returns what ships reported to the device's gpsd since the last call.
  mutating func takeShipReports() -> [ShipReport] { decoder.takeShipReports() }

  /// Advances the engine past a due deadline; call it only when no report of gpsd can still be on its way.
  ///
  /// - Returns: The deadline; nil when none is due.
  @discardableResult
  package mutating func advance(at now: ContinuousClock.Instant) -> Timestamp? {
    guard let deadline = session.nextDeadline(of: index), let due = time.due(deadline), now >= due
    else { return nil }
    store?.add(.time(deadline), of: number)
    store?.commit()
    take(deadline)
    return deadline
  }

  /// The time of the next event without a fix; nil when only a fix can cause one.
  package func nextDeadline() -> ContinuousClock.Instant? {
    session.nextDeadline(of: index).flatMap { time.due($0) }
  }

  /// Removes and returns the entries since the last call.
  package mutating func takeEntries() -> [LogEntry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  /// Removes and returns why events were reported, since the last call.
  ///
  /// What came due in a silence is explained with the next fix. There are none unless the session explains.
  package mutating func takeReasons() -> [Explanation] {
    defer { reasons.removeAll() }
    return reasons
  }

  /// Removes and returns the warnings since the last call.
  package mutating func takeWarnings() -> [String] {
    defer { warnings.removeAll(keepingCapacity: true) }
    return warnings
  }

  /// The totals of the run.
  package func totals() -> SessionTotals {
    var totals = session.finalTotals()
    totals.others = others
    totals.issues += max(0, issueCount - TraceFeed.reportedIssues)
    return totals
  }

  /// Processes a fix, after the deadlines before it; returns whether the last fix that was used has its time.
  @discardableResult
  private mutating func take(_ fix: Fix, line: Int) -> Bool {
    clock.note(fix, clockJump: rules.gate.clockJump)
    while let deadline = session.nextDeadline(of: index), deadline < clock.due {
      take(deadline)
    }
    process(.fix(fix, device: index, source: 0, line: line))
    recorder?.add(fix, eventCount: unexplained.count)
    if let recorder, !unexplained.isEmpty {
      reasons += recorder.reasons(of: unexplained)
      unexplained.removeAll()
    }
    return fix.time != nil && session.lastTime(of: index) == fix.time
  }

  private mutating func take(_ deadline: Timestamp) {
    process(.time(deadline, device: index))
  }

  /// Gives the engine a fix or a time.
  private mutating func process(_ input: Input) {
    guard recorder != nil else {
      session.take(input, into: &entries)
      return noteAnchors()
    }
    let tracker = session.tracker(of: index)
    _ = recorder?.prepare(tracker)
    let known = entries.count
    session.take(input, into: &entries)
    unexplained += entries[known...].filter(\.isEvent).compactMap(\.id)
    noteAnchors()
  }

  private mutating func noteAnchors() {
    guard session.anchors != nil else { return }
    let messages = session.takeAnchorMessages()
    guard !messages.isEmpty else { return }
    anchorMessages += messages
    forgetReasons()
  }

  private mutating func take(_ command: AnchorChange) {
    process(.anchor(command, device: index))
  }

  private mutating func take(_ issue: TraceIssue, at time: Timestamp?) {
    session.take(.issue(issue, device: device, time: time, source: 0), into: &entries)
  }

  private mutating func take(_ change: SourceChange) {
    session.take(.status(change, device: device), into: &entries)
  }

  private mutating func note(_ mark: TraceMark) {
    if case .status(let change) = mark {
      store?.add(.status(change), of: number)
      return take(change)
    }
    if case .anchor(let command) = mark {
      store?.add(.anchor(command), of: number)
      return take(command)
    }
    guard case .issue(let issue) = mark else { return others.count(mark) }
    issueCount += 1
    // The same limit as for a recording, for the same log: every line of a stream may be invalid.
    guard issueCount <= TraceFeed.reportedIssues else { return }
    warnings.append(issue.described(in: session.sources[0]))
    store?.add(.issue(issue, time: clock.reached), of: number)
    take(issue, at: clock.reached)
  }
}
