/// Turns offsets in the bytes at hand into lines and columns of the whole trace.
///
/// Lines are counted only when somebody asks, and every line once.
struct LineCounter: Sendable {
  private var line = 1
  /// Up to where the lines are counted.
  private var counted = 0
  /// How many bytes of the line at offset 0 were used up before.
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
    while start > 0 {
      if bytes[start - 1] == 0x0A { return offset - start + 1 }
      start -= 1
    }
    return columnsBefore + offset + 1
  }

  /// Goes on at an offset whose line is known.
  mutating func move(to offset: Int, line: Int) {
    (counted, self.line) = (offset, line)
  }

  /// Goes on with the bytes behind the first `count`, which are used up.
  mutating func use(_ count: Int, _ bytes: borrowing Span<UInt8>) {
    _ = line(at: count, bytes)
    columnsBefore = column(at: count, bytes) - 1
    counted = 0
  }

  /// Leaves `count` bytes at the start of the trace out of its first column (a byte order mark).
  mutating func skipMark(_ count: Int) { columnsBefore = -count }
}
