/// Encodings of text: their names and their detection.
package enum TextEncoding {
  /// Whether text in the encoding needs no conversion.
  package static func isUTF8(_ name: String) -> Bool {
    ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased())
  }

  /// Whether `name` is the name of an encoding in XML 1.0 (section 4.3.3, EncName).
  package static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, 0x41...0x5A ~= first & 0xDF else { return false }
    return name.utf8.allSatisfy { XMLCharacter.isNameByte($0) && $0 != 0x3A }
  }

  /// The number of bytes that suffice to detect the encoding.
  package static let head = 1 << 10

  /// The number of bytes that show UTF-16 without a byte order mark: four letters.
  package static let leastHead = 8

  /// The encoding that the first bytes of a text show, when it is not UTF-8.
  ///
  /// A byte order mark, zeros beside a `<` (XML 1.0, appendix F) or beside four letters, or an XML
  /// declaration shows it.
  package static func found(in head: ArraySlice<UInt8>) -> String? {
    switch Array(head.prefix(2)) {
    case [0xFF, 0xFE], [0x3C, 0x00]: return "UTF-16LE"
    case [0xFE, 0xFF], [0x00, 0x3C]: return "UTF-16BE"
    default: break
    }
    let start = head.prefix(leastHead)
    if start.count == leastHead {
      let zeros = start.indices.filter { start[$0] == 0 }.map { ($0 - start.startIndex) & 1 }
      let isText = start.allSatisfy { $0 == 0 || isXMLSpace($0) || 0x20...0x7E ~= $0 }
      if isText, zeros.count == leastHead / 2, Set(zeros).count == 1 {
        return zeros[0] == 1 ? "UTF-16LE" : "UTF-16BE"
      }
    }
    // Programs write white space before it, which XML does not allow.
    let head = head.drop(while: isXMLSpace)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: 0x3E) else { return nil }
    let declaration = String(decoding: head[..<end], as: UTF8.self)
    guard let name = value(of: "encoding", in: declaration), !isUTF8(name) else { return nil }
    return name
  }

  /// Whether the text of an encoding cannot begin with the bytes of `<?xml` in ASCII.
  package static func isWide(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["utf-16", "utf-32", "ucs-", "iso-10646", "utf16", "utf32"].contains {
      name.hasPrefix($0)
    }
  }

  private static func value(of name: String, in declaration: String) -> String? {
    let words = declaration.split(whereSeparator: { $0.isWhitespace || $0 == "=" || $0 == "?" })
    guard let place = words.firstIndex(where: { $0 == name }), place + 1 < words.endIndex else {
      return nil
    }
    let quoted = words[place + 1]
    guard quoted.count > 2, quoted.first == quoted.last else { return nil }
    return String(quoted.dropFirst().dropLast())
  }
}
