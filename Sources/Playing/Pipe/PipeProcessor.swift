internal import ArrowStreams
internal import EventLog
package import Session
package import System
internal import Traces
internal import Tracking

/// A filter: reads fixes of many devices as lines, and writes their events in the order of the lines.
///
/// It uses no clock, and devices do not depend on each other. So the same input gives the same bytes
/// every time, on any number of threads, and in pieces of any size. Lines are processed in rounds: all
/// threads parse blocks of lines, then all threads play the fixes of shards of the devices, then the
/// entries are put in order. No fix needs a lock.
package struct PipeProcessor: ~Copyable {
  /// Called with a message for every error in the input.
  package var warn: (String) -> Void = { _ in }
  /// Keeps the entries of ``PipeOptions/storedKinds``; nil for none.
  package var store: (any EntryStore)?

  /// The name of the input in messages.
  private let name: String
  let options: PipeOptions
  private let output: OutputFile
  private var writer: EventWriter
  var buffer: [UInt8] = []
  /// Entries for the store.
  var stored: [LogEntry] = []
  var input: PipeInput
  /// The rows of the input, when it has no lines.
  private var arrow: PipeArrowInput?
  /// Writes the events, when they are no lines.
  private(set) var events: ArrowEventWriter?
  private var parsers: [PipeParser] = []
  private var blocks: [PipeBlock] = []
  private var notes: Set<String> = []
  /// Problems of lines whose entries are not written yet.
  private var issues: [TraceIssue] = []
  let shards: [PipeShard]
  private var totals = PipeTotals()
  /// Problems that are only counted, as there were too many before them.
  private var unreported = 0
  private var isFinished = false
  /// Held until the process ends or the state is written.
  var stateLock: FileLock?
  /// The state that was there.
  var stateBefore: PipeState.Saved?
  /// The counts in the states that were resumed.
  var countsBefore = GateCounts()
  private var sum = FNV1a()

  /// The bytes a thread gets at a time: so many that other threads seldom wait for it.
  private static let blockSize = 256 << 10
  /// Blocks per thread in a round, when there is more than one thread.
  private static let blocksPerThread = 4
  /// The rows of an Arrow stream in a block.
  private static let blockRows = 4_096

  /// Opens a file, or standard input for `-`.
  package init(_ options: PipeOptions, path: String = "-", output: OutputFile) throws(SessionError)
  {
    name = path
    self.options = options
    self.output = output
    let (threads, shardCount, blockCount) =
      options.threads > 1
      ? (options.threads, options.threads * 8, options.threads * Self.blocksPerThread) : (1, 1, 1)
    let arrow = try Self.arrow(options, most: blockCount * Self.blockRows)
    (self.arrow, events) = (arrow.input, arrow.events)
    do throws(TraceError) {
      input = try PipeInput(
        path: path, size: blockCount * Self.blockSize, isMarked: options.state != nil)
    } catch {
      throw .trace(error)
    }
    var options = options
    options.threads = threads
    if options.writesArrow {
      // The shards keep the entries, and the writer takes them.
      options.storedKinds.formUnion(options.kinds)
      options.kinds = []
    }
    let fences = options.carriesStates ? options.rules.fences.fingerprint : 0
    shards = (0..<shardCount).map { [options] _ in
      PipeShard(options, of: shardCount, fences: fences)
    }
    blocks = (0..<blockCount).map { _ in PipeBlock(shards: shardCount) }
    writer = EventWriter(format: options.format)
    buffer = arrow.schema
    if events == nil { writer.begin(into: &buffer) }
  }

  /// Processes all of the input and returns the totals.
  ///
  /// - Throws: ``SessionError`` when the input cannot be read or the events cannot be written; the
  ///   events before the error are written. Also when there are more fixes than are sorted; then no
  ///   event is written.
  package mutating func run() throws(SessionError) -> PipeTotals {
    while !isFinished, let range = try read() {
      try takeRound(range)
      try checkLimit()
    }
    // The missing header of an empty table must be reported.
    if parsers.isEmpty { try takeRound(0..<0) }
    if let damage = input.damage {
      let message = "\(damage); everything before it was read"
      report([TraceIssue(.truncated, line: max(totals.lines, 1), column: 1, message)])
    } else if let failure = arrow?.failure {
      report([TraceIssue(failure.kind, line: totals.lines + 1, column: 1, failure.message)])
    }
    if options.order == .sort {
      let shards = shards
      Parallel.forEach(shards.count, threads: options.threads) { job, _ in shards[job].playHeld() }
      collect()
    }
    try write()
    try endEvents()
    // Events that the state counts as written must survive a power cut.
    if options.state != nil {
      try SessionError.writing { () throws(OutputError) in try output.synchronise() }
    }
    reportUnreported()
    return finalTotals()
  }

  private mutating func read() throws(SessionError) -> Range<Int>? {
    do throws(TraceError) {
      return arrow == nil ? try input.read() : try arrow?.read(&input)
    } catch {
      throw .trace(error)
    }
  }

  // MARK: A round

  private mutating func takeRound(_ lines: Range<Int>) throws(SessionError) {
    var range = lines
    if parsers.isEmpty { begin(&range) }
    let used = isFinished ? 0 : cut(range)
    parse(used)
    number(used)
    noteMarks(blocks[..<used])
    var playing = Array(shards.indices)
    repeat {
      play(used, in: playing)
      collect()
      try write()
      playing = playing.filter { shards[$0].nextLine != nil }
    } while !playing.isEmpty
  }

  /// Refuses more fixes than may be sorted.
  private func checkLimit() throws(SessionError) {
    guard shards.reduce(0, { $0 + $1.heldCount }) > options.mostSorted else { return }
    throw .limit(
      "\(name): --order sort holds all fixes in memory, and there are more than "
        + "\(options.mostSorted); sort the lines by time first and leave it out, or give some of the "
        + "devices at a time")
  }

  /// Keeps the entries of a round in the store, in one step, and writes them.
  mutating func write() throws(SessionError) {
    try keepEntries()
    if options.sumsOutput {
      var sum = sum
      sum.add(buffer.span)
      self.sum = sum
    }
    try SessionError.writing { () throws(OutputError) in try output.write(&buffer) }
  }

  /// Reads what comes before the first fix.
  private mutating func begin(_ range: inout Range<Int>) {
    guard arrow == nil else { return addParsers(nil) }
    var batch = TraceBatch()
    batch.devices = [options.device]
    let decoder = PipeDecoder(
      options.input, options.reading, input.bytes, &range, into: &batch)
    totals.lines = decoder.headerLineCount
    if options.input == .ndjson, let advice = PipeDecoder.advice(for: input.bytes[range]) {
      warn("\(name): \(advice)")
    }
    var issues: [TraceIssue] = []
    for (_, mark) in batch.marks { note(mark, 0, &issues) }
    report(issues)
    isFinished = decoder.isFinished
    addParsers(decoder)
  }

  private mutating func addParsers(_ decoder: PipeDecoder?) {
    parsers = (0..<max(options.threads, 1)).map {
      PipeParser(
        number: $0, decoder: decoder, shards: shards.count, fallback: options.device,
        readsStates: options.carriesStates)
    }
  }

  /// Cuts lines or rows into blocks of about the same length; returns the number of blocks.
  private func cut(_ range: Range<Int>) -> Int {
    let size = max(Self.blockSize / 16, range.count / blocks.count)
    let rows = max(1, (range.count + blocks.count - 1) / blocks.count)
    var (start, count) = (range.lowerBound, 0)
    while start < range.upperBound {
      var end = range.upperBound
      if arrow != nil {
        end = min(start + rows, end)
      } else if count < blocks.count - 1, end - start > size {
        let rest = input.bytes[(start + size)..<end]
        end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? end
      }
      blocks[count].range = start..<end
      (start, count) = (end, count + 1)
    }
    return count
  }

  private func parse(_ used: Int) {
    let (bytes, fixes, blocks, parsers) = (input.bytes, arrow?.fixes, blocks, parsers)
    for parser in parsers { parser.forgetSome() }
    Parallel.forEach(used, threads: options.threads) { job, thread in
      if let fixes {
        parsers[thread].parse(blocks[job], in: fixes)
      } else {
        parsers[thread].parse(blocks[job], in: bytes)
      }
    }
  }

  /// Computes the line numbers in the whole input.
  private mutating func number(_ used: Int) {
    for block in blocks[..<used] {
      block.lineShift += totals.lines
      totals.lines += block.lineCount
    }
  }

  /// Plays the fixes of some shards, as many as these may.
  private func play(_ used: Int, in numbers: [Int]) {
    let (blocks, parsers, shards) = (blocks[..<used], parsers, shards)
    let most = options.mostHeldBytes / shards.count
    Parallel.forEach(numbers.count, threads: options.threads) { job, _ in
      let number = numbers[job]
      shards[number].take(blocks, as: number, from: parsers, most: most)
    }
  }

  /// Reports problems that belong to no fix.
  private mutating func report(_ issues: [TraceIssue]) {
    var part = PipeLog.Part()
    for issue in issues { report(issue, &part) }
    buffer.append(contentsOf: part.bytes)
    stored += part.stored
  }

  /// Writes a line with the state of each device, when the states are in the lines; call it after
  /// ``run()``.
  package mutating func writeStates() throws {
    guard options.carriesStates else { return }
    for device in sortedDevices() {
      try shards[device.shard].appendLine(device.number, to: &buffer)
      if buffer.count > Self.blockSize { try write() }
    }
    try write()
  }

  /// The FNV-1a hash of all bytes that were written, as 16 hexadecimal digits; nil when it was not
  /// computed.
  package var checksum: String? {
    guard options.sumsOutput else { return nil }
    let digits = String(sum.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether a fix was read.
  var hasFixes: Bool { totals.gate.received + totals.disordered > 0 }

  /// The devices in the order of their names.
  func sortedDevices() -> [DeviceNameIndex.Device] {
    var index = DeviceNameIndex()
    for (number, shard) in shards.enumerated() {
      var device = 0
      shard.forEachName { name in
        index.append(name, DeviceNameIndex.Device(shard: number, number: device))
        device += 1
      }
    }
    return index.sorted()
  }

  private mutating func finalTotals() -> PipeTotals {
    var counts = GateCounts()
    for shard in shards {
      counts += shard.counts
      countsBefore += shard.countsResumed
      totals.disordered += shard.disordered
      totals.devices += shard.deviceCount
      totals.events.merge(shard.eventCounts, uniquingKeysWith: +)
    }
    totals.gate = counts.since(countsBefore)
    totals.resumed = countsBefore.waiting
    return totals
  }
}

// MARK: - Entries and problems

extension PipeProcessor {
  /// Puts the entries of the shards and the problems in order, as far as all shards have come.
  private mutating func collect() {
    let end = shards.compactMap(\.nextLine).min()
    let problems = takeProblems(before: end)
    var log = PipeLog()
    if !problems.pieces.isEmpty { log.add(problems) }
    for shard in shards { log.add(shard.output) }
    log.write(before: end, to: &buffer, storing: &stored)
    for shard in shards { shard.clear(before: end) }
  }

  /// Counts records of a round other than fixes, and notes their problems.
  private mutating func noteMarks(_ used: ArraySlice<PipeBlock>) {
    var found: [TraceIssue] = []
    for block in used {
      for (_, mark) in block.batch.marks { note(mark, block.lineShift, &found) }
    }
    issues += found
  }

  /// Reports the problems before a line, or all of them for nil, and returns their entries.
  private mutating func takeProblems(before line: Int?) -> PipeLog.Part {
    for shard in shards { issues += shard.disorders.map(\.issue) + shard.stateIssues }
    // On one line, those of the reader come first.
    let order = issues.indices.sorted { (issues[$0].line, $0) < (issues[$1].line, $1) }
    let ready = order.filter { index in line.map { issues[index].line < $0 } ?? true }
    var part = PipeLog.Part()
    for index in ready { report(issues[index], &part) }
    issues = line.map { line in issues.filter { $0.line >= line } } ?? []
    return part
  }

  private mutating func note(_ mark: TraceMark, _ lineShift: Int, _ issues: inout [TraceIssue]) {
    switch mark {
    case .issue(var issue):
      issue.line += lineShift
      issues.append(issue)
    case .note(let note):
      // Every copy of the decoder may note it.
      if notes.insert(note).inserted { warn("\(name): \(note)") }
    case .heading, .otherRecord: totals.others += 1
    case .deviceState: if !options.carriesStates { totals.others += 1 }
    // Lines of fixes contain none of these.
    case .track, .segment, .route, .routePoint, .waypoint, .reportedVisit, .repeatedReport,
      .otherReceiver, .simulatedFix, .status, .source, .deadline, .anchor, .forgotten:
      break
    }
  }

  /// Reports a problem, unless there were too many; that the input ends early is always reported.
  private mutating func report(_ issue: TraceIssue, _ part: inout PipeLog.Part) {
    totals.problems += 1
    guard totals.problems <= TraceFeed.reportedIssues || issue.kind != .record else {
      unreported += 1
      return
    }
    let message = issue.described(in: name)
    warn(message)
    let entry = LogEntry(device: options.device, .problem(LogEntry.Problem(message: message)))
    if options.kinds.contains(.problem) { writer.append(entry, to: &part.bytes) }
    if options.storedKinds.contains(.problem) { part.stored.append(entry) }
    part.end(at: PipeLog.Place(line: issue.line))
  }

  private func reportUnreported() {
    if unreported > 0 { warn("\(name): \(unreported) more problems like these") }
  }
}
