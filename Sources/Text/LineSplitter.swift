/// Splits bytes that arrive in chunks into lines.
package struct LineSplitter: Sendable {
  package enum Piece: Equatable {
    /// A line without its line feed, which is missing when `isCut`; the next line begins at `next`.
    case line(Range<Int>, next: Int, isCut: Bool)
    /// A line that is longer than the limit: it is reported once, and skipped.
    case tooLong(next: Int)
    /// The rest, or a part, of a line that is too long.
    case skipped(next: Int)
    /// The line does not end here; more bytes are needed.
    case needsMore
  }

  /// The longest line, in bytes.
  package let limit: Int
  /// Number of the next line, from 1.
  package private(set) var line = 1
  /// Whether the first bytes were seen.
  private var hasBegun = false
  /// Whether the rest of a line that is too long comes next.
  package private(set) var isSkipping = false

  package init(limit: Int) {
    self.limit = limit
  }

  /// Where the lines of a chunk begin: behind a byte order mark in the first chunk, else at 0; nil when
  /// more bytes are needed.
  package mutating func start(of bytes: Span<UInt8>, isFinal: Bool) -> Int? {
    guard !hasBegun, bytes.count > 0 else { return 0 }
    if bytes[0] == 0xEF, bytes.count < 3, !isFinal { return nil }
    hasBegun = true
    return bytes.beginsWithByteOrderMark ? 3 : 0
  }

  /// Continues at the beginning of a later line.
  package mutating func move(to line: Int) { self.line = line }

  /// The piece at `start`, which is before the end of the bytes.
  package mutating func next(_ bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> Piece {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start)
    if isSkipping {
      guard let end else { return .skipped(next: bytes.count) }
      isSkipping = false
      line += 1
      return .skipped(next: end + 1)
    }
    if (end ?? bytes.count) - start > limit {
      isSkipping = true
      return .tooLong(next: start + limit)
    }
    guard let end else {
      if !isFinal { return .needsMore }
      line += 1
      return .line(start..<bytes.count, next: bytes.count, isCut: true)
    }
    line += 1
    return .line(start..<end, next: end + 1, isCut: false)
  }
}
