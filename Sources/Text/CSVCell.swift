/// Writes the cells of CSV (RFC 4180).
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@` (or, in some languages, their wide
/// forms), a tab, a line end or a NUL as a formula; an apostrophe in front makes it text. A text that
/// begins so by itself gets another one, so that what is written can be read again. Numbers, which may
/// begin with `-`, are left as they are.
///
/// Source: OWASP's page on CSV injection, and its ASVS 5.0, 1.2.10.
package enum CSVCell {
  /// Appends `text`, in quotes when it needs them.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    let isFormula = isFormula(text)
    let isQuoted = text.utf8.contains(where: needsQuotes)
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
    if isFormula { buffer.append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { buffer.append(byte) }
      buffer.append(byte)
    }
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
  }

  /// Whether the apostrophe at the beginning of a cell is not a part of the text.
  package static func isGuarded(_ cell: borrowing Span<UInt8>) -> Bool {
    cell.count > 1 && cell[0] == UInt8(ascii: "'") && isFormula(cell.string)
  }

  /// Whether a text is one of a formula, perhaps behind apostrophes.
  private static func isFormula(_ text: String) -> Bool {
    text.unicodeScalars.first { $0 != "'" }.map(beginsFormula) ?? false
  }

  private static func beginsFormula(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\0", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}":
      true
    default: false
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
    default: false
    }
  }
}
