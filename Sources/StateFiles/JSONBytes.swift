internal import FoundationEssentials

/// Values as bytes of JSON, for files that are not read at once.
package enum JSONBytes {
  /// Reads a value; nil when the bytes are not of one.
  package static func read<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }

  /// The bytes of a value; nil when it has a number that is not finite.
  package static func write(_ value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    // The same value gives the same bytes.
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)).map(Array.init)
  }
}
