/// The checksum of FIT: a CRC of 16 bits with the polynomial 0x8005, reflected, from 0 (CRC-16/ARC).
struct FITChecksum: Sendable {
  private(set) var value: UInt16 = 0

  mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var value = value
    let table = Self.table.span
    for index in range {
      value = table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])] ^ (value &>> 8)
    }
    self.value = value
  }

  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1
    }
  }
}
