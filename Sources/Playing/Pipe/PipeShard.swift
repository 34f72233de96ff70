internal import System
internal import Traces
internal import Tracking

/// Some of the devices, with all that they say.
///
/// One thread at a time works on it; what it says does not depend on how many shards there are.
final class PipeShard {
  /// A fix that came later than one of a later time, though fixes were to come in order.
  struct Disorder {
    var line: Int
    var device: String
    var time: Timestamp
    var last: Timestamp

    /// As something wrong with the input.
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

  /// A fix that waits for all to be there.
  private struct Held {
    var fix: Fix
    var line: Int
    var device: Int32
  }

  /// What was output since it was last cleared.
  private(set) var output = PipeLog.Part()
  private(set) var disorders: [Disorder] = []
  /// Fixes that were not used as they came out of order.
  private(set) var disordered = 0
  /// Events by kind, whether or not they are wanted.
  private(set) var eventCounts: [LogEntry.Kind: Int] = [:]

  private var fleet: Fleet
  private let order: PipeOptions.Order
  private let kinds: Set<LogEntry.Kind>
  private let wantsFixes: Bool
  private var writer: EventWriter
  private var events: [Event] = []
  private var held: [Held] = []
  /// The devices' numbers by parser and slot; -1 of one that was not met yet.
  private var known: [[Int32]]
  private var generations: [Int]

  /// How many devices are at hand without unpacking their state, in all shards together: to pack one
  /// and to unpack another costs more than a fix.
  private static let activeDevices = 4_096
  /// How many are in each shard.
  private static let leastActiveDevices = 64

  /// The shard of a device.
  static func number(of device: String, of count: Int) -> Int {
    guard count > 1 else { return 0 }
    var hash = FNV1a()
    hash.add(device)
    return Int(truncatingIfNeeded: hash.mixed % UInt64(count))
  }

  /// Makes one of several shards.
  init(_ options: PipeOptions, of count: Int) {
    // Of those in order no fix is late.
    fleet = Fleet(
      rules: options.rules, activeLimit: max(Self.activeDevices / count, Self.leastActiveDevices),
      keepsHistory: options.order == .trust)
    order = options.order
    kinds = options.kinds
    wantsFixes = options.kinds.contains(.fix)
    writer = EventWriter(format: options.format)
    known = Array(repeating: [], count: options.threads)
    generations = Array(repeating: 0, count: options.threads)
  }

  /// Takes its fixes of a block.
  ///
  /// - Parameters:
  ///   - number: Its own number.
  func take(_ block: PipeBlock, as number: Int, from parser: PipeParser) {
    if generations[block.parser] != parser.generation {
      generations[block.parser] = parser.generation
      known[block.parser].removeAll(keepingCapacity: true)
    }
    for entry in block.entries[number] {
      let point = block.batch.points[Int(entry.point)]
      let device = device(entry.slot, point.device, parser, block.parser)
      let line = point.line + block.lineShift
      if order == .sort {
        held.append(Held(fix: point.fix, line: line, device: Int32(truncatingIfNeeded: device)))
      } else {
        play(point.fix, of: device, at: PipeLog.Place(line: line))
      }
    }
  }

  /// Plays the fixes that wait, in the order of their times, those of the same time by line.
  ///
  /// A fix without a time comes first: the engine has no use for it.
  func playHeld() {
    held.sort { Self.place(of: $0) < Self.place(of: $1) }
    for fix in held { play(fix.fix, of: Int(fix.device), at: Self.place(of: fix)) }
    held = []
  }

  /// Forgets what it output.
  func clear() {
    output.clear()
    disorders.removeAll(keepingCapacity: true)
  }

  /// Goes on with a device, which it must not know yet; returns whether that is a state of one.
  func resume(_ device: String, from state: [UInt8]) -> Bool {
    state.withUnsafeBytes { fleet.resume(device, from: $0) }
  }

  /// Lends the bytes of the names of all devices, by their numbers.
  func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) { fleet.forEachName(body) }

  /// Adds the state of a device to a file.
  func append(_ device: Int, to body: inout [UInt8]) {
    let name = fleet.name(of: device)
    fleet.withPackedState(of: device) { PipeState.append(name, $0, to: &body) }
  }

  /// How many devices there are.
  var deviceCount: Int { fleet.count }

  /// What became of the fixes of all devices.
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

  private func play(_ fix: Fix, of device: Int, at place: PipeLog.Place) {
    fleet.activate(device)
    if order == .check, let time = fix.time, let last = fleet.lastTime(of: device), time < last {
      disordered += 1
      disorders.append(
        Disorder(line: place.line, device: fleet.name(of: device), time: time, last: last))
      if wantsFixes { write(.fix(fix), of: fleet.name(of: device)) }
    } else {
      // What came due in silence is told before the fix that ended it.
      let deadline = wantsFixes ? fleet.nextDeadline(of: device) : nil
      fleet.ingest(fix, of: device, into: &events)
      if wantsFixes || !events.isEmpty { publish(fix, of: device, deadline) }
    }
    output.end(at: place)
  }

  private func publish(_ fix: Fix, of device: Int, _ deadline: Timestamp?) {
    let name = fleet.name(of: device)
    var isTold = !wantsFixes
    for event in events {
      let isBefore = deadline != nil && fix.time.map { event.decided < $0 } ?? false
      if !isTold, !isBefore {
        write(.fix(fix), of: name)
        isTold = true
      }
      let content = LogEntry.Content.event(event)
      let kind = LogEntry(device: name, content).kind
      eventCounts[kind, default: 0] += 1
      if kinds.contains(kind) { write(content, of: name) }
    }
    if !isTold { write(.fix(fix), of: name) }
    events.removeAll(keepingCapacity: true)
  }

  private func write(_ content: LogEntry.Content, of device: String) {
    writer.append(LogEntry(device: device, content), to: &output.bytes)
  }
}
