extension CSVRecord {
  /// The separator that occurs most often in the line at `start`, outside of quotes: ',', ';' or
  /// tab.
  ///
  /// Nil while the line is incomplete, because what follows could change the result.
  static func separator(of bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> UInt8? {
    var counts: (comma: Int, semicolon: Int, tab: Int) = (0, 0, 0)
    let isCapped = bytes.count - start > CSVRecord.maxLength
    let end = isCapped ? start + CSVRecord.maxLength : bytes.count
    var (offset, isQuoted) = (start, false)
    while offset < end, isQuoted || bytes[offset] != UInt8(ascii: "\n") {
      switch bytes[offset] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: counts.comma += 1
      case UInt8(ascii: ";") where !isQuoted: counts.semicolon += 1
      case UInt8(ascii: "\t") where !isQuoted: counts.tab += 1
      default: break
      }
      offset += 1
    }
    if offset == end, !isCapped, !isFinal { return nil }
    if counts.comma >= max(counts.semicolon, counts.tab) { return UInt8(ascii: ",") }
    return counts.semicolon >= counts.tab ? UInt8(ascii: ";") : UInt8(ascii: "\t")
  }
}
