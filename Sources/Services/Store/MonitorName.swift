/// The names of monitors, and how files and fences spell them (8.1).
///
/// Any text is a name, except an empty one and one that begins with an underscore, as on Apple's systems.
/// Letters and digits of ASCII, `_` and `-` are spelled as they are and every other byte as `%XX`, so a
/// name is never a path and contains no separator.
package enum MonitorName {
  /// The longest spelling, bytes; with the suffixes of a file it must stay below NAME_MAX, 255.
  private static let longest = 200

  /// Whether a monitor with this name can be opened, and its conditions saved.
  package static func isValid(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("_") && spelled(name).utf8.count <= longest
  }

  /// The name in the characters of file names.
  static func spelled(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      let character = Character(Unicode.Scalar(byte))
      if isPlain(character) {
        text.append(character)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return text
  }

  /// The name that is spelled so; nil for a text that ``spelled(_:)`` does not make of a valid name.
  static func name(spelled text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let code = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard let name = String(validating: bytes, as: UTF8.self), isValid(name), spelled(name) == text
    else { return nil }
    return name
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_-".contains(character))
  }
}
