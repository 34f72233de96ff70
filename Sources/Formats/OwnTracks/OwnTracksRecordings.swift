internal import Text
import Traces

/// What OwnTracks Recorder stores: a line a message, of one device a file.
///
/// A line has a time, the kind of topic, padded with blanks, and the message, with tabs between them,
/// which editors turn into blanks.
/// The time is the message's own, or the one at which a message without a time arrived.
struct OwnTracksRecordings: LineTraceContent {
  static var expectation: String { "a time, a kind of topic and a message of OwnTracks" }
  static var endsLinesAtReturns: Bool { false }

  private var devices = DeviceTable()
  /// The last device, which that of a message without a name is: old apps leave it out at times.
  private var device: Int32?

  /// Where the message of a line begins; nil when the line has another form.
  static func message(in line: Span<UInt8>) -> Int? {
    var at = 0
    skip(line, &at) { !$0.isBlank }
    guard at < line.count, RFC3339.parse(line.extracting(0..<at)) != nil else { return nil }
    skip(line, &at) { $0.isBlank }
    skip(line, &at) { !$0.isBlank }
    let end = at
    skip(line, &at) { $0.isBlank }
    return end < at && at < line.count ? at : nil
  }

  private static func skip(_ line: Span<UInt8>, _ at: inout Int, while isSkipped: (UInt8) -> Bool) {
    while at < line.count, isSkipped(line[at]) { at += 1 }
  }

  mutating func read(
    _ line: Span<UInt8>, number: Int, isCut: Bool, into batch: inout TraceBatch
  ) {
    let hasReturn = line.count > 0 && line[line.count - 1] == UInt8(ascii: "\r")
    let content = line.trimmed(0..<line.count - (hasReturn ? 1 : 0))
    guard !content.isEmpty else { return }
    guard let start = Self.message(in: line) else {
      let message = "found \(line.quoted(content)), expected \(Self.expectation)"
      return report(
        isCut ? .truncated : .record, number, 0, message, &batch, isCut ? nil : .unknownRecord)
    }
    // Other kinds of topics may have messages that are not JSON.
    guard line[start] == UInt8(ascii: "{") else { return batch.mark(.otherRecord) }
    do throws(JSONError) {
      try read(line, from: start, number: number, into: &batch)
    } catch {
      let kind: TraceIssue.Kind = isCut && error.isCutShort ? .truncated : .record
      report(
        kind, number, error.offset, error.message, &batch, kind == .record ? error.code : nil)
    }
  }

  /// Reads a message; nothing of it is used when its JSON is invalid.
  private mutating func read(
    _ line: Span<UInt8>, from start: Int, number: Int, into batch: inout TraceBatch
  ) throws(JSONError) {
    var record = FixRecord(line: number)
    var scanner = JSONScanner(at: start)
    _ = try scanner.next(in: line)
    while let key = try scanner.nextKey(in: line) {
      guard let field = JSONRecords.Layout.ownTracks.field(key, line) else {
        try scanner.skipValue(in: line)
        continue
      }
      let value = try scanner.nextValue(in: line)
      let place = scanner.tokenOffset
      try scanner.skipRest(of: value, in: line)
      guard let value, value != .null else { continue }
      if let expected = record.read(field, value, line, &devices, &batch) {
        let name = String(key.string(in: line).prefix(40)).withoutControls
        report(
          .record, number, place,
          "\(name) is \(value.quoted(line)), where \(expected) was expected; it is left out",
          &batch,
          field.code)
      }
    }
    _ = try scanner.next(in: line)
    let count = batch.points.count
    if let problem = record.finish(into: &batch) {
      report(.record, number, start, problem, &batch, .missingPosition)
    }
    guard batch.points.count > count else { return }
    device = batch.points[count].device ?? device
    batch.points[count].device = device
  }

  private func report(
    _ kind: TraceIssue.Kind, _ line: Int, _ offset: Int, _ message: String,
    _ batch: inout TraceBatch, _ code: IssueCode?
  ) {
    batch.mark(.issue(TraceIssue(kind, line: line, column: offset + 1, message, code: code)))
  }
}
