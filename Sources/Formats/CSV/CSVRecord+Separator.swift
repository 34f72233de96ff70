extension CSVRecord {
  /// Whether a byte ends a line, or is the first of two that do.
  static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// The separator that occurs most often in the line at `start`, outside of quotes: ',', ';', a
  /// tab or '|'.
  ///
  /// Nil while the line is incomplete, because what follows could change the result.
  static func separator(of bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> UInt8? {
    var counts: (comma: Int, semicolon: Int, tab: Int, bar: Int) = (0, 0, 0, 0)
    let isCapped = bytes.count - start > CSVRecord.maxLength
    let end = isCapped ? start + CSVRecord.maxLength : bytes.count
    var (offset, isQuoted) = (start, false)
    while offset < end, isQuoted || !Self.endsLine(bytes[offset]) {
      switch bytes[offset] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: counts.comma += 1
      case UInt8(ascii: ";") where !isQuoted: counts.semicolon += 1
      case UInt8(ascii: "\t") where !isQuoted: counts.tab += 1
      case UInt8(ascii: "|") where !isQuoted: counts.bar += 1
      default: break
      }
      offset += 1
    }
    if offset == end, !isCapped, !isFinal { return nil }
    let most = max(counts.comma, counts.semicolon, counts.tab, counts.bar)
    if counts.comma == most { return UInt8(ascii: ",") }
    if counts.semicolon == most { return UInt8(ascii: ";") }
    return counts.tab == most ? UInt8(ascii: "\t") : UInt8(ascii: "|")
  }
}
