internal import Glibc

/// Splits the input of a socket into lines, in bounded memory.
struct LinkBuffer: Sendable {
  enum Piece: Sendable, Hashable {
    /// A line with its line feed, as a range of ``bytes``.
    case line(Range<Int>)
    /// A line is longer than the limit; it is reported once and skipped.
    case overlong
  }

  /// The most bytes in a line, without its line feed.
  let limit: Int
  /// The input that is not processed yet, with the lines returned since the last call of ``append(_:)``.
  private(set) var bytes: [UInt8] = []
  /// Skipped bytes of the current overlong line; 0 when there is none.
  private(set) var skipped = 0
  /// Where the next line begins.
  private var lineStart = 0
  /// There is no line feed between ``lineStart`` and here.
  private var searched = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Appends input; invalidates the ranges returned before.
  mutating func append(_ more: ArraySlice<UInt8>) {
    bytes.removeSubrange(..<lineStart)
    searched -= lineStart
    lineStart = 0
    bytes.append(contentsOf: more)
  }

  /// The next piece; nil when more bytes are needed.
  mutating func next() -> Piece? {
    while lineStart < bytes.count {
      guard let feed = lineFeed() else {
        if skipped == 0, bytes.count - lineStart <= limit {
          searched = bytes.count
          return nil
        }
        return skip(to: bytes.count, isEnd: false)
      }
      let line = lineStart..<feed + 1
      if skipped > 0 || line.count - 1 > limit {
        if let piece = skip(to: feed + 1, isEnd: true) { return piece }
      } else {
        (lineStart, searched) = (line.upperBound, line.upperBound)
        return .line(line)
      }
    }
    return nil
  }

  /// Empties the buffer and returns the incomplete line at its end; returns nothing when complete lines
  /// before it were not processed.
  mutating func takeRest() -> ArraySlice<UInt8> {
    let rest = skipped == 0 && searched == bytes.count ? bytes[lineStart...] : []
    self = LinkBuffer(limit: limit)
    return rest
  }

  /// Skips a part of an overlong line; returns a piece for the first part.
  private mutating func skip(to end: Int, isEnd: Bool) -> Piece? {
    let isFirst = skipped == 0
    skipped = isEnd ? 0 : skipped + end - lineStart
    (lineStart, searched) = (end, end)
    return isFirst ? .overlong : nil
  }

  private func lineFeed() -> Int? {
    let from = max(searched, lineStart)
    guard from < bytes.count else { return nil }
    return bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return nil }
      return memchr(base + from, Int32(UInt8(ascii: "\n")), all.count - from).map {
        $0 - UnsafeMutableRawPointer(mutating: base)
      }
    }
  }
}
