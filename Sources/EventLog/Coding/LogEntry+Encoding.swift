internal import Text
import Tracking

extension LogEntry {
  /// Writes the entry to any encoder, with the keys and the digits of its line in JSON Lines.
  ///
  /// - Parameter namesDevice: Whether the device and the id, which depends on it, are written.
  package func encode(to encoder: any Encoder, namesDevice: Bool) throws {
    var sink = EncodingSink(encoder.container(keyedBy: LogKey.self), namesDevice: namesDevice)
    write(to: &sink)
    if let error = sink.error { throw error }
  }
}

/// Writes the fields of an entry to an encoder's container.
private struct EncodingSink: LogSink {
  private var container: KeyedEncodingContainer<LogKey>
  private let namesDevice: Bool
  /// The first error, after which nothing more is written.
  private(set) var error: (any Error)?

  init(_ container: KeyedEncodingContainer<LogKey>, namesDevice: Bool) {
    (self.container, self.namesDevice) = (container, namesDevice)
  }

  private mutating func encode(_ field: LogField, _ value: some Encodable) {
    guard error == nil, namesDevice || (field != .device && field != .id) else { return }
    do {
      try container.encode(value, forKey: LogKey(field))
    } catch {
      self.error = error
    }
  }

  mutating func put(_ field: LogField, _ text: String) { encode(field, text) }

  mutating func put(_ field: LogField, _ word: StaticString) { encode(field, "\(word)") }

  mutating func put(_ field: LogField, _ id: EventID) { encode(field, id.description) }

  mutating func put(_ field: LogField, _ time: Timestamp) {
    var text: [UInt8] = []
    TimeText.append(time, to: &text)
    encode(field, text.span.string)
  }

  mutating func put(_ field: LogField, _ value: Double, decimals: Int) {
    var text: [UInt8] = []
    DecimalText.append(value, decimals: decimals, to: &text)
    // The digits of the log, as the number that they are read as.
    encode(field, DecimalNumber.parse(text.span) ?? value)
  }

  mutating func put(_ field: LogField, _ count: Int) { encode(field, count) }

  mutating func put(_ field: LogField, _ flag: Bool) { encode(field, flag) }

  mutating func putNull(_ field: LogField) {
    guard error == nil else { return }
    do {
      try container.encodeNil(forKey: LogKey(field))
    } catch {
      self.error = error
    }
  }
}
