internal import Text
package import Traces
internal import Estimation

/// Reads the output of receivers and gpsd, live or recorded: gpsd's JSON, NMEA 0183, or both mixed,
/// one item per line.
///
/// Only the bytes decide the result, not how they are cut or when they arrive, so a recording
/// produces what its session produced. Blank lines and comments (`#`) are skipped, and so is the
/// prefix of `gpspipe -t`. Where gpsd reports positions, sentences only repeat them; they are
/// checked but not read.
package struct ReceiverLogDecoder: TraceDecoder {
  /// The longest line, in bytes; gpsd's own limit is 10 240.
  static let maxLineLength = 64 * 1024

  /// The state of gpsd and of the receiver after the last reports.
  package private(set) var state = ReceiverState()

  private var lines = LineSplitter(limit: maxLineLength)
  private var reader: any GPSDLineReader
  var epochs: ReceiverEpochs
  private var sentences = NMEAReader()
  private var compass = Compass()
  /// Whether gpsd reports positions over this connection.
  private var hasReports = false
  private var receiver: GPSDDeviceKey?
  private var hasReportedOthers = false
  private var hasNotedDatum = false
  private var unknown = UnknownContent()
  private var watch = ReceiverWatch()
  /// The random number of the run that the lines are from; nil when they do not say it.
  private var start: UInt64?
  /// The devices of a recording that several sources share, but the one whose lines are read.
  private(set) var others: [Int32: Channel] = [:]
  var names = DeviceTable()
  /// Which of them had positions.
  var heard = HeardDevices()
  /// Whether ships are devices even where the recording does not say so.
  private let readsShips: Bool
  /// Whether simulated positions are used even where the recording does not say so.
  private let allowsSimulated: Bool
  /// The time of the ships that gpsd reports by AIS; nil when they are no devices.
  private(set) var ships: ShipClock?
  /// Whether ships are given by ``takeShipReports()``, not as points of a batch.
  package var keepsShipsApart = false
  var shipReports: [ShipReport] = []
  private var hasBegun = false
  private var parts = RecordingParts()

  /// Makes a decoder; `reader` reads gpsd's JSON, and all readers return the same.
  package init(
    reader: any GPSDLineReader = SwiftGPSDReader(), readsShips: Bool = false,
    allowsSimulated: Bool = false
  ) {
    self.reader = reader
    self.readsShips = readsShips
    self.allowsSimulated = allowsSimulated
    epochs = ReceiverEpochs(allowsSimulated: allowsSimulated)
    ships = readsShips ? ShipClock() : nil
  }

  /// gpsd with its release, or the talkers of the sentences.
  package var producer: String? {
    if hasReports || state.version != nil {
      return ["gpsd", state.version?.release].compactMap(\.self).joined(separator: " ")
    }
    let talkers = sentences.talkers
    return talkers.isEmpty
      ? nil : "talker\(talkers.count > 1 ? "s" : "") \(talkers.joined(separator: ", "))"
  }

  /// A bad line never ends the reading.
  package var isFinished: Bool { false }

  package mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    guard var offset = lines.start(of: bytes, isFinal: isFinal) else { return 0 }
    if readsShips, !hasBegun { turn(to: nil, &batch) }
    hasBegun = true
    while offset < bytes.count {
      let line = lines.line
      switch lines.next(bytes, from: offset, isFinal: isFinal) {
      case .needsMore: return offset
      case .skipped(let next): offset = next
      case .tooLong(let next):
        report(
          line, 0, "found a line longer than 64 KiB, expected a report or a sentence", &batch,
          code: .tooLong)
        offset = next
      case .line(let range, let next, let isCut):
        let (known, knownMarks) = (batch.points.count, batch.marks.count)
        read(bytes.extracting(range), ReceiverLine(number: line, isCut: isCut), &batch)
        heard.note(batch.points[known...])
        watchPoints(from: known, &batch)
        watchRefusals(from: knownMarks, &batch)
        offset = next
      }
    }
    if isFinal { finish(&batch) }
    return offset
  }

  /// Ends the device heard last, then the others in their order.
  mutating func finish(_ batch: inout TraceBatch, namesOthers: Bool = true) {
    endEpoch(&batch)
    sentences.reportUndated(&batch)
    for device in others.keys.sorted() {
      resume(device)
      if namesOthers { batch.mark(.source(device: device)) }
      endEpoch(&batch)
      sentences.reportUndated(&batch)
    }
  }

  private mutating func watchPoints(from first: Int, _ batch: inout TraceBatch) {
    for index in first..<batch.points.count where batch.points[index].device == epochs.device {
      if let change = watch.note(batch.points[index].fix) { batch.mark(.status(change)) }
    }
  }

  private mutating func watchRefusals(from first: Int, _ batch: inout TraceBatch) {
    for index in first..<batch.marks.count {
      guard case .simulatedFix(let time) = batch.marks[index].mark else { continue }
      if let change = watch.refuse(time) { batch.mark(.status(change)) }
    }
  }

  /// Emits the held fix of the current instant.
  private mutating func endEpoch(_ batch: inout TraceBatch) {
    sentences.finish(&epochs, &batch)
    epochs.finish(into: &batch)
  }

  // MARK: Lines

  private mutating func read(
    _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    var line = line
    switch line.find(in: bytes) {
    case .nothing: break
    case .object: readObject(bytes.extracting(line.content), line, &batch)
    case .sentence: readSentence(bytes.extracting(line.content), line, &batch)
    case .sentenceAfter(let start): readSentence(behind: start, bytes, line, &batch)
    case .unknown: reportUnknown(bytes.extracting(line.content), line, &batch)
    }
  }

  private mutating func reportUnknown(
    _ content: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    guard let message = unknown.message(for: content) else { return batch.mark(.otherRecord) }
    report(line.number, line.content.lowerBound, message, &batch, code: .unknownRecord)
  }

  /// Reports an error in a report or a sentence.
  private mutating func reportError(
    _ content: Span<UInt8>, _ line: ReceiverLine, at offset: Int, _ message: String,
    isCutShort: Bool, code: IssueCode, _ batch: inout TraceBatch
  ) {
    let isTruncated = line.isCut && isCutShort
    if !isTruncated, unknown.includes(content) { return reportUnknown(content, line, &batch) }
    report(
      line.number, line.content.lowerBound + offset, message, &batch,
      isTruncated ? .truncated : .record, code: isTruncated ? nil : code)
  }

  private mutating func report(
    _ line: Int, _ offset: Int, _ message: String, _ batch: inout TraceBatch,
    _ kind: TraceIssue.Kind = .record, code: IssueCode? = nil
  ) {
    batch.mark(.issue(TraceIssue(kind, line: line, column: offset + 1, message, code: code)))
  }

  // MARK: Several sources

  /// The following lines are of a device.
  private mutating func follow(_ device: String, _ batch: inout TraceBatch) {
    let (bytes, known) = (Array(device.utf8), batch.devices.count)
    let index = names.index(of: bytes.span, in: &batch.devices)
    guard index != epochs.device else { return }
    if let current = epochs.device {
      // A device that only has a name takes no memory: there may be one in each line.
      if !isFresh {
        others[current] = Channel(
          state: state, epochs: epochs, sentences: sentences, hasReports: hasReports,
          hasReportedOthers: hasReportedOthers, receiver: receiver, watch: watch,
          compass: compass, ships: ships)
      }
      resume(index)
    }
    if epochs.device == nil { epochs.follow(index, into: &batch) }
    if batch.devices.count > known { batch.mark(.track(name: device)) }
  }

  /// Whether nothing of the device has been read but its name.
  private var isFresh: Bool {
    !hasReports && sentences.talkers.isEmpty && state == ReceiverState()
      && watch == ReceiverWatch(start: start) && compass == Compass() && ships == freshShips
      && epochs.allowsSimulated == allowsSimulated
  }

  /// The time of the ships of a device of which nothing has been read.
  private var freshShips: ShipClock? { readsShips ? ShipClock() : nil }

  mutating func resume(_ device: Int32) {
    let channel =
      others.removeValue(forKey: device)
      ?? Channel(
        epochs: ReceiverEpochs(allowsSimulated: allowsSimulated),
        watch: ReceiverWatch(start: start), ships: freshShips)
    (state, epochs, sentences, watch) = (
      channel.state, channel.epochs, channel.sentences, channel.watch
    )
    (hasReports, hasReportedOthers) = (channel.hasReports, channel.hasReportedOthers)
    (receiver, compass, ships) = (channel.receiver, channel.compass, channel.ships)
  }

  // MARK: NMEA

  private mutating func readSentence(
    _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    do throws(NMEAError) {
      let isRead: Bool
      if hasReports {
        _ = try sentences.check(bytes, isCut: line.isCut)
        isRead = false
      } else {
        isRead = try sentences.read(bytes, line, &epochs, &compass, &batch)
        if !hasNotedDatum, let note = sentences.datumNote {
          hasNotedDatum = true
          batch.mark(.note(note))
        }
      }
      if !isRead { batch.mark(.otherRecord) }
    } catch {
      reportError(
        bytes, line, at: error.offset, error.message, isCutShort: error.isCutShort,
        code: error.code, &batch)
    }
  }

  /// A line with other bytes before a sentence, as binary protocols and lost bytes cause: the
  /// sentence is read when its checksum is valid.
  private mutating func readSentence(
    behind start: Int, _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    let before = line.with(line.content.lowerBound..<start)
    reportUnknown(bytes.extracting(before.content), before, &batch)
    let rest = line.with(start..<line.content.upperBound)
    let sentence = bytes.extracting(rest.content)
    guard (try? sentences.check(sentence, isCut: line.isCut)) == true else { return }
    readSentence(sentence, rest, &batch)
  }

  // MARK: gpsd

  private mutating func readObject(
    _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    do throws(JSONError) {
      let report = try reader.read(bytes)
      if case .ais = report { return try readShip(bytes, line, &batch) }
      take(report, bytes, line, &batch)
    } catch {
      reportError(
        bytes, line, at: error.offset, error.message, isCutShort: error.isCutShort,
        code: error.code, &batch)
    }
  }

  private mutating func take(
    _ report: GPSDReport, _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    switch report {
    case .position(let position): take(position, bytes, line, &batch)
    case .sky(let sky):
      if epochs.take(sky, into: &batch) { state.take(sky) }
    case .attitude(let attitude):
      let heading = compass.take(attitude, receiver: epochs.receiver)
      batch.mark(heading.map { .heading($0) } ?? .otherRecord)
    case .version(let version):
      sentences.finish(&epochs, &batch)
      epochs.beginConnection(into: &batch)
      (hasReports, receiver, hasReportedOthers) = (false, nil, false)
      forgetShipTime()
      compass = Compass()
      state.version = version
      state.forgetSky()
    case .devices(let count):
      endEpoch(&batch)
      state.isAttached = count > 0
      if count == 0 { state.removeReceiver() }
    case .device(_, isActive: true): state.isAttached = true
    case .device(let device, isActive: false): remove(device, &batch)
    case .watch: break
    case .change(let change):
      let known = batch.points.count
      endEpoch(&batch)
      watchPoints(from: known, &batch)
      if let change = watch.note(change) { batch.mark(.status(change)) }
    case .anchor(let command):
      endEpoch(&batch)
      batch.mark(.anchor(command))
    case .recording(let source):
      if parts.continues(source.part) { break }
      endEpoch(&batch)
      guard let device = source.device else { break }
      follow(device, &batch)
      endEpoch(&batch)
      // Here a program started, which knew nothing of what was before.
      start = source.start
      watch = ReceiverWatch(start: start)
      ships = readsShips || source.hasShips ? ShipClock() : nil
      epochs.allowsSimulated = allowsSimulated || source.allowsSimulated
      if readsShips { turn(to: epochs.device, &batch) }
    case .source(let device, let deadline):
      follow(device, &batch)
      if let index = epochs.device { turn(to: index, &batch) }
      if let deadline { batch.mark(.deadline(deadline)) }
    case .fix(let fix):
      endEpoch(&batch)
      batch.points.append(TracePoint(fix: fix, line: line.number, device: epochs.device))
    case .forgotten(let device):
      follow(device, &batch)
      guard let index = epochs.device else { break }
      turn(to: index, &batch)
      batch.mark(.forgotten)
      resume(index)
      epochs.follow(index, into: &batch)
    case .restarted: restart(&batch)
    case .error(let message):
      state.error = message
      batch.mark(.otherRecord)
    case .ais, .other: batch.mark(.otherRecord)
    }
  }

  private mutating func take(
    _ report: GPSDPosition, _ bytes: Span<UInt8>, _ line: ReceiverLine,
    _ batch: inout TraceBatch
  ) {
    if !hasReports {
      hasReports = true
      // The epoch of the sentences before it is this one.
      if sentences.forget() { batch.mark(.repeatedReport) }
    }
    guard epochs.take(report, line: line.number, into: &batch) else {
      return reportOtherReceivers(bytes, line, &batch)
    }
    state.take(report, isRefused: epochs.refuses(report))
    ships?.hear(report.time)
    compass.hear(report)
    if epochs.receiver != receiver {
      receiver = epochs.receiver
      state.receiver = SwiftGPSDReader.devicePath(in: bytes)
    }
  }

  private mutating func remove(_ device: GPSDDeviceKey, _ batch: inout TraceBatch) {
    let isFollowed = epochs.receiver == nil || epochs.receiver == device
    compass.remove(device)
    epochs.remove(device, into: &batch)
    guard isFollowed else { return }
    receiver = nil
    state.removeReceiver()
    forgetShipTime()
    if let change = watch.removed() { batch.mark(.status(change)) }
  }

  /// Forgets the receiver's time: it may be long before the next one comes.
  private mutating func forgetShipTime() {
    if ships != nil { ships = ShipClock() }
  }

  /// Reports once that there are several receivers, and how to choose.
  private mutating func reportOtherReceivers(
    _ bytes: Span<UInt8>, _ line: ReceiverLine, _ batch: inout TraceBatch
  ) {
    guard !hasReportedOthers else { return }
    hasReportedOthers = true
    let other = SwiftGPSDReader.devicePath(in: bytes)?.withoutControls ?? "without a name"
    let followed = state.receiver?.withoutControls ?? "without a name"
    report(
      line.number, line.content.lowerBound,
      "found reports of the receiver \(other) beside those of \(followed), which is followed; to "
        + "choose one, watch gpsd://HOST/DEVICE", &batch, code: .otherReceiver)
  }
}
