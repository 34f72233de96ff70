internal import Text

extension XMLScanner {
  /// Reads markup that begins with `<!` or `<?`.
  mutating func declaration(_ bytes: borrowing Span<UInt8>) -> Outcome {
    let at = position
    if bytes[at + 1] == 0x3F { return instruction(bytes) }
    isAtStart = false
    switch has(bytes, at, "<!--") {
    case nil: return .incomplete
    case true?: return begin(.comment, length: 4)
    case false?: break
    }
    let isInside = open.depth > 0
    switch has(bytes, at, isInside ? "<![CDATA[" : "<!DOCTYPE") {
    case nil: return .incomplete
    case true?: return isInside ? begin(.characterData, length: 9) : doctype(bytes)
    case false?:
      let found = isInside ? "a comment or a CDATA section" : "a comment or a document type"
      return fail(at, "'<!' that begins no \(found.dropFirst(2))")
    }
  }

  private mutating func begin(_ place: Place, length: Int) -> Outcome {
    self.place = place
    position += length
    return .goOn
  }

  /// Reads the rest of a comment, processing instruction or CDATA section, as far as available.
  mutating func skipMarkup(_ bytes: borrowing Span<UInt8>) -> Outcome {
    let (stop, end): (UInt8, StaticString) =
      switch place {
      case .comment: (0x2D, "--")
      case .instruction: (0x3F, "?>")
      case .characterData, .markup: (0x5D, "]]>")
      }
    let isWanted = place == .characterData && open.depth == text.depth
    while true {
      let from = position
      position = run(bytes, from, bytes.count, stop, stop, stop)
      var isEnd: Bool? = false
      if position < bytes.count {
        guard bytes[position] == stop else { return wrongPiece(bytes, from, isWanted) }
        isEnd = has(bytes, position, end)
        if isEnd == false { position += 1 }
      }
      if isWanted, position > from, let excess = text.add(bytes, from..<position) {
        return failTooLongText(excess)
      }
      if isEnd == true { return finish(bytes, length: end.utf8CodeUnitCount) }
      if isEnd == nil || position >= bytes.count { return .incomplete }
    }
  }

  private mutating func wrongPiece(
    _ bytes: borrowing Span<UInt8>, _ from: Int, _ isWanted: Bool
  ) -> Outcome {
    if isWanted, position > from, let excess = text.add(bytes, from..<position) {
      return failTooLongText(excess)
    }
    return wrongByte(bytes, position, bytes.count)
  }

  private mutating func finish(_ bytes: borrowing Span<UInt8>, length: Int) -> Outcome {
    var after = position + length
    if place == .comment {
      guard after < bytes.count else { return .incomplete }
      guard bytes[after] == 0x3E else { return fail(position, "'--' inside a comment") }
      after += 1
    }
    position = after
    place = .markup
    return .goOn
  }

  private mutating func instruction(_ bytes: borrowing Span<UInt8>) -> Outcome {
    let start = position + 2
    let end = min(bytes.count, start + Self.targetLimit)
    var at = start
    let outcome = readName(bytes, &at, end, of: "instruction")
    if outcome == .incomplete, end == start + Self.targetLimit {
      return fail(
        position, "the target of a processing instruction is longer than 1 KiB, the limit")
    }
    guard outcome == .goOn else { return outcome }
    if at - start == 3, Self.quote(bytes, start..<at).lowercased() == "xml" {
      guard isAtStart, bytes[start] == 0x78, bytes[start + 1] == 0x6D, bytes[start + 2] == 0x6C
      else {
        return fail(position, "an XML declaration that is not at the very start of the document")
      }
      hasLateDeclaration = isAfterSpace
      return whole(bytes) { $0.readXMLDeclaration($1, $2) }
    }
    guard isXMLSpace(bytes[at]) || bytes[at] == 0x3F else {
      return fail(at, "a processing instruction's target is not followed by white space")
    }
    if bytes[at] == 0x3F {
      guard at + 1 < bytes.count else { return .incomplete }
      guard bytes[at + 1] == 0x3E else { return fail(at, "a '?' in the target of an instruction") }
    }
    isAtStart = false
    return begin(.instruction, length: at - position)
  }

  /// Reads `<?xml version="1.0" encoding="…" standalone="…"?>`.
  private mutating func readXMLDeclaration(_ bytes: borrowing Span<UInt8>, _ end: Int) -> Outcome {
    var at = position + 5
    let outcome = readPseudoAttributes(bytes, &at, end)
    guard outcome == .goOn else { return outcome }
    if let encoding = attributes.first(where: { Self.quote(bytes, $0.name) == "encoding" }) {
      let name = Self.quote(bytes, encoding.value)
      guard isConverted || TextEncoding.isUTF8(name) else {
        return fail(encoding.value.lowerBound, "the encoding '\(name)', where UTF-8 was expected")
      }
    }
    isAtStart = false
    position = at
    return .goOn
  }

  private mutating func readPseudoAttributes(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int
  ) -> Outcome {
    attributes.removeAll(keepingCapacity: true)
    while true {
      let gap = at
      while at < end, isXMLSpace(bytes[at]) { at += 1 }
      guard at < end else { return .incomplete }
      if bytes[at] == 0x3F { break }
      guard at > gap else { return fail(at, "white space was expected in the XML declaration") }
      let outcome = readAttribute(bytes, &at, end)
      guard outcome == .goOn else { return outcome }
    }
    guard at + 1 < end else { return .incomplete }
    guard bytes[at + 1] == 0x3E, isDeclarationGood(bytes) else {
      return fail(
        position, "an XML declaration that is not <?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    }
    at += 2
    return .goOn
  }

  /// Whether version, encoding and standalone are in this order and have valid values.
  private func isDeclarationGood(_ bytes: borrowing Span<UInt8>) -> Bool {
    var rest = attributes[...]
    guard let version = rest.popFirst(), Self.quote(bytes, version.name) == "version",
      !version.value.isEmpty,
      Self.quote(bytes, version.value).utf8.allSatisfy(XMLCharacter.isNameByte)
    else { return false }
    if let encoding = rest.first, Self.quote(bytes, encoding.name) == "encoding" {
      guard TextEncoding.isName(Self.quote(bytes, encoding.value)) else { return false }
      rest.removeFirst()
    }
    if let standalone = rest.first, Self.quote(bytes, standalone.name) == "standalone" {
      guard ["yes", "no"].contains(Self.quote(bytes, standalone.value)) else { return false }
      rest.removeFirst()
    }
    return rest.isEmpty
  }
}
