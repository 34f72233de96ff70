package import Session
package import Traces
package import Tracking

/// The engine on a live stream, without any I/O: bytes of the source go in, entries of the event log
/// come out, and so do the engine's inputs for a journal.
///
/// What comes out depends on the bytes alone, however they were cut, so that a recording of them
/// replays as the same events.
package struct LiveSession {
  /// The name of the device.
  package let device: String
  /// What there is to say, until ``takeEntries()``.
  private var entries: [LogEntry] = []
  /// What was wrong with the stream, in words, until ``takeWarnings()``.
  private var warnings: [String] = []
  /// Is given every input before it is taken.
  private let store: StateStore?
  private var session: Session
  private var decoder: ReceiverLogDecoder
  private var batch = TraceBatch()
  private var clock = TraceClock()
  private var issueCount = 0
  private var others = TraceFeed.Others()
  private let index: Int
  /// The last fix that the engine used.
  private(set) var lastFix: Fix?
  /// Its time, which goes on.
  private var time = LiveClock()

  /// Makes a session that gives entries of `kinds`; ``resume()`` continues from what `store` saved.
  init(
    rules: Rules, kinds: Set<LogEntry.Kind>, device: String, source: String,
    decoder: ReceiverLogDecoder = ReceiverLogDecoder(), store: StateStore? = nil
  ) {
    self.device = device
    self.store = store
    self.decoder = decoder
    session = Session(rules: rules, kinds: kinds)
    session.sources = [source]
    index = session.index(of: device)
  }

  /// What the receiver said last.
  package var receiver: ReceiverState { decoder.state }

  /// Names the places of stays; nil for none.
  package var names: (any PlaceNamer)? {
    get { session.names }
    set { session.names = newValue }
  }

  /// What is watched; a fence that stays as it is keeps its state.
  package var rules: Rules {
    get { session.rules }
    set { session.rules = newValue }
  }

  /// The engine, for a checkpoint.
  var tracker: Tracker { session.tracker(of: index) }

  /// Goes on where a checkpoint and the inputs after it lead to, under the rules of the checkpoint.
  ///
  /// - Returns: what the inputs said, of which some is out already: how many entries of it were
  ///   known to be written.
  mutating func resume(_ kept: StateStore.Kept) -> (entries: [LogEntry], written: Int) {
    _ = session.resume(device, from: kept.state.tracker)
    var written = 0
    for record in kept.inputs {
      switch record {
      case .fix(let fix, let line): take(fix, line: line)
      case .time(let time): session.take(.time(time, device: index), into: &entries)
      case .issue(let issue, let time): take(issue, at: time)
      case .written(let count): written = count
      }
    }
    return (takeEntries(), written)
  }

  /// Takes bytes of the stream: whole lines, or all that is left of it when `isFinal`.
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
      store?.add(.fix(point.fix, line: point.line))
      guard take(point.fix, line: point.line) else { continue }
      lastFix = point.fix
      if let heard = point.fix.time { time.hear(heard, at: now) }
    }
    for next in marks { note(next.mark) }
    store?.commit()
  }

  /// Time passes without a fix, and nothing that was said by gpsd is still under way: says what is
  /// true by now.
  package mutating func letTimePass(at now: ContinuousClock.Instant) {
    guard let deadline = session.nextDeadline(of: index), let due = time.due(deadline), now >= due
    else { return }
    store?.add(.time(deadline))
    store?.commit()
    session.take(.time(deadline, device: index), into: &entries)
  }

  /// When time that passed would say something; nil when only a fix can.
  package func nextDeadline() -> ContinuousClock.Instant? {
    session.nextDeadline(of: index).flatMap { time.due($0) }
  }

  /// What is to be said since this was asked last.
  package mutating func takeEntries() -> [LogEntry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  /// What was found wrong with the stream since this was asked last.
  package mutating func takeWarnings() -> [String] {
    defer { warnings.removeAll(keepingCapacity: true) }
    return warnings
  }

  /// The numbers of the run.
  package func totals() -> SessionTotals {
    var totals = session.finalTotals()
    totals.others = others
    totals.issues += max(0, issueCount - TraceFeed.reportedIssues)
    return totals
  }

  /// Whether the engine used the fix; what came due in the silence before it is said first.
  @discardableResult
  private mutating func take(_ fix: Fix, line: Int) -> Bool {
    clock.note(fix, leap: rules.gate.clockJump)
    while let deadline = session.nextDeadline(of: index), deadline < clock.due {
      session.take(.time(deadline, device: index), into: &entries)
    }
    session.take(.fix(fix, device: index, source: 0, line: line), into: &entries)
    return session.lastTime(of: index) == fix.time
  }

  private mutating func take(_ issue: TraceIssue, at time: Timestamp?) {
    session.take(.issue(issue, device: device, time: time, source: 0), into: &entries)
  }

  private mutating func note(_ mark: TraceMark) {
    guard case .issue(let issue) = mark else { return others.count(mark) }
    issueCount += 1
    // As many are told as of a recording, for the same log; a stream may be wrong in every line.
    guard issueCount <= TraceFeed.reportedIssues else { return }
    warnings.append(issue.described(in: session.sources[0]))
    store?.add(.issue(issue, time: clock.reached))
    take(issue, at: clock.reached)
  }
}
