internal import Text
import Tracking

/// Writes the event log as CSV (RFC 4180, lines ending in LF): a column for every key.
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@` (or, in some languages, their wide
/// forms), a tab, a line end or a NUL as a formula; an apostrophe in front makes it text. Numbers,
/// which may begin with `-`, are left as they are.
///
/// Source: OWASP's page on CSV injection, and its ASVS 5.0, 1.2.10.
package enum CSVWriter {
  /// Appends the header.
  package static func begin(into buffer: inout [UInt8]) {
    for field in LogField.order {
      if field != .type { buffer.append(UInt8(ascii: ",")) }
      field.append(to: &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends one line.
  package static func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    var sink = CSVSink()
    swap(&sink.buffer, &buffer)
    entry.write(to: &sink)
    sink.go(to: LogField.order.count - 1)
    sink.buffer.append(UInt8(ascii: "\n"))
    swap(&sink.buffer, &buffer)
  }

  fileprivate static func append(_ text: String, to buffer: inout [UInt8]) {
    let isFormula = text.unicodeScalars.first.map(beginsFormula) ?? false
    let isQuoted = text.utf8.contains(where: needsQuotes)
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
    if isFormula { buffer.append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { buffer.append(byte) }
      buffer.append(byte)
    }
    if isQuoted { buffer.append(UInt8(ascii: "\"")) }
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

/// Writes the cells of a line.
private struct CSVSink: LogSink {
  var buffer: [UInt8] = []
  private var column = 0

  /// Ends the cells before a column.
  mutating func go(to place: Int) {
    while column < place {
      buffer.append(UInt8(ascii: ","))
      column += 1
    }
  }

  mutating func put(_ field: LogField, _ text: String) {
    go(to: field.rawValue)
    CSVWriter.append(text, to: &buffer)
  }

  mutating func put(_ field: LogField, _ word: StaticString) {
    go(to: field.rawValue)
    buffer.append(word)
  }

  mutating func put(_ field: LogField, _ id: EventID) {
    go(to: field.rawValue)
    id.append(to: &buffer)
  }

  mutating func put(_ field: LogField, _ time: Timestamp) {
    go(to: field.rawValue)
    TimeText.append(time, to: &buffer)
  }

  mutating func put(_ field: LogField, _ value: Double, decimals: Int) {
    go(to: field.rawValue)
    DecimalText.append(value, decimals: decimals, to: &buffer)
  }

  mutating func put(_ field: LogField, _ count: Int) {
    go(to: field.rawValue)
    DecimalText.append(Int64(count), to: &buffer)
  }

  mutating func put(_ field: LogField, _ flag: Bool) {
    go(to: field.rawValue)
    buffer.append(flag ? "true" : "false")
  }

  mutating func putNull(_ field: LogField) { go(to: field.rawValue) }
}
