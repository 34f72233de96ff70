package import EventLog
internal import Geodesy
package import Session
internal import System
internal import Text
internal import Traces
package import Tracking

/// Plays recorded traces through the engine and writes the events.
///
/// Several traces are merged in the order of their times, so events of all devices come by the time of
/// decision. Devices do not depend on each other, so replay works in rounds: the next fixes are put in
/// order; all threads play them, each some of the devices, and meanwhile put the fixes behind them in
/// order and read ahead; then the entries are put in order. The bytes are the same on any number of threads.
package struct Replay {
  /// The time span to play, both ends included; nil for no bound.
  package var from: Timestamp? {
    get { merge.value.span.from }
    set { merge.value.span.from = newValue }
  }
  package var until: Timestamp? {
    get { merge.value.span.until }
    set { merge.value.span.until = newValue }
  }
  /// The speed.
  package var pace = Pacer.unlimited
  /// Called with a message for every error in a trace.
  package var warn: (String) -> Void = { _ in }
  /// Called from time to time with the progress.
  package var progress: (ReplayProgress) -> Void = { _ in }

  private let threads: Int
  private let shards: [ReplayShard]
  /// Takes what the traces report besides fixes; it has no device.
  private let reporter: ReplayShard
  private let streams: [TraceStream]
  private let merge: Held<ReplayMerge>
  /// What is played.
  private var round = ReplayMerge.Round()
  private var bytes: BytesRead
  private let log: ReplayLog

  /// The most fixes in a round.
  private static let longestRound = 1 << 14
  /// The fewest fixes that are read ahead of a trace.
  private static let leastAhead = 1 << 10
  /// Shards per thread, when there is more than one thread.
  private static let shardsPerThread = 4

  /// A value that a job changes on its thread while the others leave it alone.
  private final class Held<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Makes a replay of opened traces.
  ///
  /// - Parameters:
  ///   - threads: The number of threads, at least 1.
  ///   - placeNames: Names the places of stays; nil for no names.
  ///   - hindsight: Whether each event is decided with the fixes before and after it.
  ///   - anchors: Fences that the fixes place; none in hindsight.
  package init(
    feeds: [TraceFeed], rules: Rules, device: String?, kinds: Set<LogEntry.Kind>,
    output: EventLogFile, threads: Int = 1, placeNames: (any PlaceNamer)? = nil,
    hindsight: Bool = false, anchors: [AnchorPlan] = []
  ) {
    // A fence that one device places is a fence for all of them.
    let threads = anchors.isEmpty ? threads : 1
    self.threads = threads
    var session = Session(rules: rules, kinds: kinds, hindsight: hindsight)
    session.sources = feeds.map(\.path)
    session.binarySources = Set(feeds.indices.filter { feeds[$0].isBinary })
    reporter = ReplayShard(session)
    session.adopt(rules, anchors)
    session.names = placeNames
    let wantsSilences = session.wantsFixes || kinds.contains(.status)
    // A power of two.
    var shardBits = 0
    while threads > 1, 1 << shardBits < threads * Self.shardsPerThread { shardBits += 1 }
    shards = (0..<(1 << shardBits)).map { [session] _ in ReplayShard(session) }
    streams = feeds.enumerated().map { TraceStream(feed: $1, source: $0) }
    merge = Held(
      ReplayMerge(
        streams, device: device, shardBits: shardBits, clockJump: rules.gate.clockJump,
        reporter: reporter, wakes: wantsSilences))
    bytes = BytesRead(of: streams)
    log = ReplayLog(output, threads: threads)
  }

  /// Plays everything and returns the totals.
  ///
  /// - Throws: ``SessionError`` when a trace cannot be read or the events cannot be written; the
  ///   events before the error are written.
  package mutating func run() throws(SessionError) -> SessionTotals {
    if pace.isLimited { merge.value.wakes = true }
    // The first fixes are read.
    work(until: nil)
    var failure: SessionError?
    repeat {
      do throws(SessionError) {
        if pace.isLimited { try playNext() } else { try playRound() }
      } catch .output(.readerGone) {
        throw .output(.readerGone)
      } catch {
        failure = error
      }
      try collect()
    } while failure == nil && (merge.value.goesOn || merge.value.hasRound)
    try finish()
    try log.end()
    if let failure { throw failure }
    try log.close()
    return finalTotals()
  }

  /// The names of all devices that were played, in order.
  package var deviceNames: [String] { merge.value.deviceNames }

  // MARK: A round

  /// Finds the next fixes of the streams that were read.
  private mutating func fill() throws(SessionError) {
    defer { merge.value.takeMessages().forEach(warn) }
    // A pipe may be silent for long: write the events so far before waiting for it.
    try merge.value.fill { [log, warn] (messages) throws(SessionError) in
      messages.forEach(warn)
      try log.flush()
    }
  }

  private mutating func playRound() throws(SessionError) {
    var failure: SessionError?
    // What was gathered during the last round need not wait for a pipe.
    if !merge.value.mayWait || !merge.value.hasRound {
      do throws(SessionError) { try fill() } catch { failure = error }
    }
    if failure == nil { merge.value.gather(mostInRound) }
    // What was gathered before a failure is played.
    merge.value.addWaits()
    work(until: nil)
    if let failure = failure ?? round.failure { throw failure }
    progress(ReplayProgress(fixes: round.played, bytesRead: bytes.read, bytesTotal: bytes.total))
  }

  /// Waits for the next fix or deadline at the chosen speed, and plays only that.
  private mutating func playNext() throws(SessionError) {
    try fill()
    guard var end = merge.value.next else { return }
    var next: (wait: ReplayShard.Wait, shard: Int)?
    for (wait, shard) in merge.value.waits {
      guard let deadline = shards[shard].deadline(of: wait), wait.place(at: deadline) < end
      else { continue }
      end = wait.place(at: deadline)
      next = (wait, shard)
    }
    if merge.value.span.contains(end.due), let delay = pace.delay(until: end.due) {
      try log.settle(before: end.due)
      try log.flush()
      pace.wait(delay)
    }
    if let next { merge.value.add(next) } else { merge.value.gather(1) }
    end.step = .max
    work(until: end)
    if let failure = round.failure { throw failure }
  }

  /// Whether the next round is gathered while one is played.
  private var isAhead: Bool { threads > 1 && !pace.isLimited }

  /// How many fixes are read ahead of a trace: of few traces more, for longer rounds.
  private var enoughAhead: Int {
    isAhead ? max(Self.leastAhead, Self.longestRound / max(streams.count, 1)) : Self.leastAhead
  }

  /// Half of what is read ahead, so that the other half can be gathered before more is read.
  private var mostInRound: Int {
    isAhead ? min(Self.longestRound, enoughAhead * streams.count / 2) : Self.longestRound
  }

  /// Plays what was gathered, and the deadlines before `limit` or as far as all fixes are known.
  ///
  /// Meanwhile the entries of the round before are written, the next round is gathered, and the traces are
  /// read on.
  private mutating func work(until limit: ReplayEntries.Place?) {
    round = merge.value.take()
    round.give(to: shards)
    for shard in shards.indices { shards[shard].give(&merge.value.steps[shard]) }
    let (enough, most, isAhead) = (enoughAhead, mostInRound, isAhead)
    let feeds = round.used.map { streams[$0].feed }
    let (log, merge, shards, end) = (log, merge, shards, limit ?? round.end)
    defer {
      bytes.note(round.used, of: streams)
      merge.value.takeMessages().forEach(warn)
    }
    // The gathering takes from the feeds, so they wait for it. It is soon over, and taken before them.
    let gathered = Latch()
    let (writing, gathering) = (log.hasMore ? 1 : 0, isAhead ? 1 : 0)
    let first = writing + gathering
    // Long jobs first, so the threads finish at about the same time.
    Parallel.forEach(first + shards.count + feeds.count, threads: isAhead ? threads : 1) { job, _ in
      if job < writing {
        log.write()
      } else if job < first {
        merge.value.gather(most)
        gathered.open()
      } else if job < first + shards.count {
        shards[job - first].play(until: end)
      } else {
        if isAhead { gathered.pass() }
        let feed = feeds[job - first - shards.count]
        if feed.wantsReading(enough) { feed.readAhead(enough) }
      }
    }
  }

  /// Ends the recordings of all devices, in the order of their numbers.
  private mutating func finish() throws(SessionError) {
    // What the traces say behind their last fixes.
    if merge.value.hasRound { work(until: nil) } else { round = merge.value.take() }
    for (number, shard) in shards.enumerated() {
      shard.finish { device in
        ReplayEntries.Place(
          turn: .never, stream: .max, step: device << merge.value.shardBits | number, due: .never)
      }
    }
    try collect()
  }

  /// Passes the entries to the log; with several threads they are written during the next round.
  private mutating func collect() throws(SessionError) {
    let parts = [round.problems] + shards.map { $0.takeOutput() }
    round.problems.clear()
    try log.take(parts, until: round.end, instant: round.instant)
    if threads == 1 || pace.isLimited { log.write() }
  }

  // MARK: Numbers

  /// The file of an origin whose trace has several.
  private func located(_ origin: SessionTotals.Origin) -> SessionTotals.Origin {
    guard let feed = streams.first(where: { $0.feed.path == origin.path })?.feed else {
      return origin
    }
    let place = feed.place(ofLine: origin.line)
    return SessionTotals.Origin(path: place.path, line: place.line, isBinary: origin.isBinary)
  }

  private func finalTotals() -> SessionTotals {
    var totals = SessionTotals()
    var firstSteps: [Defect: Int] = [:]
    for shard in shards + [reporter] {
      let part = shard.finalTotals()
      totals.add(part)
      totals.notes += shard.takeAnchorMessages()
      for (defect, step) in shard.firstDefects where step < firstSteps[defect] ?? .max {
        firstSteps[defect] = step
        totals.firstDefects[defect] = part.firstDefects[defect].map(located)
      }
    }
    (totals.outsideSpan, totals.duplicates) = (merge.value.outside, merge.value.duplicateCount)
    totals.files = streams.reduce(0) { $0 + ($1.feed.isTrack ? $1.feed.fileCount : 0) }
    for (source, stream) in streams.enumerated() {
      if let rest = stream.feed.unreportedIssues {
        totals.issues += stream.feed.unreportedCount
        warn(rest)
      }
      totals.others += stream.feed.others
      totals.notes += stream.feed.remarks(late: totals.late[source] ?? 0)
        .map { "\(stream.feed.path): \($0)" }
    }
    // Of several inputs it is not known which one has the fixes at one time.
    let table = streams.count == 1 ? streams.first { $0.feed.isTableWithoutDevices } : nil
    totals.conclude(table: table?.feed.path)
    return totals
  }
}
