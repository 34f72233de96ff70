/// The characters that XML 1.0 (fifth edition) allows.
public enum XMLCharacter {
  /// Whether an ASCII byte is allowed in a name (section 2.3, NameChar).
  @inlinable @inline(__always)
  public static func isNameByte(_ byte: UInt8) -> Bool {
    // A bit for each of -.0123456789: and of A...Z _ a...z.
    let set: UInt64 = byte < 0x40 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return (set >> UInt64(byte & 0x3F)) & 1 == 1
  }

  /// Whether an ASCII byte that is allowed in a name may begin it.
  @inlinable @inline(__always)
  public static func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x3A && isNameByte(byte)
  }

  /// Whether a character is allowed in a document (section 2.2, Char).
  package static func isAllowed(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Whether a character above ASCII is allowed in a name, or at its beginning.
  package static func isName(_ scalar: UInt32, isFirst: Bool) -> Bool {
    switch scalar {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !isFirst
    default: false
    }
  }

  /// The result of decoding UTF-8 at an offset.
  package enum Reading {
    case scalar(UInt32, length: Int)
    /// The bytes end inside a possible character.
    case incomplete
    case invalid
  }

  /// The character above ASCII at `offset` (RFC 3629: shortest form, no surrogates).
  package static func read(_ bytes: borrowing Span<UInt8>, _ offset: Int, _ end: Int) -> Reading {
    let first = bytes[offset]
    let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0 else { return .invalid }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for place in 1..<length {
      guard offset + place < end else { return .incomplete }
      let byte = bytes[offset + place]
      guard byte & 0xC0 == 0x80 else { return .invalid }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    let isShortest = length == 2 || scalar >= (length == 3 ? 0x800 : 0x10000)
    guard isShortest, isAllowed(scalar) else { return .invalid }
    return .scalar(scalar, length: length)
  }
}
