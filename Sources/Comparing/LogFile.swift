internal import Scoring
internal import Text
package import Traces

/// An event log in JSON Lines in a file, plain or gzip, read line by line.
package struct LogFile: ~Copyable {
  private var source: ByteSource
  private var buffer = [UInt8](repeating: 0, count: 2 * longestLine)
  /// The bytes of the buffer that are not split yet.
  private var (start, end) = (0, 0)
  private var isFinal = false
  /// The number of errors found.
  package private(set) var errors = 0
  private let report: (String) -> Void

  /// Bytes; the lines of an event log have some hundred.
  private static let longestLine = 1 << 18
  /// More errors are only counted, because every line may be wrong.
  private static let reportedErrors = 100

  /// Opens a log; `-` is standard input.
  ///
  /// - Parameter report: Called with a message for every error.
  package init(path: String, report: @escaping (String) -> Void) throws(TraceError) {
    source = try ByteSource(path: path)
    self.report = report
  }

  /// Reads all events; lines with errors are reported and left out.
  package mutating func read() throws(TraceError) -> ComparedLog {
    var (log, splitter) = (ComparedLog(), LineSplitter(limit: Self.longestLine))
    while try fill(line: splitter.line) {
      splitting: while start < end {
        let line = splitter.line
        switch splitter.next(buffer.span.extracting(0..<end), from: start, isFinal: isFinal) {
        case .line(let range, let next, _):
          start = next
          add(buffer[range], line, to: &log)
        case .tooLong(let next):
          start = next
          note(
            RecordError(
              file: source.path, line: line,
              message: "found more than \(Self.longestLine) bytes, expected an event"))
        case .skipped(let next): start = next
        case .needsMore: break splitting
        }
      }
    }
    if errors > Self.reportedErrors {
      report("\(source.path): \(errors - Self.reportedErrors) more errors like these")
    }
    return log
  }

  private mutating func add(_ text: ArraySlice<UInt8>, _ line: Int, to log: inout ComparedLog) {
    // A byte order mark is no part of the first line.
    let mark = line == 1 && text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    do throws(RecordError) {
      guard
        let record = try JSONRecord(Array(text.dropFirst(mark)), line: line, of: source.path)
      else { return }
      try log.add(record)
    } catch {
      note(error)
    }
  }

  private mutating func note(_ error: RecordError) {
    errors += 1
    if errors <= Self.reportedErrors { report(error.description) }
  }

  /// Reads more bytes behind those that are not split yet, of this line; false when all are split.
  private mutating func fill(line: Int) throws(TraceError) -> Bool {
    if isFinal { return start < end }
    buffer.replaceSubrange(0..<end - start, with: Array(buffer[start..<end]))
    (start, end) = (0, end - start)
    switch try source.read(into: &buffer, at: end) {
    case .bytes(let count): end += count
    case .end: isFinal = true
    case .damaged(let reason):
      isFinal = true
      note(RecordError(file: source.path, line: line, message: reason))
    }
    return true
  }
}
