internal import System
internal import Text
package import Tracking

/// The id of an event: the same device, kind, fence and occurrence give the same id in every run.
///
/// It is a 64-bit hash, so two different events may share one by chance: among a million events the
/// odds are 1 to 37 million, among a hundred million 1 to 3,700. It does not protect against names
/// chosen to produce a collision.
package struct EventID: Sendable, Hashable, CustomStringConvertible {
  /// The hash.
  package let value: UInt64

  /// The id of an event; the occurrence is identified by its time, to the nanosecond.
  package init(device: String, kind: LogEntry.Kind, fence: String, time: Timestamp) {
    var hash = FNV1a()
    hash.add(device)
    hash.add(0)
    hash.add(kind.rawValue)
    hash.add(0)
    hash.add(fence)
    hash.add(0)
    for shift in stride(from: 0, to: 64, by: 8) {
      hash.add(UInt8(truncatingIfNeeded: time.nanoseconds >> Int64(shift)))
    }
    value = hash.mixed
  }

  /// The id of a problem with a device or a file.
  package init(device: String, problem message: String) {
    var hash = FNV1a()
    hash.add(device)
    hash.add(0)
    hash.add(message)
    value = hash.mixed
  }

  /// The id of 16 hexadecimal digits; nil for any other text.
  package init?(text: String) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let value = UInt64(text, radix: 16)
    else { return nil }
    self.value = value
  }

  /// 16 hexadecimal digits.
  package var description: String {
    var digits: [UInt8] = []
    append(to: &digits)
    return digits.span.string
  }

  /// Appends 16 hexadecimal digits.
  package func append(to buffer: inout [UInt8]) {
    var digits = InlineArray<16, UInt8>(repeating: 0)
    for place in 0..<16 {
      digits[place] = HexText.digit(UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * place)) & 15)
    }
    buffer.append(digits.span)
  }
}
