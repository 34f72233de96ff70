internal import Text
import Tracking

/// Writes the event log as JSON Lines: one object per line, absent values omitted.
///
/// The only `null` is the departure of a visit that lasts.
package enum JSONLinesWriter {
  /// Appends one line.
  package static func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    var sink = JSONLinesSink()
    swap(&sink.buffer, &buffer)
    // Enough for nearly every line, so its parts need not grow the buffer one by one.
    if sink.buffer.capacity - sink.buffer.count < 512 {
      sink.buffer.reserveCapacity(max(2 * sink.buffer.capacity, sink.buffer.count + 4_096))
    }
    let start = sink.buffer.count
    entry.write(to: &sink)
    // The first key has a comma before it.
    sink.buffer[start] = UInt8(ascii: "{")
    sink.buffer.append("}\n")
    swap(&sink.buffer, &buffer)
  }
}

/// Writes the members of an object.
private struct JSONLinesSink: LogSink {
  var buffer: [UInt8] = []

  mutating func put(_ field: LogField, _ text: String) {
    buffer.append(field.key)
    JSONText.append(text, to: &buffer)
  }

  mutating func put(_ field: LogField, _ word: StaticString) {
    buffer.append(field.key)
    buffer.append(UInt8(ascii: "\""))
    buffer.append(word)
    buffer.append(UInt8(ascii: "\""))
  }

  mutating func put(_ field: LogField, _ id: EventID) {
    buffer.append(field.key)
    buffer.append(UInt8(ascii: "\""))
    id.append(to: &buffer)
    buffer.append(UInt8(ascii: "\""))
  }

  mutating func put(_ field: LogField, _ time: Timestamp) {
    buffer.append(field.key)
    buffer.append(UInt8(ascii: "\""))
    TimeText.append(time, to: &buffer)
    buffer.append(UInt8(ascii: "\""))
  }

  mutating func put(_ field: LogField, _ value: Double, decimals: Int) {
    buffer.append(field.key)
    DecimalText.append(value, decimals: decimals, to: &buffer)
  }

  mutating func put(_ field: LogField, _ count: Int) {
    buffer.append(field.key)
    DecimalText.append(Int64(count), to: &buffer)
  }

  mutating func put(_ field: LogField, _ flag: Bool) {
    buffer.append(field.key)
    buffer.append(flag ? "true" : "false")
  }

  mutating func putNull(_ field: LogField) {
    buffer.append(field.key)
    buffer.append("null")
  }
}

extension [UInt8] {
  /// Appends a text that is known at compile time.
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }
}
