/// Helpers of the text readers.
extension UInt8 {
  /// 0 to 9, or nil when it is not an ASCII digit.
  @inlinable public var decimalDigit: UInt8? {
    let digit = self &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }

  /// 0 to 15, or nil when it is not an ASCII hexadecimal digit.
  @inlinable public var hexDigit: UInt8? {
    if let decimalDigit { return decimalDigit }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// The lowercase letter of an ASCII capital; anything else is unchanged.
  package var lowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }

  /// Space or tab.
  @inlinable public var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Whether it is a control character of ASCII that texts do not have.
  ///
  /// Logs of terminals have bells, backspaces, form feeds and escapes.
  package var isBinaryControl: Bool { self < 0x20 && !(0x07...0x0D ~= self || self == 0x1B) }
}

extension Span<UInt8> {
  /// Whether these are the bytes of `text`.
  @inlinable
  public func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { other in
      for index in indices where self[index] != other[index] { return false }
      return true
    }
  }

  /// The text, with invalid UTF-8 replaced by U+FFFD.
  package var string: String {
    // The buffer is only read, and only inside the closure.
    withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Offset of the first `byte` at or after `start`, or nil.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var index = start
    let pattern = Bytes.ones &* UInt64(byte)
    while index &+ 8 <= count {
      let found = Bytes.equal(Bytes.word(self, index), pattern)
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count {
      if self[index] == byte { return index }
      index &+= 1
    }
    return nil
  }

  /// Offset of the first of two bytes at or after `start`, or nil.
  package func firstIndex(of byte: UInt8, or other: UInt8, from start: Int) -> Int? {
    var index = start
    let patterns = (Bytes.ones &* UInt64(byte), Bytes.ones &* UInt64(other))
    while index &+ 8 <= count {
      let word = Bytes.word(self, index)
      // Each is right up to its first byte, so the lower of both is right.
      let found = Bytes.equal(word, patterns.0) | Bytes.equal(word, patterns.1)
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count {
      if self[index] == byte || self[index] == other { return index }
      index &+= 1
    }
    return nil
  }

  /// Whether a UTF-8 byte order mark is at the beginning.
  package var beginsWithByteOrderMark: Bool {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
  }

  /// `range` without the blanks at its ends.
  package func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, self[lower].isBlank { lower += 1 }
    while lower < upper, self[upper - 1].isBlank { upper -= 1 }
    return lower..<upper
  }

  /// The bytes of `range` as a message quotes them: in quotes, at most 40 of them, without control
  /// characters, so a hostile file cannot control the terminal.
  package func quoted(_ range: Range<Int>) -> String {
    let limit = 40
    let isLong = range.count > limit
    let end = isLong ? range.lowerBound + limit : range.upperBound
    let text = extracting(range.lowerBound..<end).string.withoutControls
    return isLong ? "\"\(text)…\"" : "\"\(text)\""
  }

  /// Whether the bytes are no text, nor one in another encoding or with a few invalid bytes.
  ///
  /// They have control characters that texts do not have, or more than a quarter of them is invalid
  /// UTF-8.
  package var isBinary: Bool {
    for index in indices where self[index].isBinaryControl { return true }
    let scalars = string.unicodeScalars
    return scalars.count { $0 == "\u{FFFD}" } * 4 > scalars.count
  }

  /// The character that begins at `offset`, as a message quotes it.
  package func quotedCharacter(at offset: Int) -> String {
    quoted(offset..<characterEnd(at: offset))
  }

  /// Whether bytes that may follow belong to the character at `offset` as well.
  package func isCharacterOpen(at offset: Int) -> Bool {
    let end = characterEnd(at: offset)
    return end == count && self[offset] >= 0xC0 && end < offset + 4
  }

  /// The end of the character that begins at `offset`, also when it is invalid UTF-8.
  private func characterEnd(at offset: Int) -> Int {
    var end = offset + 1
    guard self[offset] >= 0xC0 else { return end }
    while end < count, end < offset + 4, self[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}

extension [UInt8] {
  /// Appends contiguous bytes.
  @inlinable @inline(__always)
  public mutating func append(_ bytes: borrowing Span<UInt8>) {
    // The buffer is only read, and only inside the closure.
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}

extension String {
  /// The text with '?' for every control character and every bidirectional control: in a terminal
  /// both can make one text look like another.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      result.unicodeScalars.append(scalar.isControl ? "?" : scalar)
    }
    return result
  }
}

extension Unicode.Scalar {
  /// C0, C1, DEL, line separators, and the bidirectional controls of Unicode UAX 9.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
