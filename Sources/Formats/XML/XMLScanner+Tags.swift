internal import Text

/// The progress of the search for the end of an incomplete tag, so a tag that arrives byte by byte
/// is not read from its start with every byte.
struct TagSearch: Sendable {
  /// The number of bytes searched.
  private(set) var done = 0
  private var quote: UInt8 = 0

  /// Searches the bytes up to the last; returns whether the end of the tag was found.
  mutating func go(_ bytes: borrowing Span<UInt8>, from start: Int) -> Bool {
    var at = start + done
    while at < bytes.count {
      let byte = bytes[at]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x3E {
        return true
      }
      at += 1
    }
    done = at - start
    return false
  }
}

extension XMLScanner {
  /// Reads a tag or declaration with `body`, within the limit for its length.
  @inline(__always)
  mutating func whole(
    _ bytes: borrowing Span<UInt8>,
    _ body: (inout XMLScanner, borrowing Span<UInt8>, Int) -> Outcome
  ) -> Outcome {
    if search.done > 0 {
      let isThere = search.go(bytes, from: position)
      guard isThere || isFinal || bytes.count - position >= Self.tokenLimit else {
        return .incomplete
      }
    }
    let end = min(bytes.count, position &+ Self.tokenLimit)
    let outcome = body(&self, bytes, end)
    if outcome == .incomplete { return cut(bytes, end) }
    search = TagSearch()
    return outcome
  }

  @inline(never)
  private mutating func cut(_ bytes: borrowing Span<UInt8>, _ end: Int) -> Outcome {
    if end - position >= Self.tokenLimit {
      return fail(
        position, "a tag is longer than \(Self.tokenLimit >> 10) KiB, the limit", code: .tooLong)
    }
    _ = search.go(bytes, from: position)
    return .incomplete
  }

  mutating func startTag(_ bytes: borrowing Span<UInt8>) -> Outcome {
    whole(bytes) { $0.readStartTag($1, $2) }
  }

  mutating func endTag(_ bytes: borrowing Span<UInt8>) -> Outcome {
    whole(bytes) { $0.readEndTag($1, $2) }
  }

  private mutating func readStartTag(_ bytes: borrowing Span<UInt8>, _ end: Int) -> Outcome {
    let start = position &+ 1
    var at = start
    let outcome = readName(bytes, &at, end, of: "element")
    guard outcome == .goOn else { return outcome }
    let raw = start..<at
    let local = localStart..<at
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    while true {
      let gap = at
      while at < end, isXMLSpace(bytes[at]) { at &+= 1 }
      guard at < end else { return .incomplete }
      let byte = bytes[at]
      if byte == 0x3E { return opened(bytes, raw, local, at &+ 1, .start) }
      if byte == 0x2F {
        guard at &+ 1 < end else { return .incomplete }
        guard bytes[at &+ 1] == 0x3E else { return fail(at, "a '/' inside a tag; expected '/>'") }
        return opened(bytes, raw, local, at &+ 2, .empty)
      }
      guard at > gap else { return fail(at, "a tag goes on without white space or '>'") }
      let outcome = readAttribute(bytes, &at, end)
      guard outcome == .goOn else { return outcome }
    }
  }

  private mutating func opened(
    _ bytes: borrowing Span<UInt8>, _ raw: Range<Int>, _ local: Range<Int>, _ end: Int,
    _ outcome: Outcome
  ) -> Outcome {
    guard open.depth < Self.depthLimit else {
      return fail(
        position, "elements are nested deeper than \(Self.depthLimit), the limit", code: .tooDeep)
    }
    open.push(bytes, raw)
    name = local
    position = end
    return outcome
  }

  private mutating func readEndTag(_ bytes: borrowing Span<UInt8>, _ end: Int) -> Outcome {
    let start = position &+ 2
    var at = start &+ open.length
    guard at < end else { return .incomplete }
    let next = bytes[at]
    guard open.matches(bytes, at: start), next == 0x3E || isXMLSpace(next) else {
      return wrongEnd(bytes, start, end)
    }
    while isXMLSpace(bytes[at]) {
      at &+= 1
      guard at < end else { return .incomplete }
    }
    guard bytes[at] == 0x3E else { return fail(at, "an end tag holds more than a name") }
    position = at &+ 1
    open.pop()
    return .end
  }

  private mutating func wrongEnd(_ bytes: borrowing Span<UInt8>, _ start: Int, _ end: Int)
    -> Outcome
  {
    var at = start
    let outcome = readName(bytes, &at, end, of: "element")
    guard outcome == .goOn else { return outcome }
    let found = Self.quote(bytes, start..<at)
    return fail(start - 2, "the end tag </\(found)> where </\(open.last)> was expected")
  }

  /// Reads a name and advances past it; ``localStart`` is then the offset after its prefix.
  @inline(__always)
  mutating func readName(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int, of what: StaticString
  ) -> Outcome {
    let start = at
    localStart = start
    while at < end {
      let byte = bytes[at]
      if byte >= 0x80 {
        guard case .scalar(let scalar, let length) = XMLCharacter.read(bytes, at, end),
          XMLCharacter.isName(scalar, isFirst: at == start)
        else { break }
        at &+= length
        continue
      }
      guard XMLCharacter.isNameByte(byte) else { break }
      at &+= 1
      if byte == 0x3A { localStart = at }
    }
    guard at < end else { return .incomplete }
    let first = bytes[start]
    let isGood =
      at > start && bytes[at] < 0x80 && (first >= 0x80 || XMLCharacter.isNameStart(first))
    return isGood ? .goOn : wrongName(bytes, start, at, end, of: what)
  }

  @inline(never)
  private mutating func wrongName(
    _ bytes: borrowing Span<UInt8>, _ start: Int, _ at: Int, _ end: Int, of what: StaticString
  ) -> Outcome {
    if bytes[at] >= 0x80 {
      if case .incomplete = XMLCharacter.read(bytes, at, end) { return .incomplete }
      return fail(at, "a character that is not allowed in the name of an \(what)")
    }
    return fail(start, "the name of an \(what) was expected")
  }

  mutating func readAttribute(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int
  ) -> Outcome {
    let start = at
    let outcome = readName(bytes, &at, end, of: "attribute")
    guard outcome == .goOn else { return outcome }
    let name = start..<at
    let local = localStart..<at
    while at < end, isXMLSpace(bytes[at]) { at &+= 1 }
    guard at < end else { return .incomplete }
    guard bytes[at] == 0x3D else { return fail(at, "an attribute without '='") }
    at &+= 1
    while at < end, isXMLSpace(bytes[at]) { at &+= 1 }
    guard at < end else { return .incomplete }
    let quote = bytes[at]
    guard quote == 0x22 || quote == 0x27 else {
      return fail(at, "the value of an attribute without quotes")
    }
    at &+= 1
    var attribute = Attribute(name: name, local: local, value: at..<at)
    let value = readValue(bytes, &at, end, quote, &attribute)
    guard value == .goOn else { return value }
    return add(attribute, bytes)
  }

  /// Reads the value of an attribute and advances past its closing quote.
  private mutating func readValue(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int, _ quote: UInt8,
    _ attribute: inout Attribute
  ) -> Outcome {
    let start = at
    while true {
      at = run(bytes, at, end, quote, 0x3C, 0x26)
      guard at < end else { return .incomplete }
      let byte = bytes[at]
      if byte == quote {
        attribute.value = start..<at
        at &+= 1
        return .goOn
      }
      if byte == 0x3C { return fail(at, "a '<' in the value of an attribute; write '&lt;'") }
      guard byte == 0x26 else { return wrongByte(bytes, at, end) }
      var scalar = Unicode.Scalar(UInt8(0))
      let outcome = reference(bytes, &at, end, &scalar)
      guard outcome == .goOn else { return outcome }
      attribute.hasReferences = true
    }
  }

  private mutating func add(_ attribute: Attribute, _ bytes: borrowing Span<UInt8>) -> Outcome {
    guard attributes.count < Self.attributeLimit else {
      return fail(
        attribute.name.lowerBound,
        "a tag has more than \(Self.attributeLimit) attributes, the limit")
    }
    for other in attributes where Self.isEqual(bytes, other.name, attribute.name) {
      let name = Self.quote(bytes, other.name)
      return fail(attribute.name.lowerBound, "the attribute '\(name)' is given twice")
    }
    attributes.append(attribute)
    return .goOn
  }

  private static func isEqual(_ bytes: borrowing Span<UInt8>, _ a: Range<Int>, _ b: Range<Int>)
    -> Bool
  {
    guard a.count == b.count else { return false }
    for place in 0..<a.count where bytes[a.lowerBound + place] != bytes[b.lowerBound + place] {
      return false
    }
    return true
  }
}
