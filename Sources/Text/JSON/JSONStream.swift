/// Reads JSON texts that arrive in pieces, a token at a time.
///
/// Texts may follow one another, as the lines of a log do. A token is returned only when it is
/// complete, so its slice is valid in the bytes of the same call. Half of a surrogate pair is read as
/// U+FFFD, because one such name must not end the reading of a file of years.
package struct JSONStream: Sendable {
  /// The offset at which the search for the next token begins: the bytes before it are used.
  package var offset: Int { scanner.offset }
  /// The offset of the last token.
  package var tokenOffset: Int { scanner.tokenOffset }
  /// The number of open arrays and objects.
  package var depth: Int { scanner.depth }

  private var scanner = JSONScanner.replacingHalfPairs()
  /// Whether a text that is skipped continues in the next bytes.
  private var isInText = false

  /// A longest character of UTF-8, as quoted in the message of an error.
  private static let characterLength = 4

  /// Texts begin at `offset`.
  package init(at offset: Int = 0) { scanner = .replacingHalfPairs(at: offset) }

  /// The next token; nil when more bytes are needed, or at the end of all of them.
  package mutating func next(
    _ bytes: Span<UInt8>, isFinal: Bool
  ) throws(JSONError) -> JSONToken? {
    if scanner.isAtEnd, !beginText(bytes) { return nil }
    let before = scanner
    do {
      let token = try scanner.next(in: bytes)
      guard case .number = token, scanner.offset == bytes.count, !isFinal else { return token }
      // Digits may follow.
    } catch {
      let isUndecided =
        error.isCutShort || bytes.count - error.offset < Self.characterLength
      guard isUndecided, !isFinal else { throw error }
    }
    scanner = before
    return nil
  }

  /// What is wrong with the last tokens although they were read, and its offset; only once.
  package mutating func takeFault() -> JSONError? {
    scanner.takeHalfPair().map {
      JSONError(offset: $0, message: "\(HalfPair.message); it is read as U+FFFD")
    }
  }

  /// Begins the next text, where bytes other than blanks follow the last one.
  private mutating func beginText(_ bytes: Span<UInt8>) -> Bool {
    var offset = scanner.offset
    while offset < bytes.count, isXMLSpace(bytes[offset]) { offset += 1 }
    scanner.offset = offset
    guard offset < bytes.count else { return false }
    scanner = .replacingHalfPairs(at: offset)
    return true
  }

  /// Continues in bytes without the first ``offset``, which are used.
  package mutating func use() -> Int {
    let count = scanner.offset
    scanner.discard(count)
    return count
  }

  // MARK: Skipping

  /// Skips the value that is next, or the rest of it, until `depth` is reached again.
  ///
  /// A text of any length is skipped in pieces; of such a text only the end is looked for.
  /// - Returns: whether the value was skipped to its end; otherwise more bytes are needed.
  package mutating func skip(
    to depth: Int, _ bytes: Span<UInt8>, isFinal: Bool
  ) throws(JSONError) -> Bool {
    if isInText {
      guard try skipText(bytes, isFinal: isFinal) else { return false }
      if scanner.depth == depth { return true }
    }
    while true {
      guard try next(bytes, isFinal: isFinal) != nil else {
        var begun = scanner
        if bytes.count - scanner.offset > Self.wholeLength, begun.beginString(bytes) {
          (scanner, isInText) = (begun, true)
          _ = try skipText(bytes, isFinal: isFinal)
        }
        return false
      }
      if scanner.depth == depth { return true }
    }
  }

  /// Texts up to this length are scanned whole, also when they are skipped.
  private static let wholeLength = 64 << 10

  private mutating func skipText(_ bytes: Span<UInt8>, isFinal: Bool) throws(JSONError) -> Bool {
    var at = scanner.offset
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        isInText = false
        scanner.endString(at: at + 1)
        return true
      case UInt8(ascii: "\\"):
        guard at + 1 < bytes.count || isFinal else {
          scanner.offset = at
          return false
        }
        at += 2
      default: at += 1
      }
    }
    at = min(at, bytes.count)
    scanner.offset = at
    guard !isFinal else {
      throw JSONError(
        offset: at, message: "the text ends inside a string", isCutShort: true,
        code: .unclosedQuote)
    }
    return false
  }
}
