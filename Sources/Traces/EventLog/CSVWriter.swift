/// Writes the event log as CSV (RFC 4180, lines ending in LF): a column for every key.
///
/// A spreadsheet runs a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a
/// formula; an apostrophe in front makes it text.
package enum CSVWriter {
  /// Appends the header.
  package static func begin(into buffer: inout [UInt8]) {
    for field in LogField.order {
      if field != .type { buffer.append(UInt8(ascii: ",")) }
      buffer.append(field.name)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends one line.
  package static func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    for field in LogField.order {
      if field != .type { buffer.append(UInt8(ascii: ",")) }
      switch entry.value(of: field) {
      case .text(let text): append(text, to: &buffer)
      case let value?: value.append(to: &buffer)
      case nil: break
      }
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private static func append(_ text: String, to buffer: inout [UInt8]) {
    let isFormula = text.utf8.first.map(beginsFormula) ?? false
    let isQuoted = text.utf8.contains(where: needsQuotes)
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
    if isFormula { buffer.append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { buffer.append(byte) }
      buffer.append(byte)
    }
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
  }

  private static func beginsFormula(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D:
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
