package import Session
internal import System
package import Traces
package import Tracking

/// Plays recorded traces through a session and writes what they say.
///
/// Several traces are merged in the order of their times, so that events come by the time of
/// decision across devices too. What a device says does not depend on the others, so that it goes in
/// rounds: the next fixes are put in order; all threads play them, each some of the devices, and read
/// on meanwhile; then what was said is put in order. The bytes are the same on any number of threads.
package struct Replay {
  /// The fixes to play: from this time to that, both included; nil for no bound.
  package var from: Timestamp? {
    get { span.from }
    set { span.from = newValue }
  }
  package var until: Timestamp? {
    get { span.until }
    set { span.until = newValue }
  }
  /// How fast.
  package var pace = Pacer.unlimited
  /// Is told of every fault in a trace, in words.
  package var warn: (String) -> Void = { _ in }
  /// Is told from time to time how far the run is.
  package var progress: (ReplayProgress) -> Void = { _ in }

  /// A value of its own, so that a question to it does not copy the replay.
  private var span = TimeSpan()
  private let threads: Int
  private let shards: [ReplayShard]
  private var shardBits = 0
  /// What is to be played by each shard.
  private var steps: [ReplayShard.Steps]
  private var streams: [TraceStream]
  private var queue = StreamQueue()
  /// Streams of which more must be read to know what comes next.
  private var dry: [Int] = []
  /// Those of which something was used up since they were read last.
  private var used: Set<Int> = []
  private var names: DeviceNames
  /// The devices' numbers; they are dealt out to the shards.
  private var devices: [String: Int] = [:]
  private let log: ReplayLog
  /// What is wrong with the traces, as far as the log tells it.
  private var problems = ReplayEntries()
  private let leap: Double
  private let wantsFixes: Bool
  /// How many fixes came, and how many of them were left out.
  private var played = 0
  private var outside = 0
  /// When the last one was due, and the number of that instant.
  private var due = Timestamp.distantPast
  private var instant = 0

  /// Most fixes of a round.
  private static let longestRound = 1 << 14
  /// Shards a thread, when there is more than one thread.
  private static let shardsPerThread = 4

  /// Makes a replay of opened traces.
  ///
  /// - Parameters:
  ///   - threads: How many threads work, at least 1.
  ///   - placeNames: Names the places of stays; nil for none.
  package init(
    feeds: [TraceFeed], rules: Rules, device: String?, kinds: Set<LogEntry.Kind>,
    output: EventLogFile, threads: Int = 1, placeNames: (any PlaceNamer)? = nil
  ) {
    self.threads = threads
    var session = Session(rules: rules, kinds: kinds)
    session.names = placeNames
    session.sources = feeds.map(\.path)
    wantsFixes = session.wantsFixes
    // A power of two.
    while threads > 1, 1 << shardBits < threads * Self.shardsPerThread { shardBits += 1 }
    shards = (0..<(1 << shardBits)).map { [session] _ in ReplayShard(session) }
    steps = Array(repeating: [], count: shards.count)
    streams = feeds.enumerated().map { TraceStream(feed: $1, source: $0) }
    names = DeviceNames(given: device)
    leap = rules.gate.clockJump
    log = ReplayLog(output, threads: threads)
  }

  /// Plays everything and gives the numbers.
  ///
  /// - Throws: ``SessionError`` when a trace cannot be read on or the events cannot be written;
  ///   what came before is written.
  package mutating func run() throws(SessionError) -> SessionTotals {
    wakes = streams.count > 1 || pace.isLimited || wantsFixes
    for shard in shards { shard.keepsDeadlines = wakes }
    (dry, used) = (Array(streams.indices), Set(streams.indices))
    work(until: end)
    var failure: SessionError?
    repeat {
      do throws(SessionError) {
        try fill()
        if pace.isLimited { try playNext() } else { try playRound() }
      } catch .output(.readerGone) {
        throw .output(.readerGone)
      } catch {
        failure = error
      }
      try collect()
    } while failure == nil && (queue.first != nil || !dry.isEmpty)
    try log.settle()
    try log.flush()
    if let failure { throw failure }
    try log.close()
    return finalTotals()
  }

  /// Whether a device is asked what came due in silence before its next fix is played.
  ///
  /// Alone, a fix says that first by itself; unless the fix itself is to be told, which comes behind
  /// it.
  private var wakes = false

  // MARK: What comes next

  /// Finds out what comes next in the streams that were read.
  private mutating func fill() throws(SessionError) {
    while let index = dry.first {
      // A pipe may keep silent for long: whoever waits for events gets those that there are.
      if streams[index].mayWait { try log.flush() }
      if let turn = try schedule(index) { queue.add(index, at: turn) }
      dry.removeFirst()
    }
  }

  /// When it is the turn of a stream's next fix, of which it must ask its feed; nil at its end.
  private mutating func schedule(_ index: Int) throws(SessionError) -> Timestamp? {
    used.insert(index)
    let (turn, reached) = (streams[index].turn, streams[index].reached)
    do throws(TraceError) {
      let goesOn = try streams[index].refill(leap: leap, names: &names)
      reportIssues(of: index, turn, reached)
      return goesOn ? streams[index].turn : nil
    } catch {
      reportIssues(of: index, turn, reached)
      throw .trace(error)
    }
  }

  /// Tells of the faults between the fix at `time`, or at that turn, and the next one.
  private mutating func reportIssues(of index: Int, _ turn: Timestamp, _ time: Timestamp?) {
    let feed = streams[index].feed
    for issue in feed.takeIssues() {
      warn(issue.described(in: feed.path))
      let device = streams[index].name ?? names.fallback(for: feed)
      shards[0].take(
        .issue(issue, device: device, time: time, source: index), into: &problems.entries)
    }
    problems.place(
      at: ReplayEntries.Place(
        turn: turn, stream: index, step: played + 1, due: due, instant: instant,
        isSettled: isAlone))
  }

  /// Whether all inputs are of one device, whose entries are in order.
  private var isAlone: Bool { streams.count == 1 && streams[0].hasOneDevice }

  /// Deals out the next fixes, until there are many or it is not known what comes next.
  private mutating func gather(_ most: Int) throws(SessionError) {
    let last = played + most
    while played < last, let index = queue.first?.stream {
      repeat {
        deal(index)
      } while streams[index].advance(leap: leap) && played < last
        && queue.staysFirst(at: streams[index].turn)
      if !streams[index].isUsedUp {
        queue.moveFirst(to: streams[index].turn)
      } else if streams[index].isDry {
        dry.append(index)
        return queue.moveFirst(to: nil)
      } else {
        queue.moveFirst(to: try schedule(index))
      }
    }
  }

  /// Gives the next fix of a stream to the shard of its device.
  private mutating func deal(_ index: Int) {
    let due = streams[index].due
    if due != self.due {
      self.due = due
      instant += 1
    }
    played += 1
    guard span.contains(streams[index].nextTime) else { return outside += 1 }
    let known = streams[index].quietDevice
    let number = known ?? number(ofDeviceIn: index)
    let step = ReplayShard.Step(
      source: index, device: number >> shardBits, wakes: wakes && known != nil,
      place: streams[index].place, due: due, number: played, instant: instant,
      isSettled: isAlone)
    steps[number & (shards.count - 1)].append((streams[index].next, step))
  }

  /// The number of the device of a stream's next fix, of which the stream had none before.
  private mutating func number(ofDeviceIn index: Int) -> Int {
    let name = streams[index].owner
    var number = devices.count
    if let known = devices[name] {
      number = known
    } else {
      devices[name] = number
      _ = shards[number & (shards.count - 1)].index(of: name)
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
    progress(currentProgress)
  }

  /// Waits for what comes next, in the time of the traces, and plays that alone.
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

  /// Plays what was dealt out, and what comes due in silence before `end`; reads on meanwhile, and
  /// writes what was said before.
  private mutating func work(until end: ReplayEntries.Place) {
    for shard in shards.indices { shards[shard].give(&steps[shard]) }
    let (feeds, shards) = (used.sorted().map { streams[$0].feed }.filter(\.wantsReading), shards)
    used.removeAll(keepingCapacity: true)
    let (log, first) = (log, log.hasMore ? 1 : 0)
    let (count, threads) = (first + shards.count + feeds.count, pace.isLimited ? 1 : threads)
    // What takes long first, so that the threads are done at about the same time.
    Parallel.forEach(count, threads: threads) { job, _ in
      if job < first {
        log.write()
      } else if job < first + shards.count {
        shards[job - first].play(until: end)
      } else {
        feeds[job - first - shards.count].readAhead()
      }
    }
  }

  /// The place up to which it is known what comes.
  private var end: ReplayEntries.Place {
    var end = ReplayEntries.Place(turn: .never, stream: .max, step: .min, due: .never)
    if let first = queue.first { (end.turn, end.stream) = (first.time, first.stream) }
    for index in dry where (streams[index].turn, index) < (end.turn, end.stream) {
      (end.turn, end.stream) = (streams[index].turn, index)
    }
    return end
  }

  /// The devices that may have something to say before their next fix, with their shards.
  private var waits: [(ReplayShard.Wait, Int)] {
    guard wakes else { return [] }
    return streams.indices.compactMap { index in
      let stream = streams[index]
      guard !stream.isUsedUp, let number = stream.quietDevice, span.contains(stream.nextTime)
      else { return nil }
      let wait = ReplayShard.Wait(
        device: number >> shardBits, source: index, place: stream.place, due: stream.due,
        step: played + 1, isSettled: isAlone)
      return (wait, number & (shards.count - 1))
    }
  }

  /// Hands on what was said; several threads write it while they play on.
  private mutating func collect() throws(SessionError) {
    let parts = [problems] + shards.map { $0.takeOutput() }
    problems.clear()
    try log.take(parts, until: end, instant: instant)
    if threads == 1 || pace.isLimited { log.write() }
  }

  // MARK: Numbers

  private var currentProgress: ReplayProgress {
    var (read, total) = (0, 0 as Int?)
    for stream in streams {
      let progress = stream.feed.progress
      read += progress.read
      total = total.flatMap { sum in progress.total.map { sum + $0 } }
    }
    return ReplayProgress(fixes: played, bytesRead: read, bytesTotal: total)
  }

  private func finalTotals() -> SessionTotals {
    var totals = SessionTotals()
    var firstSteps: [Defect: Int] = [:]
    for shard in shards {
      let part = shard.finalTotals()
      totals.add(part)
      for (defect, step) in shard.firstDefects where step < firstSteps[defect] ?? .max {
        firstSteps[defect] = step
        totals.firstDefects[defect] = part.firstDefects[defect]
      }
    }
    totals.outsideSpan = outside
    totals.files = streams.count
    for stream in streams {
      if let rest = stream.feed.unreportedIssues {
        totals.issues += stream.feed.issueCount - TraceFeed.reportedIssues
        warn(rest)
      }
      totals.others += stream.feed.others
      if !stream.feed.unreadColumns.isEmpty {
        let names = stream.feed.unreadColumns.joined(separator: ", ")
        totals.unreadColumns.append("\(stream.feed.path): columns that are not read: \(names)")
      }
    }
    return totals
  }
}

/// How far a replay is.
package struct ReplayProgress: Sendable {
  /// Fixes played so far.
  package var fixes: Int
  /// Bytes read, as they lie on disk.
  package var bytesRead: Int
  /// Bytes to read; nil when a pipe is among the inputs.
  package var bytesTotal: Int?
}
