extension JSONSlice {
  /// The number of this token, or nil when it is too large for a Double.
  package func number(in bytes: Span<UInt8>) -> Double? {
    DecimalNumber.parse(bytes.extracting(range)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The text of a string, or of a number as written.
  package func string(in bytes: Span<UInt8>) -> String {
    guard isEscaped else { return bytes.extracting(range).string }
    var buffer: [UInt8] = []
    JSONLexeme.unescape(bytes.extracting(range), into: &buffer)
    return buffer.span.string
  }

  /// Whether the text is `text`.
  package func equals(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
    guard isEscaped else { return bytes.extracting(range).equals(text) }
    var buffer: [UInt8] = []
    JSONLexeme.unescape(bytes.extracting(range), into: &buffer)
    return buffer.span.equals(text)
  }
}
