internal import Text

extension JSONToken {
  /// The value as a message quotes it.
  func quoted(_ bytes: Span<UInt8>) -> String {
    switch self {
    case .string(let slice), .number(let slice): bytes.quoted(slice.range)
    default: description
    }
  }

  /// The number of a number, or of a text that spells one.
  func number(_ bytes: Span<UInt8>) -> Double? {
    switch self {
    case .number(let slice), .string(let slice): slice.number(in: bytes)
    default: nil
    }
  }

  /// Calls `body` with the bytes of a text or of a number as written; nil for any other token, and
  /// for an empty text.
  func plainBytes<Result>(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result?
  ) -> Result? {
    switch self {
    case .number(let slice), .string(let slice):
      guard !slice.range.isEmpty else { return nil }
      guard slice.isEscaped else { return body(bytes.extracting(slice.range)) }
      return body(Array(slice.string(in: bytes).utf8).span)
    default: return nil
    }
  }

  /// Calls `body` with the name of a device: a text, or a number, which is the same with decimals of 0
  /// as without; nil for any other token, and for an empty text.
  func deviceName<Result>(
    _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result?
  ) -> Result? {
    guard case .number(let slice) = self,
      let length = NDJSONRecord.integerLength(bytes.extracting(slice.range))
    else { return plainBytes(bytes, body) }
    let start = slice.range.lowerBound
    return body(bytes.extracting(start..<start + length))
  }
}
