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
/// order; all threads play them, each some of the devices, and read ahead meanwhile; then the entries
/// are put in order. The bytes are the same on any number of threads.
package struct Replay {
  /// The time span to play, both ends included; nil for no bound.
  package var from: Timestamp? {
    get { span.from }
    set { span.from = newValue }
  }
  package var until: Timestamp? {
    get { span.until }
    set { span.until = newValue }
  }
  /// The speed.
  package var pace = Pacer.unlimited
  /// Called with a message for every error in a trace.
  package var warn: (String) -> Void = { _ in }
  /// Called from time to time with the progress.
  package var progress: (ReplayProgress) -> Void = { _ in }

  /// A value of its own, so reading it does not copy the replay.
  var span = TimeSpan()
  private let threads: Int
  let shards: [ReplayShard]
  var shardBits = 0
  /// The next fixes of each shard.
  var steps: [ReplayShard.Steps]
  var streams: [TraceStream]
  private var queue = StreamQueue()
  private var succession = StreamSuccession([])
  /// Streams whose next fix must be read first.
  private var dry: [Int] = []
  /// Streams whose fixes were used since the last read.
  private var used: Set<Int> = []
  private var bytes: BytesRead
  var names: DeviceNames
  /// The devices' numbers, which determine their shards.
  var devices: [ExactText: Int] = [:]
  private let log: ReplayLog
  /// The problems of the traces, for the log.
  var problems = ReplayEntries()
  /// What a recording says of anchors before the next fix of a stream.
  var commands: [Int: [AnchorChange]] = [:]
  let clockJump: Double
  /// Whether the log has entries between which an event in silence has its place.
  private let wantsSilences: Bool
  /// The number of fixes, of those outside the time span, and of those that several traces have.
  var played = 0
  private var outside = 0
  private var duplicates = DuplicateFilter()
  private var duplicateCount = 0
  /// When the last fix was due, and the number of that instant.
  var due = Timestamp.distantPast
  var instant = 0

  /// The most fixes in a round.
  private static let longestRound = 1 << 14
  /// The fewest points that are read ahead of a trace; of few traces more, for longer rounds.
  private static let leastAhead = 1 << 10
  /// Shards per thread, when there is more than one thread.
  private static let shardsPerThread = 4

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
    session.adopt(rules, anchors)
    session.names = placeNames
    session.sources = feeds.map(\.path)
    session.binarySources = Set(feeds.indices.filter { feeds[$0].isBinary })
    wantsSilences = session.wantsFixes || kinds.contains(.status)
    // A power of two.
    while threads > 1, 1 << shardBits < threads * Self.shardsPerThread { shardBits += 1 }
    shards = (0..<(1 << shardBits)).map { [session] _ in ReplayShard(session) }
    steps = Array(repeating: [], count: shards.count)
    streams = feeds.enumerated().map { TraceStream(feed: $1, source: $0) }
    bytes = BytesRead(of: streams)
    names = DeviceNames(given: device)
    clockJump = rules.gate.clockJump
    log = ReplayLog(output, threads: threads)
  }

  /// Plays everything and returns the totals.
  ///
  /// - Throws: ``SessionError`` when a trace cannot be read or the events cannot be written; the
  ///   events before the error are written.
  package mutating func run() throws(SessionError) -> SessionTotals {
    wakes = streams.count > 1 || pace.isLimited || wantsSilences
    (dry, used) = (Array(streams.indices), Set(streams.indices))
    work(until: end)
    var failure: SessionError?
    repeat {
      do throws(SessionError) {
        try fill()
        if wakes, played == 0 { succession = StreamSuccession(streams) }
        if pace.isLimited { try playNext() } else { try playRound() }
      } catch .output(.readerGone) {
        throw .output(.readerGone)
      } catch {
        failure = error
      }
      try collect()
    } while failure == nil && (queue.first != nil || !dry.isEmpty)
    try finish()
    try log.end()
    if let failure { throw failure }
    try log.close()
    return finalTotals()
  }

  /// Whether events that come due in silence are collected before a device's next fix is played.
  ///
  /// With a single trace the fix reports them itself, unless the log also contains the fix, which
  /// comes after them.
  private(set) var wakes = false {
    didSet { for shard in shards { shard.keepsDeadlines = wakes } }
  }

  /// The names of all devices that were played, in order.
  package var deviceNames: [String] { devices.keys.sorted().map(\.text) }

  // MARK: What comes next

  /// Finds the next fix of each stream in ``dry``.
  private mutating func fill() throws(SessionError) {
    var done = 0
    // Together: there may be thousands.
    defer { dry.removeFirst(done) }
    while done < dry.count {
      let index = dry[done]
      // A pipe may be silent for long: write the events so far before waiting for it.
      if streams[index].mayWait { try log.flush() }
      if let turn = try schedule(index) { queue.add(index, at: turn) }
      done += 1
    }
  }

  /// The turn of a stream's next fix, which its feed must give first; nil at the end.
  private mutating func schedule(_ index: Int) throws(SessionError) -> Timestamp? {
    used.insert(index)
    let (turn, reached) = (streams[index].turn, streams[index].reached)
    do throws(TraceError) {
      let goesOn = try streams[index].refill(clockJump: clockJump, names: &names)
      if streams[index].isShared, !wakes { wakes = true }
      report(of: index, turn, reached, until: goesOn ? streams[index].turn : nil)
      if !goesOn { succession.end(index) }
      return goesOn ? streams[index].turn : nil
    } catch {
      report(of: index, turn, reached, until: nil)
      throw .trace(error)
    }
  }

  /// Whether the entries of a stream are in order as they come: those of one device alone, or of a recording
  /// that has the order of its sources.
  func isSettled(_ index: Int) -> Bool { streams[index].isShared || isAlone }

  /// Whether all inputs are of one device, whose entries are in order.
  private var isAlone: Bool { streams.count == 1 && streams[0].hasOneDevice }

  /// Gives the next fixes to the shards, until there are many or the next one is unknown.
  private mutating func gather(_ most: Int) throws(SessionError) {
    let last = played + most
    while played < last, let index = queue.first?.stream {
      let stream = streams[index]
      var turn: Timestamp?
      repeat {
        deal(stream.head, of: index)
        turn = stream.advance(clockJump: clockJump)
      } while played < last && turn.map(queue.staysFirst) ?? false
      if let turn {
        queue.moveFirst(to: turn)
      } else if stream.isDry {
        dry.append(index)
        return queue.moveFirst(to: nil)
      } else {
        queue.moveFirst(to: try schedule(index))
      }
    }
  }

  /// Gives the next fix of a stream to the shard of its device.
  private mutating func deal(_ head: TraceStream.Head, of index: Int) {
    if head.due != due {
      due = head.due
      instant += 1
    }
    played += 1
    if head.quietDevice == nil { succession.begin(index) }
    guard span.contains(head.point.fix.time) else { return outside += 1 }
    let quiet = head.quietDevice ?? sharedDevice(of: index)
    let number = head.quietDevice ?? number(ofDeviceIn: index)
    if streams.count > 1, isDuplicate(head, number, of: index) { return duplicateCount += 1 }
    giveCommands(of: index)
    let step = ReplayShard.Step(
      source: index, device: number >> shardBits, wakes: wakes && quiet != nil, place: head.place,
      due: head.due, number: played, instant: instant, isSettled: head.isShared || isAlone)
    steps[number & (shards.count - 1)].append((head.point, step))
  }

  /// Whether another stream had the next fix of a stream.
  private mutating func isDuplicate(
    _ head: TraceStream.Head, _ device: Int, of index: Int
  ) -> Bool {
    duplicates.isDuplicate(
      head.point.fix.time, head.point.fix.coordinate, of: device, from: index, at: head.turn)
  }

  /// The device of a stream's first fix, when another stream had it and all of this one are its fixes:
  /// so it is known how long it is silent.
  private func sharedDevice(of index: Int) -> Int? {
    streams[index].next.device == nil ? devices[ExactText(streams[index].owner)] : nil
  }

  /// The number of the device of a stream's next fix, which is new to the stream.
  private mutating func number(ofDeviceIn index: Int) -> Int {
    let name = ExactText(streams[index].owner)
    var number = devices.count
    if let known = devices[name] {
      number = known
    } else {
      devices[name] = number
      _ = shards[number & (shards.count - 1)].index(of: name.text)
    }
    streams[index].note(device: number)
    return number
  }

  // MARK: A round

  private mutating func playRound() throws(SessionError) {
    var failure: SessionError?
    do throws(SessionError) { try gather(Self.longestRound) } catch { failure = error }
    for (wait, shard) in waits { shards[shard].add(wait) }
    work(until: end)
    if let failure { throw failure }
    progress(ReplayProgress(fixes: played, bytesRead: bytes.read, bytesTotal: bytes.total))
  }

  /// Waits for the next fix or deadline at the chosen speed, and plays only that.
  private mutating func playNext() throws(SessionError) {
    guard let (turn, index) = queue.first.map({ ($0.time, $0.stream) }) else { return }
    var end = ReplayEntries.Place(turn: turn, stream: index, step: .min, due: streams[index].due)
    var next: (wait: ReplayShard.Wait, shard: Int)?
    for (wait, shard) in waits {
      guard let deadline = shards[shard].deadline(of: wait), wait.place(at: deadline) < end
      else { continue }
      end = wait.place(at: deadline)
      next = (wait, shard)
    }
    if span.contains(end.due), let delay = pace.delay(until: end.due) {
      try log.settle(before: end.due)
      try log.flush()
      pace.wait(delay)
    }
    var failure: SessionError?
    if let next {
      shards[next.shard].add(next.wait)
    } else {
      do throws(SessionError) { try gather(1) } catch { failure = error }
    }
    end.step = .max
    work(until: end)
    if let failure { throw failure }
  }

  /// Plays the fixes of the shards and the deadlines before `end`; meanwhile reads ahead, and writes
  /// the entries of the round before.
  private mutating func work(until end: ReplayEntries.Place) {
    for shard in shards.indices { shards[shard].give(&steps[shard]) }
    let (read, shards) = (used.sorted(), shards)
    let enough = max(Self.leastAhead, Self.longestRound / 2 / max(streams.count, 1))
    let feeds = read.map { streams[$0].feed }.filter { $0.wantsReading(enough) }
    used.removeAll(keepingCapacity: true)
    defer { bytes.note(read, of: streams) }
    let (log, first) = (log, log.hasMore ? 1 : 0)
    let (count, threads) = (first + shards.count + feeds.count, pace.isLimited ? 1 : threads)
    // Long jobs first, so the threads finish at about the same time.
    Parallel.forEach(count, threads: threads) { job, _ in
      if job < first {
        log.write()
      } else if job < first + shards.count {
        shards[job - first].play(until: end)
      } else {
        feeds[job - first - shards.count].readAhead(enough)
      }
    }
  }

  /// The place up to which all fixes are known.
  private var end: ReplayEntries.Place {
    var end = ReplayEntries.Place(turn: .never, stream: .max, step: .min, due: .never)
    if let first = queue.first { (end.turn, end.stream) = (first.time, first.stream) }
    for index in dry where (streams[index].turn, index) < (end.turn, end.stream) {
      (end.turn, end.stream) = (streams[index].turn, index)
    }
    return end
  }

  /// The devices that may have events before their next fix, with their shards.
  private var waits: [(ReplayShard.Wait, Int)] {
    guard wakes else { return [] }
    // Not of all streams: there may be thousands that have not begun.
    let playing = succession.playing.compactMap { index in
      streams[index].isUsedUp ? nil : wait(of: index, streams[index].quietDevice)
    }
    return playing + succession.next.compactMap { wait(of: $0, sharedDevice(of: $0)) }
  }

  /// What a stream's next fix, which is known, makes its device wait for; nil when nothing is known of
  /// the device's silence.
  private func wait(of index: Int, _ device: Int?) -> (ReplayShard.Wait, Int)? {
    guard let device, span.contains(streams[index].nextTime)
    else { return nil }
    // What a command changes is not known before it.
    let due = commands[index]?.first?.time.map { min($0, streams[index].due) }
    let wait = ReplayShard.Wait(
      device: device >> shardBits, source: index, place: streams[index].place,
      due: due ?? streams[index].due, step: played + 1, isSettled: isSettled(index))
    return (wait, device & (shards.count - 1))
  }

  /// Ends the recordings of all devices, in the order of their numbers.
  private mutating func finish() throws(SessionError) {
    // What the traces say behind their last fixes.
    if steps.contains(where: { !$0.isEmpty }) { work(until: end) }
    for (number, shard) in shards.enumerated() {
      shard.finish { device in
        ReplayEntries.Place(
          turn: .never, stream: .max, step: device << shardBits | number, due: .never)
      }
    }
    try collect()
  }

  /// Passes the entries to the log; with several threads they are written during the next round.
  private mutating func collect() throws(SessionError) {
    let parts = [problems] + shards.map { $0.takeOutput() }
    problems.clear()
    try log.take(parts, until: end, instant: instant)
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
    for shard in shards {
      let part = shard.finalTotals()
      totals.add(part)
      totals.notes += shard.takeAnchorMessages()
      for (defect, step) in shard.firstDefects where step < firstSteps[defect] ?? .max {
        firstSteps[defect] = step
        totals.firstDefects[defect] = part.firstDefects[defect].map(located)
      }
    }
    totals.outsideSpan = outside
    totals.duplicates = duplicateCount
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
