internal import GPSD
internal import Receivers
internal import Session
internal import System
internal import Traces
internal import Tracking

/// Reads a receiver behind gpsd until it is stopped; it reconnects when the connection is lost.
struct ReceiverReader {
  private let session: SourceSession
  private let deadline: @Sendable () -> Timestamp?
  private let sink: @Sendable (SourceSignal) -> Void
  private let client: GPSDClient
  private var deadlineCheck: DeadlineCheck
  private var report: LinkMessages
  private var decoder: ReceiverLogDecoder
  private var batch = TraceBatch()
  /// The receiver's time, right or wrong, and the last that was right.
  private var dates = TraceClock()
  private var lastTime: Timestamp?
  /// The last deadline that was passed on; it has no effect a second time.
  private var lastDeadline: Timestamp?
  /// Whether gpsd is connected; nil before the first attempt.
  private var isConnected: Bool?
  private var issueCount = 0

  /// Creates a reader, which does not connect yet.
  init(
    _ address: GPSDAddress, session: SourceSession, deadline: @escaping @Sendable () -> Timestamp?,
    sink: @escaping @Sendable (SourceSignal) -> Void
  ) {
    self.session = session
    self.deadline = deadline
    self.sink = sink
    let options = LinkOptions()
    client = GPSDClient(address, options: options)
    deadlineCheck = DeadlineCheck(options)
    report = LinkMessages(address)
    decoder = ReceiverLogDecoder(reader: LibgpsReader.orSwift().reader, allowsSimulated: true)
  }

  /// Reads until it is stopped; `clock` continues from an earlier session.
  mutating func read(_ clock: inout LiveClock) {
    let now = ContinuousClock.now
    let start = clock.time(at: now) ?? Timestamp.ofSystem
    clock.hear(start, at: now)
    sink(.began(at: start))
    var poller = Poller()
    while !session.isStopped {
      poller.removeAll()
      let source = client.join(&poller)
      let wake = session.join(&poller)
      poller.wait(until: wakeUp(clock))
      if !poller.ready(wake).isEmpty {
        session.clear()
        if !session.isStopped, let time = clock.time(at: .now) { sink(.clock(time)) }
      }
      if !session.isStopped { turn(poller.ready(source), &clock) }
    }
    client.close()
  }

  private func wakeUp(_ clock: LiveClock) -> ContinuousClock.Instant? {
    let times = [client.deadline, deadlineCheck.deadline(due(clock))]
    return times.compactMap(\.self).min()
  }

  private mutating func turn(_ ready: Poller.Readiness, _ clock: inout LiveClock) {
    let now = ContinuousClock.now
    client.turn(now: now, ready: ready) { event in
      // A recipient may have stopped the source.
      if !session.isStopped { take(event, &clock, at: now) }
    }
    guard !session.isStopped else { return }
    switch deadlineCheck.step(due: due(clock), at: now) {
    case .wait: break
    case .query: client.query(now: now)
    case .advance: passDeadline(clock, at: now)
    }
  }

  private mutating func take(
    _ event: LinkEvent, _ clock: inout LiveClock, at now: ContinuousClock.Instant
  ) {
    switch event {
    case .status(let status): take(status, at: now)
    case .bytes(let bytes): take(bytes, &clock, at: now)
    case .answered:
      deadlineCheck.takeAnswer()
      passDeadline(clock, at: now)
    case .ended: break
    }
  }

  private mutating func take(_ status: LinkStatus, at now: ContinuousClock.Instant) {
    deadlineCheck.take(status)
    switch status {
    case .connected:
      if isConnected != true { sink(.status(.reporting)) }
      isConnected = true
    case .lost(let loss, _):
      if isConnected != false { sink(.status(.unavailable("\(client.address): \(loss)"))) }
      isConnected = false
    case .silent, .notice:
      if let line = report.line(for: status, at: now) {
        sink(.warning("\(client.address): \(line)"))
      }
    case .connecting, .reporting: break
    }
  }

  // MARK: Reports

  private mutating func take(
    _ bytes: ArraySlice<UInt8>, _ clock: inout LiveClock, at now: ContinuousClock.Instant
  ) {
    batch.removeAll()
    _ = decoder.decode(bytes.span, isFinal: false, into: &batch)
    var points = batch.points[...]
    for (before, mark) in batch.marks {
      pass(points[..<before], &clock, at: now)
      points = points[before...]
      switch mark {
      case .issue(let issue): report(issue)
      case .heading(let heading): pass(heading, clock, at: now)
      default: break
      }
    }
    pass(points, &clock, at: now)
  }

  private mutating func pass(
    _ points: ArraySlice<TracePoint>, _ clock: inout LiveClock, at now: ContinuousClock.Instant
  ) {
    for point in points where !session.isStopped {
      hear(point.fix, &clock, at: now)
      sink(.fix(point.fix, .receiver))
    }
  }

  /// Passes a heading on; one without a time is of now, by the receiver's clock.
  private func pass(
    _ heading: Heading, _ clock: LiveClock, at now: ContinuousClock.Instant
  ) {
    guard !session.isStopped else { return }
    var heading = heading
    heading.time = heading.time ?? clock.time(at: now)
    sink(.heading(heading))
  }

  /// Sets the clock by a fix, unless its clock jumped or its time is not new.
  private mutating func hear(
    _ fix: Fix, _ clock: inout LiveClock, at now: ContinuousClock.Instant
  ) {
    dates.note(fix, clockJump: Pacer.longestStep)
    guard let time = fix.time, dates.due == time else { return }
    if let lastTime, 0...Pacer.longestStep ~= lastTime.seconds(since: time) { return }
    lastTime = time
    clock.hear(time, at: now)
  }

  private mutating func report(_ issue: TraceIssue) {
    issueCount += 1
    // Every line of a stream may be invalid.
    guard issueCount <= TraceFeed.reportedIssues else { return }
    sink(.warning(issue.described(in: client.address.description)))
    if issueCount == TraceFeed.reportedIssues {
      sink(.warning("\(client.address): further errors are not reported"))
    }
  }

  // MARK: Time

  /// When the next deadline has certainly passed.
  private func due(_ clock: LiveClock) -> ContinuousClock.Instant? {
    guard let deadline = deadline(), deadline != lastDeadline else { return nil }
    return clock.due(deadline)
  }

  private mutating func passDeadline(_ clock: LiveClock, at now: ContinuousClock.Instant) {
    guard let deadline = deadline(), deadline != lastDeadline, let due = clock.due(deadline),
      now >= due
    else { return }
    lastDeadline = deadline
    sink(.time(deadline))
  }
}
