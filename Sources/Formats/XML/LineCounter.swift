internal import Text

/// Converts offsets in the current bytes to lines and columns of the whole trace.
///
/// Lines are counted only when requested, and every line once.
struct LineCounter: Sendable {
  private var line = 1
  /// The offset up to which lines are counted.
  private var counted = 0
  /// The number of consumed bytes of the line at offset 0.
  private var columnsBefore = 0

  /// The line, from 1, of the byte at `offset`.
  @inline(__always)
  mutating func line(at offset: Int, _ bytes: borrowing Span<UInt8>) -> Int {
    if offset >= counted {
      line &+= Bytes.lineFeeds(bytes, counted..<offset)
    } else {
      line &-= Bytes.lineFeeds(bytes, offset..<counted)
    }
    counted = offset
    return line
  }

  /// The column in bytes, from 1, of the byte at `offset`.
  func column(at offset: Int, _ bytes: borrowing Span<UInt8>) -> Int {
    var start = offset
    while start >= 8, Bytes.equal(Bytes.word(bytes, start - 8), Bytes.ones &* 0x0A) == 0 {
      start -= 8
    }
    while start > 0 {
      if bytes[start - 1] == 0x0A { return offset - start + 1 }
      start -= 1
    }
    return columnsBefore + offset + 1
  }

  /// Continues at an offset whose line is known.
  mutating func move(to offset: Int, line: Int) {
    (counted, self.line) = (offset, line)
  }

  /// Discards the first `count` bytes, which are consumed.
  mutating func use(_ count: Int, _ bytes: borrowing Span<UInt8>) {
    _ = line(at: count, bytes)
    columnsBefore = column(at: count, bytes) - 1
    counted = 0
  }

  /// Excludes `count` bytes at the start of the trace from its first column (a byte order mark).
  mutating func skipMark(_ count: Int) { columnsBefore = -count }
}
