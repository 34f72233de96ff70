internal import EventLog
internal import Session
internal import System
internal import Text
internal import Traces
internal import Tracking

/// Some of the devices and their events.
///
/// One thread at a time uses it; its events do not depend on the number of shards.
final class PipeShard {
  /// A fix out of order in an input that should be in order.
  struct Disorder {
    var line: Int
    var device: String
    var time: Timestamp
    var last: Timestamp

    /// As a problem of the input.
    var issue: TraceIssue {
      var text: [UInt8] = []
      JSONText.append(device, to: &text)
      text.append(contentsOf: " has a fix of ".utf8)
      TimeText.append(time, to: &text)
      text.append(contentsOf: " behind one of ".utf8)
      TimeText.append(last, to: &text)
      text.append(
        contentsOf: ", expected the order of time; use --order sort, or trust for a few".utf8)
      return TraceIssue(.record, line: line, column: 1, text.span.string)
    }
  }

  /// A fix that waits for the end of the input, when lines are sorted.
  private struct Held {
    var fix: Fix
    var line: Int
    var device: Int32
  }

  /// The entries since ``clear(before:)``.
  private(set) var output = PipeLog.Part()
  private(set) var disorders: [Disorder] = []
  /// What is wrong with states in lines.
  private(set) var stateIssues: [TraceIssue] = []
  /// The counts in states that were resumed from lines.
  private(set) var countsResumed = GateCounts()
  /// Fixes not used because they were out of order.
  private(set) var disordered = 0
  /// Events by kind, whether or not they are written.
  private(set) var eventCounts: [LogEntry.Kind: Int] = [:]

  /// Where it goes on in the blocks of a round.
  private var position = (block: 0, entry: 0)
  /// The line of the next fix that it has not played; nil when it has played all of the round.
  private(set) var nextLine: Int?

  private var fleet: Fleet
  private let order: PipeOptions.Order
  private let kinds: Set<LogEntry.Kind>
  private let storedKinds: Set<LogEntry.Kind>
  private let wantsFixes: Bool
  /// The fingerprint of the fences, for states in lines.
  private let fences: UInt64
  private var writer: EventWriter
  private var events: [Event] = []
  private var held: [Held] = []
  /// The devices' numbers by parser and slot; -1 for an unknown device.
  private var known: [[Int32]]
  private var generations: [Int]

  /// The number of devices with unpacked state, in all shards together: packing one and unpacking
  /// another costs more than a fix.
  private static let activeDevices = 4_096
  /// The least number of them in each shard.
  private static let leastActiveDevices = 64

  /// Most entries for a store that are held.
  private static let mostStored = 10_000

  /// The shard of a device.
  static func number(of device: String, of count: Int) -> Int {
    guard count > 1 else { return 0 }
    var hash = FNV1a()
    hash.add(device)
    return Int(truncatingIfNeeded: hash.mixed % UInt64(count))
  }

  /// Makes one of several shards.
  ///
  /// - Parameters:
  ///   - fences: The fingerprint of the fences, for states in lines.
  init(_ options: PipeOptions, of count: Int, fences: UInt64) {
    self.fences = fences
    // Without late fixes no history is needed.
    fleet = Fleet(
      rules: options.rules, activeLimit: max(Self.activeDevices / count, Self.leastActiveDevices),
      keepsHistory: options.order == .trust)
    order = options.order
    kinds = options.kinds
    storedKinds = options.storedKinds
    wantsFixes = options.kinds.contains(.fix) || options.storedKinds.contains(.fix)
    writer = EventWriter(format: options.format)
    known = Array(repeating: [], count: options.threads)
    generations = Array(repeating: 0, count: options.threads)
  }

  /// Plays its fixes of the blocks of a round, from where it stopped.
  ///
  /// It stops when there are as many entries as it may hold: a device that is new may have a thousand.
  /// - Parameters:
  ///   - number: Its own number.
  ///   - most: How many bytes of entries it may hold.
  func take(
    _ blocks: ArraySlice<PipeBlock>, as number: Int, from parsers: [PipeParser], most: Int
  ) {
    while position.block < blocks.count {
      let block = blocks[blocks.startIndex + position.block]
      let (entries, parser) = (block.entries[number], parsers[block.parser])
      forgetDevices(of: parser, block.parser)
      while position.entry < entries.count {
        let line = line(of: entries[position.entry], in: block)
        if !output.pieces.isEmpty,
          output.bytes.count >= most || output.stored.count >= Self.mostStored
        {
          nextLine = line
          return
        }
        take(entries[position.entry], at: line, in: block, from: parser)
        position.entry += 1
      }
      position = (position.block + 1, 0)
    }
    (position, nextLine) = ((0, 0), nil)
  }

  /// Forgets the numbers that a parser gave to devices before it began to count again.
  private func forgetDevices(of parser: PipeParser, _ number: Int) {
    guard generations[number] != parser.generation else { return }
    generations[number] = parser.generation
    known[number].removeAll(keepingCapacity: true)
  }

  private func line(of entry: PipeBlock.Entry, in block: PipeBlock) -> Int {
    guard entry.point < 0 else {
      return block.batch.points[Int(entry.point)].line + block.lineShift
    }
    guard case .deviceState(let record) = block.batch.marks[Int(-1 - entry.point)].mark else {
      return 0
    }
    return record.line + block.lineShift
  }

  private func take(
    _ entry: PipeBlock.Entry, at line: Int, in block: PipeBlock, from parser: PipeParser
  ) {
    guard entry.point >= 0 else {
      resume(entry, in: block, from: parser)
      return
    }
    let point = block.batch.points[Int(entry.point)]
    let device = device(entry.slot, point.device, parser, block.parser)
    if order == .sort {
      held.append(Held(fix: point.fix, line: line, device: Int32(truncatingIfNeeded: device)))
    } else {
      play(point.fix, of: device, at: PipeLog.Place(line: line))
    }
  }

  /// Plays the waiting fixes in the order of their times, those of the same time by line.
  ///
  /// Fixes without a time come first: the engine drops them.
  func playHeld() {
    held.sort { Self.place(of: $0) < Self.place(of: $1) }
    for fix in held { play(fix.fix, of: Int(fix.device), at: Self.place(of: fix)) }
    held = []
  }

  /// Removes the entries before a line, or all of them for nil, and what is wrong in its fixes so far.
  func clear(before line: Int?) {
    output.clear(before: line)
    disorders.removeAll(keepingCapacity: true)
    stateIssues.removeAll(keepingCapacity: true)
  }

  /// Resumes a device, which must be new; returns false for an invalid state.
  func resume(_ device: String, from state: [UInt8]) -> Bool {
    state.withUnsafeBytes { fleet.resume(device, from: $0) }
  }

  /// Calls `body` with the bytes of each device's name, in the order of their numbers.
  func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) { fleet.forEachName(body) }

  /// Appends the state of a device to a file.
  func append(_ device: Int, to body: inout [UInt8]) {
    let name = fleet.name(of: device)
    fleet.withPackedState(of: device) { PipeState.append(name, $0, to: &body) }
  }

  /// Appends a line with the state of a device.
  func appendLine(_ device: Int, to buffer: inout [UInt8]) throws(DeviceStateLine.Failure) {
    let name = fleet.name(of: device)
    let state = fleet.withPackedState(of: device) { DeviceState.bytes($0, fences: fences) }
    try DeviceStateLine.append(name, state, to: &buffer)
  }

  /// The number of fixes that wait for the end of the input.
  var heldCount: Int { held.count }

  /// The number of devices.
  var deviceCount: Int { fleet.count }

  /// The counts of the gate, all devices together.
  var counts: GateCounts {
    var sum = GateCounts()
    for device in 0..<fleet.count { sum += fleet.counts(of: device) }
    return sum
  }

  private static func place(of held: Held) -> PipeLog.Place {
    PipeLog.Place(time: held.fix.time?.nanoseconds ?? .min, line: held.line)
  }

  private func device(
    _ slot: Int32, _ name: Int32?, _ parser: PipeParser, _ number: Int
  ) -> Int {
    let slot = Int(slot)
    if slot < known[number].count, known[number][slot] >= 0 { return Int(known[number][slot]) }
    while known[number].count <= slot { known[number].append(-1) }
    let device = fleet.index(of: parser.devices[Int(name ?? 0)])
    known[number][slot] = Int32(truncatingIfNeeded: device)
    return device
  }

  /// Resumes a device from its state in a line; reports a state that cannot be used.
  private func resume(_ entry: PipeBlock.Entry, in block: PipeBlock, from parser: PipeParser) {
    guard case .deviceState(let record) = block.batch.marks[Int(-1 - entry.point)].mark else {
      return
    }
    let device = device(entry.slot, record.device, parser, block.parser)
    let name = fleet.name(of: device)
    do {
      guard record.device != nil else { throw DeviceStateLine.Failure.unnamed }
      guard fleet.counts(of: device).received == 0 else {
        throw DeviceStateLine.Failure.late(device: name)
      }
      let state = try DeviceStateLine.packed(in: record.state, fences: fences)
      guard state.withUnsafeBytes({ fleet.resume(name, from: $0) }) else {
        throw DeviceState.Failure.damaged
      }
      countsResumed += fleet.counts(of: device)
    } catch {
      stateIssues.append(
        TraceIssue(.record, line: record.line + block.lineShift, column: 1, "\(error)"))
    }
  }

  private func play(_ fix: Fix, of device: Int, at place: PipeLog.Place) {
    fleet.activate(device)
    if order == .check, let time = fix.time, let last = fleet.lastTime(of: device), time < last {
      disordered += 1
      disorders.append(
        Disorder(line: place.line, device: fleet.name(of: device), time: time, last: last))
      if wantsFixes { write(.fix(fix), of: fleet.name(of: device)) }
    } else {
      // Events that came due in silence are reported before the fix that ended it.
      let deadline = wantsFixes ? fleet.nextDeadline(of: device) : nil
      fleet.ingest(fix, of: device, into: &events)
      if wantsFixes || !events.isEmpty { publish(fix, of: device, deadline) }
    }
    output.end(at: place)
  }

  private func publish(_ fix: Fix, of device: Int, _ deadline: Timestamp?) {
    let name = fleet.name(of: device)
    var isWritten = !wantsFixes
    for event in events {
      let isBefore = deadline != nil && fix.time.map { event.decided < $0 } ?? false
      if !isWritten, !isBefore {
        write(.fix(fix), of: name)
        isWritten = true
      }
      let content = LogEntry.Content.event(event)
      eventCounts[LogEntry(device: name, content).kind, default: 0] += 1
      write(content, of: name)
    }
    if !isWritten { write(.fix(fix), of: name) }
    events.removeAll(keepingCapacity: true)
  }

  private func write(_ content: LogEntry.Content, of device: String) {
    let entry = LogEntry(device: device, content)
    if kinds.contains(entry.kind) { writer.append(entry, to: &output.bytes) }
    if storedKinds.contains(entry.kind) { output.stored.append(entry) }
  }
}
