internal import EventLog
internal import Session
internal import Text
internal import Traces
internal import Tracking

/// The fixes of several traces in the order in which they are due, dealt out to the shards of their devices.
///
/// Of each trace the next fix must be known; when it must be read first, the trace is dry.
struct ReplayMerge {
  /// What the shards play, besides their fixes, and how far that is.
  struct Round {
    /// New devices and their shards.
    fileprivate var devices: [(name: String, shard: Int)] = []
    /// What recordings say of anchors, and before which step.
    fileprivate var commands: [(changes: [AnchorChange], step: Int)] = []
    /// The devices that may have events before their next fix, with their shards.
    fileprivate var waits: [(wait: ReplayShard.Wait, shard: Int)] = []
    /// The problems of the traces, for the log.
    var problems = ReplayEntries()
    /// Whether each shard keeps its devices' deadlines.
    fileprivate var keepsDeadlines = false
    /// Why no more fixes are known.
    fileprivate(set) var failure: SessionError?
    /// The place up to which all fixes are known.
    fileprivate(set) var end = ReplayEntries.Place.end
    /// The number of the last instant.
    fileprivate(set) var instant = 0
    /// The number of fixes by then.
    fileprivate(set) var played = 0
    /// Streams that gave fixes or ended.
    fileprivate(set) var used: [Int] = []

    /// Gives the shards all but the fixes.
    func give(to shards: [ReplayShard]) {
      for shard in shards { shard.keepsDeadlines = keepsDeadlines }
      for (name, shard) in devices { shards[shard].index(of: name) }
      for (changes, step) in commands { shards[0].add(changes, before: step) }
      for (wait, shard) in waits { shards[shard].add(wait) }
    }
  }

  /// The time span to play.
  var span = TimeSpan()
  let streams: [TraceStream]
  let shardBits: Int
  let clockJump: Double
  /// Whether events that come due in silence are collected before a device's next fix is played.
  ///
  /// With a single trace the fix reports them itself, unless the log also contains the fix, which
  /// comes after them.
  var wakes: Bool
  /// The next fixes of each shard.
  var steps: [ReplayShard.Steps]
  var names: DeviceNames
  /// The devices' numbers, which determine their shards.
  private(set) var devices: [ExactText: Int] = [:]
  /// What a recording says of anchors before the next fix of a stream.
  var commands: [Int: [AnchorChange]] = [:]
  /// Takes what the traces report; no device.
  let reporter: ReplayShard
  /// What the shards play next.
  var round = Round()
  /// What is wrong with the traces, for the user.
  var messages: [String] = []
  /// The number of fixes in that round.
  private var dealt = 0
  /// Whether a trace cannot be read on, so nothing behind it is played.
  private var hasFailed = false
  /// The number of fixes, of those outside the time span, and of those that several traces have.
  var played = 0
  private(set) var outside = 0
  private(set) var duplicateCount = 0
  /// When the last fix was due, and the number of that instant.
  private(set) var due = Timestamp.distantPast
  private(set) var instant = 0

  private var queue = StreamQueue()
  private var succession = StreamSuccession([])
  private var duplicates = DuplicateFilter()
  /// Streams whose next fix must be read first.
  private var dry: [Int]
  /// Streams whose fixes were used since the last round.
  private var used: Set<Int>

  /// - Parameters:
  ///   - reporter: A shard of its own, which takes what the traces report.
  ///   - wakes: Whether events in silence are collected even of a single trace.
  init(
    _ streams: [TraceStream], device: String?, shardBits: Int, clockJump: Double,
    reporter: ReplayShard, wakes: Bool
  ) {
    steps = Array(repeating: [], count: 1 << shardBits)
    names = DeviceNames(given: device)
    (dry, used) = (Array(streams.indices), Set(streams.indices))
    (self.streams, self.shardBits, self.clockJump) = (streams, shardBits, clockJump)
    self.reporter = reporter
    self.wakes = wakes || streams.count > 1
  }

  /// The names of all devices so far, in order.
  var deviceNames: [String] { devices.keys.sorted().map(\.text) }

  /// Whether there are fixes that have not been dealt out.
  var goesOn: Bool { queue.first != nil || !dry.isEmpty }

  /// Whether anything belongs to the next round yet: fixes, though perhaps left out, or problems.
  var hasRound: Bool {
    dealt > 0 || !round.problems.entries.isEmpty || steps.contains { !$0.isEmpty }
  }

  /// Whether the next fix of a trace must be read from a pipe, which may have to be waited for.
  var mayWait: Bool { dry.contains { streams[$0].mayWait } }

  /// Finds the next fix of each dry stream.
  ///
  /// - Parameter beforeWaiting: Called with the messages so far before a pipe is read, which may be silent
  ///   for long.
  mutating func fill(
    beforeWaiting: (_ messages: [String]) throws(SessionError) -> Void
  ) throws(SessionError) {
    guard !hasFailed else { return }
    var done = 0
    // Together: there may be thousands.
    defer { dry.removeFirst(done) }
    while done < dry.count {
      let index = dry[done]
      if streams[index].mayWait { try beforeWaiting(takeMessages()) }
      if let turn = try schedule(index) { queue.add(index, at: turn) }
      done += 1
    }
    if wakes, played == 0 { succession = StreamSuccession(streams) }
  }

  /// The turn of a stream's next fix, which its feed must give first; nil at the end.
  private mutating func schedule(_ index: Int) throws(SessionError) -> Timestamp? {
    used.insert(index)
    let (turn, reached) = (streams[index].turn, streams[index].reached)
    do throws(TraceError) {
      let goesOn = try streams[index].refill(clockJump: clockJump, names: &names)
      if streams[index].isShared { wakes = true }
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

  /// Deals out the next fixes, until there are `most` in the round or the next one is unknown.
  mutating func gather(_ most: Int) {
    guard !hasFailed, dry.isEmpty else { return }
    do throws(SessionError) {
      while dealt < most, let index = queue.first?.stream {
        let stream = streams[index]
        var turn: Timestamp?
        repeat {
          deal(stream.head, of: index)
          turn = stream.advance(clockJump: clockJump)
        } while dealt < most && turn.map(queue.staysFirst) ?? false
        if let turn {
          queue.moveFirst(to: turn)
        } else if stream.isDry {
          dry.append(index)
          return queue.moveFirst(to: nil)
        } else {
          queue.moveFirst(to: try schedule(index))
        }
      }
    } catch {
      (round.failure, hasFailed) = (error, true)
    }
  }

  /// Gives the next fix of a stream to the shard of its device.
  private mutating func deal(_ head: TraceStream.Head, of index: Int) {
    if head.due != due {
      due = head.due
      instant += 1
    }
    played += 1
    dealt += 1
    if head.quietDevice == nil { succession.begin(index) }
    guard span.contains(head.point.fix.time) else { return outside += 1 }
    let quiet = head.quietDevice ?? sharedDevice(of: index)
    let number = head.quietDevice ?? number(ofDeviceIn: index)
    if streams.count > 1, isDuplicate(head, number, of: index) { return duplicateCount += 1 }
    giveCommands(of: index)
    let step = ReplayShard.Step(
      source: index, device: number >> shardBits, wakes: wakes && quiet != nil, place: head.place,
      due: head.due, number: played, instant: instant, isSettled: head.isShared || isAlone)
    add(head.point, step, of: number)
  }

  /// Adds a step of a device.
  mutating func add(_ point: TracePoint, _ step: ReplayShard.Step, of number: Int) {
    steps[number & (steps.count - 1)].append((point, step))
  }

  /// Gives what a stream says of anchors to the step that is played next.
  mutating func giveCommands(of index: Int) {
    if !commands.isEmpty, let commands = commands.removeValue(forKey: index) {
      round.commands.append((commands, played))
    }
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
      round.devices.append((name.text, number & (steps.count - 1)))
    }
    streams[index].note(device: number)
    return number
  }

  // MARK: A round

  /// Adds the devices that are waiting to the round, whose fixes are complete.
  mutating func addWaits() { round.waits = waits }

  /// Adds one device that is waiting.
  mutating func add(_ wait: (wait: ReplayShard.Wait, shard: Int)) { round.waits.append(wait) }

  /// Ends the round, and returns it without the fixes.
  mutating func take() -> Round {
    (round.end, round.instant, round.played) = (end, instant, played)
    (round.used, round.keepsDeadlines) = (used.sorted(), wakes)
    used.removeAll(keepingCapacity: true)
    dealt = 0
    defer { round = Round() }
    return round
  }

  /// Removes and returns the messages so far.
  mutating func takeMessages() -> [String] {
    defer { messages = [] }
    return messages
  }

  /// Where the next fix is; nil when there is none.
  var next: ReplayEntries.Place? {
    guard let first = queue.first else { return nil }
    return ReplayEntries.Place(
      turn: first.time, stream: first.stream, step: .min, due: streams[first.stream].due)
  }

  /// The place up to which all fixes are known.
  private var end: ReplayEntries.Place {
    var end = ReplayEntries.Place.end
    if let first = queue.first { (end.turn, end.stream) = (first.time, first.stream) }
    for index in dry where (streams[index].turn, index) < (end.turn, end.stream) {
      (end.turn, end.stream) = (streams[index].turn, index)
    }
    return end
  }

  /// The devices that may have events before their next fix, with their shards.
  var waits: [(wait: ReplayShard.Wait, shard: Int)] {
    guard wakes else { return [] }
    // Not of all streams: there may be thousands that have not begun.
    let playing = succession.playing.compactMap { index in
      streams[index].isUsedUp ? nil : wait(of: index, streams[index].quietDevice)
    }
    return playing + succession.next.compactMap { wait(of: $0, sharedDevice(of: $0)) }
  }

  /// What a stream's next fix, which is known, makes its device wait for; nil when nothing is known of
  /// the device's silence.
  private func wait(of index: Int, _ device: Int?) -> (wait: ReplayShard.Wait, shard: Int)? {
    guard let device, span.contains(streams[index].nextTime)
    else { return nil }
    // What a command changes is not known before it.
    let due = commands[index]?.first?.time.map { min($0, streams[index].due) }
    let wait = ReplayShard.Wait(
      device: device >> shardBits, source: index, place: streams[index].place,
      due: due ?? streams[index].due, step: played + 1, isSettled: isSettled(index))
    return (wait, device & (steps.count - 1))
  }
}
