internal import Text

/// The keys of the event log for encoders and decoders.
struct LogKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ field: LogField) { stringValue = field.name }

  init?(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

extension LogField {
  /// The key as text.
  var name: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes.span.string
  }
}
