package import Tracking
package import Traces

/// Plays recorded traces through a session and writes what they say.
///
/// Several traces are merged in the order of their times, so that events come by the time of
/// decision across devices too. What a device says does not depend on the others.
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
  package var pace = Pace.unlimited
  /// Is told of every fault in a trace, in words.
  package var warn: (String) -> Void = { _ in }
  /// Is told from time to time how far the run is.
  package var progress: (ReplayProgress) -> Void = { _ in }

  /// A value of its own, so that a question to it does not copy the replay.
  private var span = TimeSpan()
  private var session: Session
  private var streams: [Stream]
  private var timeline = Timeline()
  private var deviceNames: DeviceNames
  private var output: EventOutput
  private let leap: Double
  private var entries: [LogEntry] = []
  /// When the last step was due, and how many entries come from steps before that instant: those
  /// of one instant are put in order when all of them are there.
  private var reached = Timestamp(nanoseconds: .min)
  private var settled = 0
  private var played = 0

  /// Names the places of stays; nil for none.
  package var names: (any PlaceNames)? {
    get { session.names }
    set { session.names = newValue }
  }

  /// Makes a replay of opened traces.
  package init(
    feeds: [TraceFeed], rules: Rules, device: String?, kinds: Set<LogEntry.Kind>,
    output: EventOutput
  ) {
    session = Session(rules: rules, kinds: kinds)
    session.sources = feeds.map(\.path)
    streams = feeds.enumerated().map { Stream(feed: $1, source: $0) }
    deviceNames = DeviceNames(given: device)
    leap = rules.gate.clockJump
    self.output = output
  }

  /// Plays everything and gives the numbers.
  ///
  /// - Throws: ``SessionError`` when a trace cannot be read on or the events cannot be written;
  ///   what came before is written.
  package mutating func run() throws(SessionError) -> Tally {
    do {
      try play()
    } catch .readerGone {
      throw .readerGone
    } catch {
      settle()
      try write(finally: true)
      throw error
    }
    settle()
    try write(finally: true)
    try output.close()
    return finalTally()
  }

  private mutating func play() throws(SessionError) {
    for index in streams.indices {
      if let due = try next(of: index) { timeline.add(index, at: due) }
    }
    while let (index, due) = timeline.first {
      if due != reached {
        settle()
        reached = due
      }
      if span.contains(due), let delay = pace.delay(until: due) {
        try write(finally: true)
        pace.wait(delay)
      }
      step(index, due)
      // One device says things in order, as they would come live: nothing that is still to come
      // goes before them.
      if streams.count == 1, streams[index].hasOneDevice { settled = entries.count }
      if settled >= 256 { try write(finally: false) }
      timeline.moveFirst(to: try next(of: index))
    }
  }

  /// When the stream's next input is due: a fix, or what its device says in silence before it.
  private mutating func next(of index: Int) throws(SessionError) -> Timestamp? {
    let reached = streams[index].reached
    // A pipe may keep silent for long: whoever waits for events gets those that there are.
    if streams[index].feed.mayWait { try write(finally: true) }
    do throws(TraceError) {
      let goesOn = try streams[index].schedule(leap: leap, names: &deviceNames)
      reportIssues(of: index, after: reached)
      if streams.count == 1, streams[index].hasOneDevice { settled = entries.count }
      guard goesOn else { return nil }
    } catch {
      throw .trace(error)
    }
    let due = streams[index].due
    // Alone, a stream needs no wake-ups, as each fix says first what came due before it; unless the
    // fix itself is to be told, which comes behind that. A fix that is not played is no sign of how
    // long its device was silent.
    guard streams.count > 1 || pace.isLimited || session.wantsFixes,
      span.contains(streams[index].next?.fix.time)
    else {
      return due
    }
    guard let device = streams[index].quietDevice, let deadline = session.nextDeadline(of: device)
    else { return due }
    return min(due, deadline)
  }

  private mutating func step(_ index: Int, _ due: Timestamp) {
    if due < streams[index].due, let device = streams[index].quietDevice {
      session.take(.time(due, device: device), into: &entries)
      return
    }
    guard let point = streams[index].next else { return }
    streams[index].feed.take()
    played += 1
    if played % 4_096 == 0 { reportProgress() }
    guard span.contains(point.fix.time) else {
      session.countOutsideSpan()
      return
    }
    guard let device = streams[index].device(in: &session) else { return }
    session.take(
      .fix(point.fix, device: device, source: index, line: point.line), into: &entries)
  }

  /// Tells of the faults between the fix at `time` and the next one.
  private mutating func reportIssues(of index: Int, after time: Timestamp?) {
    for issue in streams[index].feed.takeIssues() {
      let feed = streams[index].feed
      warn(issue.described(in: feed.path))
      let device = streams[index].name ?? deviceNames.fallback(for: feed)
      session.take(
        .issue(issue, device: device, time: time, source: index), into: &entries)
    }
  }

  /// Puts the entries of the instant that is over in order: by decision, then by occurrence.
  private mutating func settle() {
    if entries.count - settled > 1 {
      let group = entries[settled...].enumerated().sorted { a, b in
        (a.element.decided ?? .distantPast, a.element.time ?? .distantPast, a.offset)
          < (b.element.decided ?? .distantPast, b.element.time ?? .distantPast, b.offset)
      }
      entries.replaceSubrange(settled..., with: group.map(\.element))
    }
    settled = entries.count
  }

  /// Hands the entries on that are in order; `finally` also empties the writer's buffer.
  private mutating func write(finally: Bool) throws(SessionError) {
    try output.write(entries[..<settled])
    entries.removeSubrange(..<settled)
    settled = 0
    if finally { try output.flush() }
  }

  private func reportProgress() {
    var (read, total) = (0, 0 as Int?)
    for stream in streams {
      let progress = stream.feed.progress
      read += progress.read
      total = total.flatMap { sum in progress.total.map { sum + $0 } }
    }
    progress(ReplayProgress(fixes: played, bytesRead: read, bytesTotal: total))
  }

  private func finalTally() -> Tally {
    var tally = session.finalTally()
    tally.files = streams.count
    for stream in streams {
      if let rest = stream.feed.untoldIssues {
        tally.issues += stream.feed.issueCount - TraceFeed.toldIssues
        warn(rest)
      }
      tally.others += stream.feed.others
      if !stream.feed.unreadColumns.isEmpty {
        let names = stream.feed.unreadColumns.joined(separator: ", ")
        tally.unreadColumns.append("\(stream.feed.path): columns that are not read: \(names)")
      }
    }
    return tally
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
