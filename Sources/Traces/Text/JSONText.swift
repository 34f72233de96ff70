/// Writing JSON strings (RFC 8259 §7).
package enum JSONText {
  /// Appends `text` in quotes, with quotes, backslashes and control characters escaped.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      case 0x00..<0x20, 0x7F: appendEscape(of: byte, to: &buffer)
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
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

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
