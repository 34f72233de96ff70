internal import Text
internal import Traces

/// The lines of a recording, read as they come, in constant memory.
///
/// A class, because its source cannot be copied.
final class RecordingReader {
  /// What comes next.
  enum Piece {
    /// The bytes of a line without its end; `isCut` when the recording ends inside of it.
    case line([UInt8], number: Int, isCut: Bool)
    /// A line that is longer than gpsd's, which is skipped.
    case tooLong(number: Int)
    /// The rest cannot be read, for this reason.
    case damaged(String, number: Int)
  }

  let path: String
  private var source: TextSource
  private var lines = LineSplitter(limit: longestLine)
  private var buffer: [UInt8] = []
  private var offset = 0
  private var isOver = false

  /// The longest line in bytes: gpsd's own limit is 10,240.
  static let longestLine = 64 << 10
  private static let step = 64 << 10

  init(path: String) throws(TraceError) {
    source = try TextSource(path: path)
    self.path = source.path
  }

  /// Whether the next line must first be read from a pipe, which may have to be waited for.
  var mayWait: Bool {
    !isOver && source.totalBytes == nil && !buffer[offset...].contains(UInt8(ascii: "\n"))
  }

  /// The next piece; nil at the end.
  func next() throws(TraceError) -> Piece? {
    while true {
      if offset < buffer.count, let piece = take() { return piece }
      guard !isOver else { return nil }
      buffer.removeFirst(offset)
      offset = 0
      if let damage = try readOn() { return damage }
    }
  }

  private func take() -> Piece? {
    guard let start = lines.start(of: buffer.span.extracting(offset...), isFinal: isOver) else {
      return nil
    }
    offset += start
    while offset < buffer.count {
      let number = lines.line
      switch lines.next(buffer.span, from: offset, isFinal: isOver) {
      case .needsMore: return nil
      case .skipped(let next): offset = next
      case .tooLong(let next):
        offset = next
        return .tooLong(number: number)
      case .line(let range, let next, let isCut):
        offset = next
        return .line(Array(buffer[range]), number: number, isCut: isCut)
      }
    }
    return nil
  }

  private func readOn() throws(TraceError) -> Piece? {
    let count = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.step))
    var more = 0
    defer { buffer.removeLast(buffer.count - count - more) }
    switch try source.read(into: &buffer, at: count) {
    case .bytes(let read): more = read
    case .end: isOver = true
    case .damaged(let reason):
      isOver = true
      return .damaged(reason, number: lines.line)
    }
    return nil
  }
}
