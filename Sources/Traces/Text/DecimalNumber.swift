import Glibc

/// Reading decimal numbers from bytes.
package enum DecimalNumber {
  /// The number that `bytes` spell in full, right to the last bit, or nil when they do not.
  package static func parse(_ bytes: Span<UInt8>) -> Double? {
    Double(String(decoding: bytes.withUnsafeBufferPointer { Array($0) }, as: UTF8.self))
  }
}
