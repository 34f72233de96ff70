/// Writes JSON strings (RFC 8259 §7).
package enum JSONText {
  /// Appends `text` in quotes, and escapes quotes, backslashes and control characters.
  ///
  /// It also escapes C1 and bidirectional controls, because the output may reach a terminal.
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

  /// JSON text with the control characters that JSON itself allows escaped.
  package static func escapingControls(of json: String) -> String {
    guard json.withoutControls != json else { return json }
    var buffer: [UInt8] = []
    for scalar in json.unicodeScalars {
      if scalar.isControl {
        appendEscape(of: scalar, to: &buffer)
      } else {
        buffer.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    return buffer.span.string
  }

  /// Whether a byte must be escaped, or may begin a character that must.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0xC2, 0xD8, 0xE2: true
    default: false
    }
  }

  private static func appendEscaped(_ text: String, to buffer: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(UInt8(truncatingIfNeeded: scalar.value))
      } else if scalar.isControl {
        appendEscape(of: scalar, to: &buffer)
      } else {
        buffer.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
  }

  private static func appendEscape(of scalar: Unicode.Scalar, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\\"))
    switch scalar.value {
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    default:
      buffer.append(UInt8(ascii: "u"))
      HexText.append(UInt8(truncatingIfNeeded: scalar.value >> 8), to: &buffer)
      HexText.append(UInt8(truncatingIfNeeded: scalar.value), to: &buffer)
    }
  }
}

/// Hexadecimal digits.
public enum HexText {
  /// Appends two lowercase digits.
  package static func append(_ byte: UInt8, to buffer: inout [UInt8]) {
    buffer.append(digit(byte >> 4))
    buffer.append(digit(byte & 15))
  }

  /// The lowercase digit of a value from 0 to 15.
  @inlinable
  public static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
