/// Scans and decodes the strings and numbers of JSON (RFC 8259 §6, §7).
package enum JSONLexeme {
  /// The string whose opening quote is before `offset`, which is advanced past the closing one.
  ///
  /// - Parameter half: What is done with half of a surrogate pair.
  static func string(
    _ bytes: Span<UInt8>, at offset: inout Int, half: inout HalfPair
  ) throws(JSONError) -> JSONSlice {
    let start = offset
    var (isEscaped, isASCII) = (false, true)
    offset = JSONPlain.textEnd(bytes, offset)
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        let range = start..<offset
        if !isASCII { try checkUTF8(bytes, range) }
        offset += 1
        return JSONSlice(range: range, isEscaped: isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        try skipEscape(bytes, at: &offset, &half)
      case 0..<0x20:
        throw JSONError(
          offset: offset, message: "found a control character in a text, expected an escape for it")
      default:
        if byte >= 0x80 { isASCII = false }
        offset += 1
      }
    }
    throw JSONError(
      offset: bytes.count, message: "the text ends inside a string, expected '\"'",
      isCutShort: true, code: .unclosedQuote)
  }

  /// The number at `offset`, which is advanced past it.
  static func number(_ bytes: Span<UInt8>, at offset: inout Int) throws(JSONError) -> JSONSlice {
    let start = offset
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
      offset += 1
      if offset < bytes.count, bytes[offset].decimalDigit != nil {
        throw JSONError(offset: start, message: "found a number that begins with 0, remove the 0")
      }
    } else {
      try skipDigits(bytes, at: &offset)
    }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      try skipDigits(bytes, at: &offset)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < bytes.count,
        bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-")
      {
        offset += 1
      }
      try skipDigits(bytes, at: &offset)
    }
    return JSONSlice(range: start..<offset, isEscaped: false)
  }

  /// Appends the text of a scanned string with its escapes decoded.
  package static func unescape(_ bytes: Span<UInt8>, into buffer: inout [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      guard byte == UInt8(ascii: "\\"), offset < bytes.count else {
        buffer.append(byte)
        continue
      }
      let letter = bytes[offset]
      offset += 1
      if letter == UInt8(ascii: "u") {
        buffer.append(
          contentsOf: UTF8.encode(scalar(bytes, at: &offset)) ?? UTF8.encodedReplacementCharacter)
      } else {
        buffer.append(meaning(ofEscape: letter) ?? letter)
      }
    }
  }

  // MARK: Escapes

  /// Checks the escape whose backslash is at `offset`.
  private static func skipEscape(
    _ bytes: Span<UInt8>, at offset: inout Int, _ half: inout HalfPair
  ) throws(JSONError) {
    let start = offset
    guard start + 1 < bytes.count else { throw cutShort(bytes, "the text ends inside an escape") }
    offset += 2
    if meaning(ofEscape: bytes[start + 1]) != nil { return }
    guard bytes[start + 1] == UInt8(ascii: "u") else {
      throw JSONError(
        offset: start,
        message: "found the escape \(bytes.quoted(start..<start + 2)), expected one of "
          + "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
    let unit = try hexUnit(bytes, at: &offset)
    if unit & 0xF800 != 0xD800 { return }
    // A character above U+FFFF is written as a high surrogate and a low one.
    let end = offset
    if unit < 0xDC00, try skipLowSurrogate(bytes, at: &offset) { return }
    offset = end
    try half.find(at: start)
  }

  /// Skips the escape of a low surrogate at `offset`, if one is there.
  private static func skipLowSurrogate(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> Bool {
    for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      guard offset < bytes.count else {
        throw cutShort(bytes, "the text ends inside an escape")
      }
      guard bytes[offset] == expected else { return false }
      offset += 1
    }
    return try hexUnit(bytes, at: &offset) & 0xFC00 == 0xDC00
  }

  private static func hexUnit(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw cutShort(bytes, "the text ends inside an escape") }
      guard let digit = bytes[offset].hexDigit else {
        throw JSONError(
          offset: offset,
          message:
            "found \(bytes.quotedCharacter(at: offset)), expected 4 hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt32(digit)
      offset += 1
    }
    return unit
  }

  /// The character after `\u`, in one unit or a pair; both have been validated.
  private static func scalar(_ bytes: Span<UInt8>, at offset: inout Int) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    guard let high = try? hexUnit(bytes, at: &offset) else { return replacement }
    guard high & 0xFC00 == 0xD800 else { return Unicode.Scalar(high) ?? replacement }
    var end = offset
    guard (try? skipLowSurrogate(bytes, at: &end)) == true else { return replacement }
    offset += 2
    guard let low = try? hexUnit(bytes, at: &offset) else { return replacement }
    return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF)) ?? replacement
  }

  private static func meaning(ofEscape letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  // MARK: Checks

  private static func skipDigits(
    _ bytes: Span<UInt8>, at offset: inout Int
  ) throws(JSONError) {
    let start = offset
    while offset < bytes.count, bytes[offset].decimalDigit != nil { offset += 1 }
    if offset > start { return }
    guard offset < bytes.count else { throw cutShort(bytes, "the text ends inside a number") }
    throw JSONError(
      offset: offset, message: "found \(bytes.quotedCharacter(at: offset)), expected a digit")
  }

  private static func checkUTF8(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(JSONError) {
    do {
      _ = try UTF8Span(validating: bytes.extracting(range))
    } catch {
      throw JSONError(
        offset: range.lowerBound + error.byteOffsets.lowerBound,
        message: "found bytes that are not UTF-8 in a text, expected UTF-8")
    }
  }

  private static func cutShort(_ bytes: Span<UInt8>, _ message: String) -> JSONError {
    JSONError(offset: bytes.count, message: message, isCutShort: true)
  }
}

/// What a reader does with half of a surrogate pair, which is no character (RFC 8259 §8.2).
enum HalfPair: Sendable {
  /// It is an error.
  case isError
  /// It is read as U+FFFD; the first one is at this offset.
  case isReplaced(firstAt: Int?)

  static let message = "found half of a surrogate pair, expected both halves as \\u escapes"

  /// Notes one at an offset.
  fileprivate mutating func find(at offset: Int) throws(JSONError) {
    switch self {
    case .isError: throw JSONError(offset: offset, message: Self.message)
    case .isReplaced(let first): self = .isReplaced(firstAt: first ?? offset)
    }
  }
}
