internal import Text

extension XMLScanner {
  /// Reads text up to the next `<`, where ``position`` then is.
  mutating func characters(_ bytes: borrowing Span<UInt8>) -> Outcome {
    let isWanted = open.depth == text.depth
    while true {
      let from = position
      let at = run(bytes, Self.indentation(bytes, from), bytes.count, 0x3C, 0x26, 0x5D)
      position = at
      if isWanted, at > from, let excess = text.add(bytes, from..<at) {
        return failTooLongText(excess)
      }
      guard at < bytes.count else { return .incomplete }
      if bytes[at] == 0x3C { return .goOn }
      let outcome = special(bytes, isWanted: isWanted)
      guard outcome == .goOn else { return outcome }
    }
  }

  /// Reads a byte that is neither plain text nor markup: a `]`, a reference or an invalid byte.
  private mutating func special(_ bytes: borrowing Span<UInt8>, isWanted: Bool) -> Outcome {
    let at = position
    if bytes[at] == 0x5D {
      guard let isEnd = has(bytes, at, "]]>") else { return .incomplete }
      if isEnd { return fail(at, "']]>' in text; write ']]&gt;'") }
      position += 1
      if isWanted, let excess = text.add(bytes, at..<at + 1) { return failTooLongText(excess) }
      return .goOn
    }
    guard bytes[at] == 0x26 else { return wrongByte(bytes, at, bytes.count) }
    var scalar = Unicode.Scalar(UInt8(0))
    var after = at
    let outcome = reference(bytes, &after, bytes.count, &scalar)
    position = after
    if outcome == .goOn, isWanted, let excess = text.add(scalar, bytes, at: at) {
      return failTooLongText(excess)
    }
    return outcome
  }

  /// The offset after the line feed at `from`, if any, and the spaces after it.
  ///
  /// In an indented file, half of all text is that.
  @inline(__always)
  private static func indentation(_ bytes: borrowing Span<UInt8>, _ from: Int) -> Int {
    guard from < bytes.count, bytes[from] == 0x0A else { return from }
    var at = from &+ 1
    while at &+ 8 <= bytes.count {
      let others = Bytes.word(bytes, at) ^ (Bytes.ones &* 0x20)
      if others != 0 { return at &+ others.trailingZeroBitCount >> 3 }
      at &+= 8
    }
    return at
  }

  /// The first of the bytes `a`, `b`, `c` or of an invalid byte from `from` on; else `end`.
  ///
  /// - Complexity: O(n), eight bytes at a time as long as they are plain ASCII.
  @inline(__always)
  func run(
    _ bytes: borrowing Span<UInt8>, _ from: Int, _ end: Int, _ a: UInt8, _ b: UInt8, _ c: UInt8
  ) -> Int {
    let patterns = (Bytes.ones &* UInt64(a), Bytes.ones &* UInt64(b), Bytes.ones &* UInt64(c))
    var at = from
    if at < end, bytes[at] == a { return at }
    while at < end {
      if at &+ 8 <= end {
        let word = Bytes.word(bytes, at)
        let found =
          Bytes.equal(word, patterns.0) | Bytes.equal(word, patterns.1)
          | Bytes.equal(word, patterns.2) | Bytes.unusual(word)
        if found == 0 {
          at &+= 8
          continue
        }
        at &+= found.trailingZeroBitCount >> 3
      }
      let byte = bytes[at]
      if byte == a || byte == b || byte == c { return at }
      if byte >= 0x80 {
        guard case .scalar(_, let length) = XMLCharacter.read(bytes, at, end) else { return at }
        at &+= length
      } else {
        if byte < 0x20 && !isXMLSpace(byte) { return at }
        at &+= 1
      }
    }
    return end
  }

  /// Reports an invalid byte at which ``run(_:_:_:_:_:_:)`` stopped.
  mutating func wrongByte(_ bytes: borrowing Span<UInt8>, _ at: Int, _ end: Int) -> Outcome {
    let byte = bytes[at]
    let hex = "0x" + String(byte, radix: 16, uppercase: true)
    if byte < 0x20 { return fail(at, "the control character \(hex), which XML does not allow") }
    if case .incomplete = XMLCharacter.read(bytes, at, end) { return .incomplete }
    return fail(
      at, "the byte \(hex) is not part of a UTF-8 character; declare the encoding of the file")
  }

  /// Whether the bytes at `at` are `literal`; nil when there are too few to decide.
  func has(_ bytes: borrowing Span<UInt8>, _ at: Int, _ literal: StaticString) -> Bool? {
    for place in 0..<literal.utf8CodeUnitCount {
      guard at + place < bytes.count else { return nil }
      // Inside the literal by the bounds of the loop.
      guard bytes[at + place] == literal.utf8Start[place] else { return false }
    }
    return true
  }

  /// Reads a reference, which begins at `at`, and advances past it.
  mutating func reference(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int, _ scalar: inout Unicode.Scalar
  ) -> Outcome {
    var last = at + 1
    while last < end, last - at < Self.referenceLimit, Self.isReferenceByte(bytes[last]) {
      last += 1
    }
    if last - at >= Self.referenceLimit {
      return fail(at, "a reference longer than \(Self.referenceLimit) bytes")
    }
    guard last < end else { return .incomplete }
    guard bytes[last] == 0x3B, last > at + 1 else {
      return fail(at, "a bare '&'; write '&amp;'")
    }
    guard let found = Self.scalar(bytes, at + 1..<last) else {
      let name = Self.quote(bytes, at..<last + 1)
      return fail(at, "the reference \(name) is not a character that XML allows")
    }
    scalar = found
    at = last + 1
    return .goOn
  }

  private static func isReferenceByte(_ byte: UInt8) -> Bool {
    byte == 0x23 || byte >= 0x80 || XMLCharacter.isNameByte(byte)
  }

  private static func scalar(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Unicode.Scalar?
  {
    guard bytes[range.lowerBound] == 0x23 else {
      guard range.count <= 8 else { return nil }
      let name = Bytes.word(bytes, range.lowerBound, count: range.count)
      return entities.first { $0.name == name }?.scalar
    }
    let isHex = bytes[range.lowerBound + 1] == 0x78
    let digits = range.dropFirst(isHex ? 2 : 1)
    guard !digits.isEmpty else { return nil }
    var value: UInt32 = 0
    for offset in digits {
      guard let digit = digit(bytes[offset]), isHex || digit < 10 else { return nil }
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
    }
    return XMLCharacter.isAllowed(value) ? Unicode.Scalar(value) : nil
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46, 0x61...0x66: UInt32((byte | 0x20) - 0x57)
    default: nil
    }
  }

  /// The five entities that need no declaration (section 4.6).
  private static let entities: [(name: UInt64, scalar: Unicode.Scalar)] = [
    (ShortName("lt").head, "<"), (ShortName("gt").head, ">"), (ShortName("amp").head, "&"),
    (ShortName("quot").head, "\""), (ShortName("apos").head, "'"),
  ]
}

extension XMLScanner {
  /// The value of an attribute with its references replaced by their characters.
  mutating func resolved(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var value: [UInt8] = []
    var at = range.lowerBound
    while at < range.upperBound {
      var scalar = Unicode.Scalar(UInt8(0))
      if bytes[at] == 0x26, reference(bytes, &at, range.upperBound, &scalar) == .goOn {
        value.append(contentsOf: UTF8.encode(scalar) ?? .init())
      } else {
        value.append(bytes[at])
        at += 1
      }
    }
    return value
  }
}
