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

  /// Whether a carriage return alone ends a line as well.
  private let endsAtReturns: Bool

  package init(limit: Int, endsAtReturns: Bool = false) {
    self.limit = limit
    self.endsAtReturns = endsAtReturns
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
    let end = end(of: bytes, from: start, isFinal: isFinal)
    // A return at the end of the bytes may be half of a line end.
    let isOpen =
      endsAtReturns && end == nil && !isFinal && bytes[bytes.count - 1] == Self.carriageReturn
    let known = isOpen ? bytes.count - 1 : bytes.count
    if isSkipping {
      guard let end else { return known > start ? .skipped(next: known) : .needsMore }
      isSkipping = false
      line += 1
      return .skipped(next: end.upperBound)
    }
    if (end?.lowerBound ?? known) - start > limit {
      isSkipping = true
      return .tooLong(next: start + limit)
    }
    guard let end else {
      if !isFinal { return .needsMore }
      line += 1
      return .line(start..<bytes.count, next: bytes.count, isCut: true)
    }
    line += 1
    return .line(start..<end.lowerBound, next: end.upperBound, isCut: false)
  }

  private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  private static var carriageReturn: UInt8 { UInt8(ascii: "\r") }

  /// The bytes that end the line; nil when it does not end, or when that is not known yet.
  private func end(of bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> Range<Int>? {
    guard endsAtReturns else {
      return bytes.firstIndex(of: Self.lineFeed, from: start).map { $0..<$0 + 1 }
    }
    guard let end = bytes.firstIndex(of: Self.lineFeed, or: Self.carriageReturn, from: start) else {
      return nil
    }
    if bytes[end] == Self.lineFeed { return end..<end + 1 }
    guard end + 1 < bytes.count else { return isFinal ? end..<end + 1 : nil }
    return end..<(bytes[end + 1] == Self.lineFeed ? end + 2 : end + 1)
  }
}
