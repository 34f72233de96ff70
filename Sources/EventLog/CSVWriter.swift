internal import Text
import Tracking

/// Writes the event log as CSV (RFC 4180, lines ending in LF): a column for every key.
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
    CSVCell.append(text, to: &buffer)
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
