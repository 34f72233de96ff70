/// Encodings of text by name.
enum TextEncoding {
  /// Whether text in the encoding needs no conversion.
  static func isUTF8(_ name: String) -> Bool {
    ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased())
  }

  /// Whether `name` is the name of an encoding as XML 1.0 has it (section 4.3.3, EncName).
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, 0x41...0x5A ~= first & 0xDF else { return false }
    return name.utf8.allSatisfy { XMLCharacter.isNameByte($0) && $0 != 0x3A }
  }
}
