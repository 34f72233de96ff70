internal import Text
import Tracking

/// Writes the fields of an entry as XML elements.
struct XMLSink: LogSink {
  enum Form {
    /// `<wm:device>van</wm:device>`
    case element
    /// `<Data name="device"><value>van</value></Data>`
    case data
  }

  private let form: Form
  private var buffer: [UInt8] = []

  init(_ form: Form) {
    self.form = form
  }

  /// Appends the fields of an entry.
  mutating func write(_ entry: LogEntry, to buffer: inout [UInt8]) {
    swap(&self.buffer, &buffer)
    entry.write(to: &self)
    swap(&self.buffer, &buffer)
  }

  private mutating func put(_ field: LogField, _ value: (inout [UInt8]) -> Void) {
    buffer.append(form == .element ? "<wm:" : "<Data name=\"")
    field.append(to: &buffer)
    buffer.append(form == .element ? ">" : "\"><value>")
    value(&buffer)
    buffer.append(form == .element ? "</wm:" : "</value></Data>")
    guard form == .element else { return }
    field.append(to: &buffer)
    buffer.append(">")
  }

  mutating func put(_ field: LogField, _ text: String) {
    put(field) { XMLText.append(text, to: &$0) }
  }

  mutating func put(_ field: LogField, _ word: StaticString) {
    put(field) { $0.append(word) }
  }

  mutating func put(_ field: LogField, _ id: EventID) {
    put(field) { id.append(to: &$0) }
  }

  mutating func put(_ field: LogField, _ time: Timestamp) {
    put(field) { TimeText.append(time, to: &$0) }
  }

  mutating func put(_ field: LogField, _ value: Double, decimals: Int) {
    put(field) { DecimalText.append(value, decimals: decimals, to: &$0) }
  }

  mutating func put(_ field: LogField, _ count: Int) {
    put(field) { DecimalText.append(Int64(count), to: &$0) }
  }

  mutating func put(_ field: LogField, _ flag: Bool) {
    put(field) { $0.append(flag ? "true" : "false") }
  }

  /// An unknown departure is left out: an empty element is no time.
  mutating func putNull(_ field: LogField) {}
}

extension LogEntry {
  /// What a map shows beside the event: `enter depot`, `visit`, and the name of a place.
  var title: String {
    [kind.rawValue, event?.statement.fence ?? place].compactMap { $0 }.joined(separator: " ")
  }
}
