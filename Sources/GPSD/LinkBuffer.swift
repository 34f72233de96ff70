internal import Glibc

/// Cuts what comes from a socket into lines, in bounded memory.
struct LinkBuffer: Sendable {
  enum Piece: Sendable, Hashable {
    /// A line with its line feed, as a range of ``bytes``.
    case line(Range<Int>)
    /// A line is longer than the limit; it is told once, and passed over up to its end.
    case overlong
  }

  /// Most bytes of a line, without its line feed.
  let limit: Int
  /// What came since the last lines were taken.
  private(set) var bytes: [UInt8] = []
  /// Bytes of the overlong line that is being passed over; 0 when there is none.
  private(set) var skipped = 0
  /// Where the line begins that comes next.
  private var lineStart = 0
  /// Up to here there is no line feed from ``lineStart`` on.
  private var searched = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Adds bytes behind those that are left; ranges that were given before mean nothing any more.
  mutating func append(_ more: ArraySlice<UInt8>) {
    bytes.removeSubrange(..<lineStart)
    searched -= lineStart
    lineStart = 0
    bytes.append(contentsOf: more)
  }

  /// The next piece, nil when more bytes are needed.
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

  /// Empties the buffer; gives the piece of a line at its end, unless there are lines before it
  /// that were not taken.
  mutating func takeRest() -> ArraySlice<UInt8> {
    let rest = skipped == 0 && searched == bytes.count ? bytes[lineStart...] : []
    self = LinkBuffer(limit: limit)
    return rest
  }

  /// Passes over a part of an overlong line, and tells it when it is the first.
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
