/// The text of a config file, with places.
struct ConfigurationText {
  let file: String
  let bytes: [UInt8]

  /// The place of the byte at `offset`, with the column in Unicode scalars.
  func place(at offset: Int) -> ConfigurationPlace {
    var (line, column) = (1, 1)
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return ConfigurationPlace(file: file, line: line, column: column)
  }

  /// The offset of the first byte at a place; the end of the text when there is no such place.
  func offset(line: Int, column: Int) -> Int {
    var offset = 0
    for _ in 1..<max(line, 2) where line > 1 {
      guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else {
        return bytes.count
      }
      offset = end + 1
    }
    var left = column
    while offset < bytes.count {
      if bytes[offset] & 0xC0 != 0x80 { left -= 1 }
      if left <= 0 { break }
      offset += 1
    }
    return offset
  }

  /// The character at a place; nil at the end.
  func character(line: Int, column: Int) -> Character? {
    let start = offset(line: line, column: column)
    return String(decoding: bytes[start...].prefix(4), as: UTF8.self).first
  }

  /// The offset of the first byte from `offset` on that is neither a space nor a tab.
  func skippingBlanks(_ offset: Int) -> Int {
    bytes[min(offset, bytes.count)...].firstIndex { !$0.isBlank } ?? bytes.count
  }

  /// The offset at which there may be more values than a config file may have; nil when there are fewer.
  ///
  /// Each node of YAML begins with one of these bytes or follows one, at most three with each.
  func excessiveValue() -> Int? {
    var left = Self.mostValues
    for (offset, byte) in bytes.enumerated() where mayBeginValue(byte, at: offset) {
      left -= 1
      if left < 0 { return offset }
    }
    return nil
  }

  /// A node takes 150 bytes or more.
  static let mostValues = 1_000_000

  private func mayBeginValue(_ byte: UInt8, at offset: Int) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): true
    case UInt8(ascii: "-"), UInt8(ascii: "?"):
      offset + 1 == bytes.count || bytes[offset + 1] <= 0x20 || bytes[offset + 1] >= 0x80
    default: false
    }
  }

  /// The first byte that a config file must not contain: invalid UTF-8 or a control character (YAML 1.1
  /// §5.1).
  func firstForeignByte() -> (offset: Int, what: String)? {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      return (error.byteOffsets.lowerBound, "bytes that are not UTF-8 text")
    }
    return bytes.indices.first(where: isForeign).map { ($0, "a control character") }
  }

  /// Whether the character at `offset` is not printable in YAML 1.1.
  private func isForeign(at offset: Int) -> Bool {
    let byte = bytes[offset]
    switch byte {
    case 0x00..<0x20: return !byte.isBlank && !byte.isLineEnd
    case 0x7F: return true
    // U+0080 to U+009F are controls, except the line end U+0085; U+FFFE and U+FFFF are not characters.
    case 0xC2: return bytes[offset + 1] < 0xA0 && bytes[offset + 1] != 0x85
    case 0xEF: return bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
    default: return false
    }
  }
}

extension UInt8 {
  /// Whether this is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// Whether this ends a line.
  var isLineEnd: Bool { self == 0x0A || self == 0x0D }
}
