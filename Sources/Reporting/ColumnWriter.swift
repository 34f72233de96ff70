/// Writes numbers as differences of variable length, in base64: columns of a page's data.
///
/// A difference is written as zigzag (0, -1, 1, -2 …), seven bits a byte, lowest first.
struct ColumnWriter {
  private(set) var bytes: [UInt8] = []
  private var last: Int64 = 0
  /// The difference before, for columns whose differences hardly change.
  private var step: Int64 = 0

  /// Appends the difference from the value before.
  mutating func append(_ value: Int64) {
    put(value &- last)
    last = value
  }

  /// Appends how the difference from the value before has changed: regular times take one byte.
  mutating func append(regular value: Int64) {
    let difference = value &- last
    put(difference &- step)
    (last, step) = (value, difference)
  }

  private mutating func put(_ value: Int64) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Binary data as text (RFC 4648).
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func append(_ bytes: some RandomAccessCollection<UInt8>, to buffer: inout [UInt8]) {
    buffer.reserveCapacity(buffer.count + (bytes.count + 2) / 3 * 4)
    var (bits, count) = (0 as UInt32, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      for shift: UInt32 in [18, 12, 6, 0] { buffer.append(letters[Int(bits >> shift & 63)]) }
      (bits, count) = (0, 0)
    }
    guard count > 0 else { return }
    bits <<= 8 * UInt32(3 - count)
    for place in 0...count { buffer.append(letters[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
    for _ in count..<3 { buffer.append(UInt8(ascii: "=")) }
  }
}
