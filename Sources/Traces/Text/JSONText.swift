/// Writing JSON strings (RFC 8259 §7).
package enum JSONText {
  /// Appends `text` in quotes, with quotes, backslashes and control characters escaped.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    var text = text
    let isPlain = text.withUTF8 { bytes in
      // The bytes are only read, and not after this closure.
      guard !bytes.contains(where: needsEscape) else { return false }
      buffer.append(contentsOf: bytes)
      return true
    }
    if !isPlain { appendEscaped(text, to: &buffer) }
    buffer.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscaped(_ text: String, to buffer: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      case 0x00..<0x20, 0x7F: appendEscape(of: byte, to: &buffer)
      default: buffer.append(byte)
      }
    }
  }

  private static func appendEscape(of byte: UInt8, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    default:
      buffer.append(contentsOf: "u00".utf8)
      HexText.append(byte, to: &buffer)
    }
  }
}

/// Hexadecimal digits.
enum HexText {
  /// Appends two lowercase digits.
  static func append(_ byte: UInt8, to buffer: inout [UInt8]) {
    buffer.append(digit(byte >> 4))
    buffer.append(digit(byte & 15))
  }

  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
