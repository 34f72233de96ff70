/// Writes text of XML 1.0 documents.
package enum XMLText {
  /// Appends `text` as the content of an element or of an attribute.
  ///
  /// Markup is escaped, and so are line ends, which a reader would change. A character that XML does not
  /// allow becomes U+FFFD.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": buffer.append(contentsOf: "&amp;".utf8)
      case "<": buffer.append(contentsOf: "&lt;".utf8)
      case ">": buffer.append(contentsOf: "&gt;".utf8)
      case "\"": buffer.append(contentsOf: "&quot;".utf8)
      case "\t", "\n", "\r": buffer.append(contentsOf: "&#\(scalar.value);".utf8)
      default:
        let allowed = XMLCharacter.isAllowed(scalar.value) ? scalar : "\u{FFFD}"
        buffer.append(contentsOf: UTF8.encode(allowed) ?? .init())
      }
    }
  }

  /// The same as a text of its own.
  package static func escaped(_ text: String) -> String {
    var buffer: [UInt8] = []
    append(text, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}
