internal import Text

extension XMLScanner {
  /// Reads a document type and ignores it: external entities are never fetched.
  mutating func doctype(_ bytes: borrowing Span<UInt8>) -> Outcome {
    if hasDoctype || hasRoot {
      return fail(position, "a document type that is not before the root")
    }
    let outcome = whole(bytes) { $0.readDoctype($1, $2) }
    if outcome == .goOn { hasDoctype = true }
    return outcome
  }

  private mutating func readDoctype(_ bytes: borrowing Span<UInt8>, _ end: Int) -> Outcome {
    var at = position + 9
    var outcome = gap(bytes, &at, end)
    guard outcome == .goOn else { return outcome }
    let start = at
    outcome = readName(bytes, &at, end, of: "element")
    guard outcome == .goOn else { return outcome }
    doctypeName = start..<at
    while at < end, isXMLSpace(bytes[at]) { at += 1 }
    guard at < end else { return .incomplete }
    if bytes[at] == 0x53 || bytes[at] == 0x50 {
      outcome = externalID(bytes, &at, end)
      guard outcome == .goOn else { return outcome }
      while at < end, isXMLSpace(bytes[at]) { at += 1 }
      guard at < end else { return .incomplete }
    }
    if bytes[at] == 0x5B {
      return fail(
        position,
        "a DOCTYPE with an internal subset, which is refused because it can declare "
          + "entities; remove it")
    }
    guard bytes[at] == 0x3E else { return fail(at, "a document type that goes on without '>'") }
    position = at + 1
    return .goOn
  }

  /// Reads `SYSTEM "…"` or `PUBLIC "…" "…"`.
  private mutating func externalID(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int
  ) -> Outcome {
    let isPublic = bytes[at] == 0x50
    switch has(bytes, at, isPublic ? "PUBLIC" : "SYSTEM") {
    case nil: return .incomplete
    case false?: return fail(at, "SYSTEM, PUBLIC or '>' was expected in the document type")
    case true?: at += 6
    }
    for _ in 0..<(isPublic ? 2 : 1) {
      var outcome = gap(bytes, &at, end)
      guard outcome == .goOn else { return outcome }
      outcome = literal(bytes, &at, end)
      guard outcome == .goOn else { return outcome }
    }
    return .goOn
  }

  private mutating func gap(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int
  ) -> Outcome {
    let start = at
    while at < end, isXMLSpace(bytes[at]) { at += 1 }
    guard at < end else { return .incomplete }
    return at > start ? .goOn : fail(at, "white space was expected in the document type")
  }

  private mutating func literal(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int
  ) -> Outcome {
    let quote = bytes[at]
    guard quote == 0x22 || quote == 0x27 else {
      return fail(at, "a quoted name was expected in the document type")
    }
    at = run(bytes, at + 1, end, quote, quote, quote)
    guard at < end else { return .incomplete }
    guard bytes[at] == quote else { return wrongByte(bytes, at, end) }
    at += 1
    return .goOn
  }
}
