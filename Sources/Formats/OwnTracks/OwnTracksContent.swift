import Geodesy
internal import Text
import Traces
import Tracking

/// OwnTracks: the messages of its apps, one a line, bare or as its Recorder stores them.
///
/// The Recorder writes a time, the kind of topic, padded with blanks, and the message, with tabs between
/// them. That time is the message's own, or the one at which a message without a time arrived.
struct OwnTracksContent: LineTraceContent {
  static var expectation: String { "a message of OwnTracks" }
  static var endsLinesAtReturns: Bool { false }

  private var message = OwnTracksMessage()
  private var devices = DeviceTable()
  /// The last device, which that of a message without a name is: old apps leave it out at times.
  private var device: Int32?

  /// Where the message of a line of the Recorder begins; nil when the line has another form.
  static func storedMessage(in line: Span<UInt8>) -> Int? {
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t"), from: 0),
      RFC3339.parse(line.extracting(0..<tab)) != nil,
      let second = line.firstIndex(of: UInt8(ascii: "\t"), from: tab + 1),
      second + 1 < line.count
    else { return nil }
    return second + 1
  }

  mutating func read(
    _ line: Span<UInt8>, number: Int, isCut: Bool, into batch: inout TraceBatch
  ) {
    let hasReturn = line.count > 0 && line[line.count - 1] == UInt8(ascii: "\r")
    let content = line.trimmed(0..<line.count - (hasReturn ? 1 : 0))
    guard !content.isEmpty else { return }
    let isBare = line[content.lowerBound] == UInt8(ascii: "{")
    guard let start = isBare ? content.lowerBound : Self.storedMessage(in: line) else {
      let message = "found \(line.quoted(content)), expected \(Self.expectation)"
      return report(isCut ? .truncated : .record, number, 0, message, &batch)
    }
    // Other kinds of topics may have messages that are not JSON.
    guard line[start] == UInt8(ascii: "{") else {
      return batch.mark(.otherRecord)
    }
    do throws(JSONError) {
      try take(line, from: start, number: number, into: &batch)
    } catch {
      let kind: TraceIssue.Kind = isCut && error.isCutShort ? .truncated : .record
      report(kind, number, error.offset, error.message, &batch)
    }
  }

  private mutating func take(
    _ line: Span<UInt8>, from start: Int, number: Int, into batch: inout TraceBatch
  ) throws(JSONError) {
    var scanner = JSONScanner(at: start)
    _ = try scanner.next(in: line)
    try message.read(&scanner, line)
    _ = try scanner.next(in: line)
    guard message.isLocation else { return batch.mark(.otherRecord) }
    for problem in message.problems {
      report(.record, number, problem.offset, problem.message, &batch)
    }
    guard message.hasPosition else { return }
    if let name = message.device {
      let name = Array(name.string(in: line).utf8)
      device = devices.index(of: name.span, in: &batch.devices)
    }
    batch.points.append(TracePoint(fix: message.fix, line: number, device: device))
  }

  private func report(
    _ kind: TraceIssue.Kind, _ line: Int, _ offset: Int, _ message: String,
    _ batch: inout TraceBatch
  ) {
    batch.mark(.issue(TraceIssue(kind, line: line, column: offset + 1, message)))
  }
}
