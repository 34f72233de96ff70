/// Writes numbers as decimal text into a buffer, without other allocations.
package enum DecimalText {
  /// The most decimals that ``append(_:decimals:to:)`` writes.
  package static let maxDecimals = 9

  /// Appends a whole number.
  package static func append(_ value: Int64, to buffer: inout [UInt8]) {
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    append(digits: value.magnitude, atLeast: 1, to: &buffer)
  }

  /// Appends `value` with exactly `decimals` decimals (0 to ``maxDecimals``), rounded to nearest.
  ///
  /// The rounding is exact: it uses the binary value, and a true tie goes to the even digit, as in
  /// C's `printf`. Zero has no sign. From 2⁶³ on the shortest text that reads back as the same
  /// number is written instead (`1e+300`), also for infinities and NaN, which JSON does not allow:
  /// check `isFinite` first.
  package static func append(_ value: Double, decimals: Int, to buffer: inout [UInt8]) {
    let magnitude = value.magnitude
    // NaN fails the comparison too.
    guard magnitude < 0x1p63 else {
      buffer.append(contentsOf: value.description.utf8)
      return
    }
    let decimals = min(max(decimals, 0), maxDecimals)
    let (whole, fraction) = rounded(magnitude, power: powers[decimals])
    // 2⁶³ has 19 digits; with the decimals, the point and the sign they are at most 30 bytes.
    var scratch = InlineArray<32, UInt8>(repeating: UInt8(ascii: "0"))
    var start = 32
    if decimals > 0 {
      put(fraction, before: &start, in: &scratch)
      start = 31 - decimals
      scratch[start] = UInt8(ascii: ".")
    }
    let point = start
    put(whole, before: &start, in: &scratch)
    if start == point { start -= 1 }
    if value < 0, whole > 0 || fraction > 0 {
      start -= 1
      scratch[start] = UInt8(ascii: "-")
    }
    buffer.append(scratch.span.extracting(start..<32))
  }

  /// Puts the digits of a nonzero number before a position, which is moved to the first digit.
  @inline(__always)
  private static func put(
    _ value: UInt64, before start: inout Int, in scratch: inout InlineArray<32, UInt8>
  ) {
    var rest = value
    while rest > 0 {
      start -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      scratch[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
  }

  /// Appends `value` in decimal, with zeros in front up to `width` digits (at most 20).
  package static func append(
    digits value: UInt64, atLeast width: Int, to buffer: inout [UInt8]
  ) {
    // 2⁶⁴ has 20 digits.
    var scratch = InlineArray<32, UInt8>(repeating: UInt8(ascii: "0"))
    var start = 32
    put(value, before: &start, in: &scratch)
    buffer.append(scratch.span.extracting(min(start, 32 - min(width, 20))..<32))
  }

  private static let powers: InlineArray<10, UInt64> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// `value` (0 ..< 2⁶³) times `power`, rounded to a whole number and split by `power` again.
  private static func rounded(
    _ value: Double, power: UInt64
  ) -> (whole: UInt64, fraction: UInt64) {
    var whole = UInt64(value)
    let part = value - Double(whole)
    guard part > 0 else { return (whole, 0) }
    // part = mantissa × 2^−shift, exactly; with a power of at most 10⁹ the product stays below 2⁸³.
    // A shift of 128 or more leaves nothing, as it must.
    let mantissa = UInt128(part.significandBitPattern | (part.isNormal ? 1 << 52 : 0))
    let shift = 52 - (part.isNormal ? Int(part.exponent) : -1022)
    let product = mantissa * UInt128(power)
    var fraction = UInt64(truncatingIfNeeded: product >> UInt128(shift))
    if shift < 128 {
      let half: UInt128 = 1 << UInt128(shift - 1)
      let remainder = product & (half << 1 &- 1)
      let isOdd = (power == 1 ? whole : fraction) & 1 == 1
      if remainder > half || (remainder == half && isOdd) { fraction += 1 }
    }
    if fraction == power { (whole, fraction) = (whole + 1, 0) }
    return (whole, fraction)
  }
}
