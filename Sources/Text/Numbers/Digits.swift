/// Decimal digits, eight at a time.
enum Digits {
  /// The highest bit of each byte above 9, valid up to the first such byte.
  @inline(__always)
  static func others(_ values: UInt64) -> UInt64 {
    // Up to 9 no sum reaches the highest bit, and none carries over.
    ((values &+ Bytes.ones &* 0x76) | values) & Bytes.highs
  }

  /// The eight bytes with digits replaced by their values, 0 to 9; any other byte is larger.
  @inline(__always)
  static func value(_ word: UInt64) -> UInt64 { word ^ (Bytes.ones &* 0x30) }

  /// The number of digits before the first other byte.
  @inline(__always)
  static func count(_ values: UInt64) -> Int { others(values).trailingZeroBitCount >> 3 }

  /// The number that eight digits form, the first of them in the lowest byte.
  @inline(__always)
  static func number(_ values: UInt64) -> UInt64 {
    // Neighbours to pairs, pairs to fours, fours to the number.
    let pairs = values &* 10 &+ (values >> 8)
    let low = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) >> 32
  }

  /// Appends the digits at `at` to `number`, advances past them and returns their count.
  ///
  /// More than 19 digits in all overflow the number.
  @inline(__always)
  static func take(
    _ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int, into number: inout UInt64
  ) -> Int {
    let start = at
    precondition(start >= 0 && end <= bytes.count)
    while at &+ 8 <= end {
      let values = value(Bytes.uncheckedWord(bytes, at))
      let others = others(values)
      if others == 0 {
        number = number &* 100_000_000 &+ self.number(values)
        at &+= 8
        continue
      }
      let count = others.trailingZeroBitCount >> 3
      guard count > 0 else { return at &- start }
      // Shifts out what follows the digits, and puts zeros before them.
      let shifted = values << UInt64(truncatingIfNeeded: 64 &- 8 &* count)
      number = number &* powers[count] &+ self.number(shifted)
      at &+= count
      return at &- start
    }
    while at < end {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else { break }
      number = number &* 10 &+ UInt64(digit)
      at &+= 1
    }
    return at &- start
  }

  /// Powers of ten up to those of nine digits.
  static let powers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]
}
