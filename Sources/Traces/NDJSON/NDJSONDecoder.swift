import Tracking

/// Reads the `fix` lines of an event log: one JSON object a line.
///
/// Keys may stand in any order, unknown ones are passed over, and null says nothing. An object
/// without a type is a fix when it has a latitude and a longitude. Events of other types are marked
/// as other records, so that a log of everything replays as the fixes in it.
package struct NDJSONDecoder: TraceDecoder {
  /// Most bytes of a line: the longest fix has about 500.
  static let maxLineLength = 64 * 1024

  private var lines = LineCutter(limit: maxLineLength)
  private var record = NDJSONRecord()
  private var devices = DeviceTable()
  private var hasBegun = false

  package init() {}

  /// A bad line never ends the reading.
  package var isFinished: Bool { false }

  package mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    var offset = 0
    if !hasBegun, bytes.count > 0 {
      if bytes[0] == 0xEF, bytes.count < 3, !isFinal { return 0 }
      hasBegun = true
      if bytes.beginsWithByteOrderMark { offset = 3 }
    }
    while offset < bytes.count {
      let line = lines.line
      switch lines.next(bytes, from: offset, isFinal: isFinal) {
      case .needsMore: return offset
      case .skipped(let next): offset = next
      case .tooLong(let next):
        let message = "found a line longer than 64 KiB, expected a JSON object"
        batch.mark(.issue(TraceIssue(.record, line: line, column: 1, message)))
        offset = next
      case .line(let range, let next, let isCut):
        read(bytes.extracting(range), line: line, isCut: isCut, &batch)
        offset = next
      }
    }
    return offset
  }

  private mutating func read(
    _ bytes: Span<UInt8>, line: Int, isCut: Bool, _ batch: inout TraceBatch
  ) {
    do {
      guard try record.read(bytes) else { return }
    } catch {
      let kind: TraceIssue.Kind = isCut && error.isCutShort ? .truncated : .record
      let issue = TraceIssue(kind, line: line, column: error.offset + 1, error.message)
      batch.mark(.issue(issue))
      return
    }
    switch record.kind() {
    case .other: batch.mark(.otherRecord)
    case .fix(let fix):
      for issue in record.issues {
        batch.mark(
          .issue(TraceIssue(.record, line: line, column: issue.offset + 1, issue.message)))
      }
      guard let fix else { return }
      let device = device(bytes, &batch)
      batch.points.append(TracePoint(fix: fix, line: line, device: device))
    }
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
