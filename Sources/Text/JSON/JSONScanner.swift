/// Reads JSON (RFC 8259, strictly) a token at a time.
///
/// The scanner enforces the grammar: a caller that reads all tokens up to the closing nil has read
/// a complete and valid text, and a skipped value has been validated. It keeps no bytes, so every
/// call takes the same ones. There is no recursion and no allocation, whatever the nesting: at most
/// ``maxDepth`` levels.
///
///     var scanner = JSONScanner()
///     while let token = try scanner.next(in: bytes) { … }
public struct JSONScanner: Sendable {
  /// The most levels of arrays and objects.
  ///
  /// GeoJSON needs 8; a bound keeps hostile input cheap.
  package static let maxDepth = 64

  /// What may come next.
  private enum Expectation {
    case value, firstKey, firstElement, separator, end
  }

  /// The offset at which the search for the next token begins.
  public internal(set) var offset: Int
  /// The offset of the last token.
  public private(set) var tokenOffset: Int
  /// The number of open arrays and objects.
  public private(set) var depth = 0
  private var expectation = Expectation.value
  private var half = HalfPair.isError
  /// One bit per level, the innermost lowest: set for an object.
  private var levels: UInt64 = 0

  /// A scanner of the one value that begins at `offset`, followed by nothing but blanks.
  package init(at offset: Int = 0) {
    self.offset = offset
    tokenOffset = offset
  }

  /// A scanner for which half of a surrogate pair is U+FFFD, see ``takeHalfPair()``.
  package static func replacingHalfPairs(at offset: Int = 0) -> JSONScanner {
    var scanner = JSONScanner(at: offset)
    scanner.half = .isReplaced(firstAt: nil)
    return scanner
  }

  /// The offset of the first half of a surrogate pair since the last call.
  mutating func takeHalfPair() -> Int? {
    guard case .isReplaced(let first?) = half else { return nil }
    half = .isReplaced(firstAt: nil)
    return first
  }

  /// Whether the value has been read to its end.
  package var isAtEnd: Bool { expectation == .end }

  /// Continues in bytes without the first `count`, which have been read.
  package mutating func discard(_ count: Int) {
    offset -= count
    tokenOffset -= count
  }

  /// The next token, or nil at the end of the text.
  public mutating func next(in bytes: Span<UInt8>) throws(JSONError) -> JSONToken? {
    skipBlanks(bytes)
    switch expectation {
    case .value: return try value(bytes)
    case .firstKey: return take("}", bytes) ? close(.endObject) : try key(bytes)
    case .firstElement: return take("]", bytes) ? close(.endArray) : try value(bytes)
    case .separator: return try afterValue(bytes)
    case .end:
      if offset < bytes.count { throw unexpected("the end of the text", bytes) }
      return nil
    }
  }

  /// The name of the next member of the open object, or nil at the object's end.
  @inlinable
  public mutating func nextKey(in bytes: Span<UInt8>) throws(JSONError) -> JSONSlice? {
    switch try next(in: bytes) {
    case .key(let key): return key
    case .endObject: return nil
    default: throw JSONError(offset: tokenOffset, message: "expected a key here")
    }
  }

  /// The next token, which must begin a value, or nil at the end of an array.
  @inlinable
  public mutating func nextValue(in bytes: Span<UInt8>) throws(JSONError) -> JSONToken? {
    switch try next(in: bytes) {
    case .endArray: return nil
    case .key, .endObject, nil:
      throw JSONError(offset: tokenOffset, message: "expected a value here")
    case let token?: return token
    }
  }

  /// Skips the rest of the value that `token` begins; it is still validated.
  @inlinable
  public mutating func skipRest(
    of token: JSONToken?, in bytes: Span<UInt8>
  ) throws(JSONError) {
    switch token {
    case .beginObject, .beginArray: break
    default: return
    }
    let outside = depth - 1
    while depth > outside, try next(in: bytes) != nil {}
  }

  /// Skips the next value.
  @inlinable
  public mutating func skipValue(in bytes: Span<UInt8>) throws(JSONError) {
    try skipRest(of: nextValue(in: bytes), in: bytes)
  }

  // MARK: Grammar

  private mutating func afterValue(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken? {
    let inObject = levels & 1 == 1
    if take(",", bytes) {
      skipBlanks(bytes)
      return inObject ? try key(bytes) : try value(bytes)
    }
    if inObject {
      if take("}", bytes) { return close(.endObject) }
      throw unexpected("',' or '}' after a member of an object", bytes)
    }
    if take("]", bytes) { return close(.endArray) }
    throw unexpected("',' or ']' after an element of an array", bytes)
  }

  private mutating func key(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
    tokenOffset = offset
    guard take("\"", bytes) else { throw unexpected("a key in double quotes", bytes) }
    let key = try JSONLexeme.string(bytes, at: &offset, half: &half)
    skipBlanks(bytes)
    guard take(":", bytes) else { throw unexpected("':' after the key", bytes) }
    expectation = .value
    return .key(key)
  }

  private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
    tokenOffset = offset
    guard offset < bytes.count else { throw unexpected("a value", bytes) }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return try open(.beginObject)
    case UInt8(ascii: "["): return try open(.beginArray)
    case UInt8(ascii: "\""):
      offset += 1
      let string = try JSONLexeme.string(bytes, at: &offset, half: &half)
      return finish(.string(string))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try JSONLexeme.number(bytes, at: &offset)
      return finish(.number(number))
    case UInt8(ascii: "t"): return try word("true", .bool(true), bytes)
    case UInt8(ascii: "f"): return try word("false", .bool(false), bytes)
    case UInt8(ascii: "n"): return try word("null", .null, bytes)
    default: throw unexpected("a value", bytes)
    }
  }

  private mutating func word(
    _ word: StaticString, _ token: JSONToken, _ bytes: Span<UInt8>
  ) throws(JSONError) -> JSONToken {
    let end = min(offset + word.utf8CodeUnitCount, bytes.count)
    let found = bytes.extracting(offset..<end)
    guard found.equals(word) else {
      let isCutShort = end == bytes.count && "\(word)".utf8.starts(with: found.string.utf8)
      throw JSONError(
        offset: offset, message: "expected true, false, null, a number or text in quotes",
        isCutShort: isCutShort)
    }
    offset = end
    return finish(token)
  }

  private mutating func open(_ token: JSONToken) throws(JSONError) -> JSONToken {
    guard depth < Self.maxDepth else {
      throw JSONError(
        offset: offset,
        message: "arrays and objects are nested deeper than \(Self.maxDepth) levels",
        code: .tooDeep)
    }
    let isObject = token == .beginObject
    levels = levels << 1 | (isObject ? 1 : 0)
    depth += 1
    offset += 1
    expectation = isObject ? .firstKey : .firstElement
    return token
  }

  private mutating func close(_ token: JSONToken) -> JSONToken {
    tokenOffset = offset - 1
    levels >>= 1
    depth -= 1
    return finish(token)
  }

  private mutating func finish(_ token: JSONToken) -> JSONToken {
    expectation = depth == 0 ? .end : .separator
    return token
  }

  // MARK: Bytes

  /// Moves past the opening quote of the string that is the next value, if one is.
  mutating func beginString(_ bytes: Span<UInt8>) -> Bool {
    skipBlanks(bytes)
    switch expectation {
    case .value, .firstElement: break
    case .separator:
      guard levels & 1 == 0, take(",", bytes) else { return false }
      skipBlanks(bytes)
    case .firstKey, .end: return false
    }
    tokenOffset = offset
    return take("\"", bytes)
  }

  /// Ends a string that ``beginString(_:)`` began; its closing quote is before `end`.
  mutating func endString(at end: Int) {
    offset = end
    expectation = depth == 0 ? .end : .separator
  }

  private mutating func skipBlanks(_ bytes: Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private func unexpected(_ expected: String, _ bytes: Span<UInt8>) -> JSONError {
    guard offset < bytes.count else {
      return JSONError(
        offset: offset, message: "the text ends, expected \(expected)", isCutShort: true)
    }
    let found = bytes.quotedCharacter(at: offset)
    return JSONError(offset: offset, message: "found \(found), expected \(expected)")
  }
}
