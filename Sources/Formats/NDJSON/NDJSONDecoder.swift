internal import Text
package import Traces
import Tracking

/// Reads the `fix` lines of an event log: one JSON object per line.
///
/// Keys may be in any order, unknown ones are ignored, and null is no value. An object without a
/// type is a fix when it has a latitude and a longitude. Events of other types are marked as other
/// records, so a complete log replays as the fixes in it.
package struct NDJSONDecoder: TraceDecoder {
  /// The longest line, in bytes: the longest fix has about 500.
  package static let maxLineLength = 64 * 1024

  private var lines = LineSplitter(limit: maxLineLength)
  private var record = NDJSONRecord()
  private var devices = DeviceTable()
  private var shapes = NDJSONShapes()
  private var times: CSVTimes
  private var notedRemarks: CSVTimes.Remarks = []
  /// Whether lines may be read by their shapes; false in tests that compare both ways.
  var usesShapes = true

  package init(_ options: ReadingOptions = ReadingOptions()) {
    times = CSVTimes(form: .automatic, zone: options.zone)
  }

  /// A bad line never ends the reading.
  package var isFinished: Bool { false }

  package mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    guard var offset = lines.start(of: bytes, isFinal: isFinal) else { return 0 }
    while offset < bytes.count {
      if usesShapes { readAlike(bytes, &offset, &batch) }
      let line = lines.line
      guard offset < bytes.count else { break }
      switch lines.next(bytes, from: offset, isFinal: isFinal) {
      case .needsMore: return offset
      case .skipped(let next): offset = next
      case .tooLong(let next):
        let message = "found a line longer than 64 KiB, expected a JSON object"
        batch.mark(
          .issue(TraceIssue(.record, line: line, column: 1, message, code: .tooLong)))
        offset = next
      case .line(let range, let next, let isCut):
        let isRight = read(bytes.extracting(range), line: line, isCut: isCut, &batch)
        if isRight, !isCut, usesShapes { shapes.learn(bytes.extracting(offset..<next)) }
        offset = next
      }
    }
    return offset
  }

  /// Reads the lines whose shapes are known.
  private mutating func readAlike(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ batch: inout TraceBatch
  ) {
    guard !lines.isSkipping else { return }
    var line = lines.line
    shapes.read(bytes, from: &offset, &line, &devices, into: &batch)
    lines.move(to: line)
  }

  /// Reads a line; returns whether it is a valid fix.
  private mutating func read(
    _ bytes: Span<UInt8>, line: Int, isCut: Bool, _ batch: inout TraceBatch
  ) -> Bool {
    do {
      guard try record.read(bytes) else { return false }
    } catch {
      let kind: TraceIssue.Kind = isCut && error.isCutShort ? .truncated : .record
      let issue = TraceIssue(
        kind, line: line, column: error.offset + 1, error.message,
        code: kind == .truncated ? nil : error.code)
      batch.mark(.issue(issue))
      return false
    }
    switch record.kind() {
    case .other:
      batch.mark(.otherRecord)
      return false
    case .deviceState(let slice):
      let state = slice?.string(in: bytes) ?? ""
      batch.mark(
        .deviceState(DeviceStateRecord(line: line, device: device(bytes, &batch), state: state)))
      return false
    case .fix(let fix):
      let device = fix == nil ? nil : device(bytes, &batch)
      times.device = device
      let time: Timestamp?
      if fix == nil {
        // A time without a position shows nothing of the clock of those that have one.
        var others = times.withoutOrder
        time = record.time(bytes, &others)
      } else {
        time = record.time(bytes, &times)
      }
      for issue in record.issues {
        batch.mark(
          .issue(
            TraceIssue(
              .record, line: line, column: issue.offset + 1, issue.message, code: issue.code)))
      }
      noteTimes(&batch)
      guard var fix else { return false }
      fix.time = time
      batch.points.append(TracePoint(fix: fix, line: line, device: device))
      return record.issues.isEmpty
    }
  }

  /// Notes how times are read that are not clear, after the first of each kind.
  private mutating func noteTimes(_ batch: inout TraceBatch) {
    let new = times.remarks.subtracting(notedRemarks)
    guard !new.isEmpty else { return }
    notedRemarks = times.remarks
    for note in times.notes(of: new) { batch.mark(.note(note)) }
  }

  private mutating func device(_ bytes: Span<UInt8>, _ batch: inout TraceBatch) -> Int32? {
    guard let slice = record.device else { return nil }
    guard slice.isEscaped else {
      return devices.index(of: bytes.extracting(slice.range), in: &batch.devices)
    }
    let name = Array(slice.string(in: bytes).utf8)
    return devices.index(of: name.span, in: &batch.devices)
  }
}
