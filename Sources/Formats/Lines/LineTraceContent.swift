internal import Text
import Traces

/// What a format of lines means: a decoder of it is ``LineTraceDecoder`` with this.
protocol LineTraceContent: Sendable {
  /// What a line should be, for messages.
  static var expectation: String { get }

  /// Whether a carriage return alone ends a line as well.
  static var endsLinesAtReturns: Bool { get }

  init()

  /// Reads a line, without its line feed.
  ///
  /// - Parameter isCut: Whether the trace ends before the line does.
  mutating func read(_ line: Span<UInt8>, number: Int, isCut: Bool, into batch: inout TraceBatch)
}

/// Reads a format of lines; a bad line never ends the reading.
struct LineTraceDecoder<Content: LineTraceContent>: TraceDecoder {
  /// The longest line, in bytes.
  static var maxLineLength: Int { 64 * 1024 }

  private var lines = LineSplitter(
    limit: maxLineLength, endsAtReturns: Content.endsLinesAtReturns)
  private var content = Content()

  var isFinished: Bool { false }

  mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    guard var offset = lines.start(of: bytes, isFinal: isFinal) else { return 0 }
    while offset < bytes.count {
      let line = lines.line
      switch lines.next(bytes, from: offset, isFinal: isFinal) {
      case .needsMore: return offset
      case .skipped(let next): offset = next
      case .tooLong(let next):
        let message = "found a line longer than 64 KiB, expected \(Content.expectation)"
        batch.mark(.issue(TraceIssue(.record, line: line, column: 1, message, code: .tooLong)))
        offset = next
      case .line(let range, let next, let isCut):
        content.read(bytes.extracting(range), number: line, isCut: isCut, into: &batch)
        offset = next
      }
    }
    return offset
  }
}
