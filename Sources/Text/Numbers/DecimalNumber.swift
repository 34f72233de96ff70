/// Reading decimal numbers from bytes.
package enum DecimalNumber {
  /// The number that `bytes` spell in full, correctly rounded, or nil when they spell none.
  ///
  /// Accepts what xsd:decimal and xsd:double allow: a sign, digits, a point, more digits and an
  /// exponent, with XML white space around them. Rejects "NaN", "INF", hexadecimal digits, a
  /// decimal comma, and numbers that are too large for a Double.
  ///
  /// - Complexity: O(n); nothing is allocated unless the number is one of the rare hard ones (more
  ///   than 19 digits and close to the middle between two doubles, or far from 1).
  package static func parse(_ bytes: Span<UInt8>) -> Double? {
    var (at, end) = (0, bytes.count)
    while at < end, isXMLSpace(bytes[at]) { at += 1 }
    while end > at, isXMLSpace(bytes[end - 1]) { end -= 1 }
    guard var number = Parts(bytes, &at, end) else { return nil }
    guard at == end || number.takeExponent(bytes, from: at, to: end) else { return nil }
    guard let size = number.exact ?? number.rounded else { return spelledOut(bytes) }
    return number.isNegative ? -size : size
  }

  /// The number that begins at `at`, which is advanced past it: a sign, digits and a point.
  ///
  /// Nil when none begins there, or when it is one of the hard ones; the caller handles what
  /// follows, such as an exponent.
  @inline(__always)
  package static func scan(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Double? {
    guard let number = Parts(bytes, &at, bytes.count), let size = number.exact ?? number.rounded
    else { return nil }
    return number.isNegative ? -size : size
  }

  /// The standard library's parser, which is correct for every length and independent of the
  /// locale.
  private static func spelledOut(_ bytes: Span<UInt8>) -> Double? {
    let digits = bytes.withUnsafeBufferPointer { buffer in
      // The buffer is only read, and not after this closure.
      String(decoding: buffer.filter { !isXMLSpace($0) }, as: UTF8.self)
    }
    guard let number = Double(digits), number.isFinite else { return nil }
    return number
  }
}

/// A decimal number in parts: `mantissa` times ten to the power of `exponent`.
private struct Parts {
  var isNegative = false
  var mantissa: UInt64 = 0
  var exponent = 0
  /// Whether nonzero digits were left out of the mantissa, which has 19.
  var isCut = false

  /// Reads the sign, the digits and the point at `at`, which is advanced past them.
  @inline(__always)
  init?(_ bytes: borrowing Span<UInt8>, _ at: inout Int, _ end: Int) {
    guard at < end else { return nil }
    let sign = bytes[at]
    if sign == 0x2D || sign == 0x2B {
      isNegative = sign == 0x2D
      at &+= 1
    }
    let first = at
    if at &+ 16 <= end, end <= bytes.count {
      // Up to seven digits and the byte after them at once.
      let values = Digits.value(Bytes.uncheckedWord(bytes, at))
      let whole = Digits.count(values)
      mantissa = Digits.number(values << UInt64(truncatingIfNeeded: 64 &- 8 &* min(whole, 7)))
      at &+= min(whole, 7)
    }
    while at < end {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      at &+= 1
    }
    var count = at &- first
    if at < end, bytes[at] == 0x2E {
      at &+= 1
      let decimals = Digits.take(bytes, &at, end, into: &mantissa)
      exponent = 0 &- decimals
      count &+= decimals
    }
    guard count > 0 else { return nil }
    if count > 19 { retake(bytes, first, at) }
  }

  /// Reads the digits between two offsets again, because the mantissa cannot hold all of them.
  @inline(never)
  private mutating func retake(_ bytes: borrowing Span<UInt8>, _ from: Int, _ end: Int) {
    (mantissa, exponent) = (0, 0)
    var (significant, step, at) = (0, 0, from)
    while at < end {
      if step < 0, 1...11 ~= significant, at &+ 8 <= end {
        // Decimals, all of which count.
        mantissa = mantissa &* 100_000_000 &+ Digits.number(Digits.value(Bytes.word(bytes, at)))
        significant &+= 8
        exponent &-= 8
        at &+= 8
        continue
      }
      let digit = bytes[at] &- 0x30
      if digit >= 10 {
        step = -1
      } else if significant < 19 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        significant &+= mantissa == 0 ? 0 : 1
        exponent &+= step
      } else {
        isCut = isCut || digit != 0
        exponent &+= step &+ 1
      }
      at &+= 1
    }
  }

  mutating func takeExponent(_ bytes: Span<UInt8>, from: Int, to end: Int) -> Bool {
    guard bytes[from] | 0x20 == 0x65 else { return false }
    var at = from + 1
    var isNegative = false
    if at < end, bytes[at] == 0x2D || bytes[at] == 0x2B {
      isNegative = bytes[at] == 0x2D
      at += 1
    }
    guard at < end else { return false }
    var power = 0
    while at < end {
      let digit = bytes[at] &- 0x30
      guard digit < 10 else { return false }
      // Clamped far outside the range of a Double, so it cannot overflow.
      power = min(power * 10 + Int(digit), 1 << 40)
      at += 1
    }
    exponent += isNegative ? -power : power
    return true
  }

  /// The value when one multiplication or division of exact doubles gives it.
  ///
  /// It is then rounded once and so correct: William Clinger, "How to read floating point numbers
  /// accurately", 1990.
  var exact: Double? {
    if mantissa == 0 { return 0 }
    guard mantissa <= 1 << 53, !isCut, -22...22 ~= exponent else { return nil }
    // Exact, as the mantissa is small; from an Int64 it is one instruction.
    let whole = Double(Int64(bitPattern: mantissa))
    if exponent <= 0 { return whole / powersOfTen[0 &- exponent] }
    return whole * powersOfTen[exponent]
  }

  /// The value by Eisel and Lemire's method; nil in the rare case that it cannot decide.
  ///
  /// Digits that were cut off put the number between `mantissa` and `mantissa + 1`: when both round
  /// to the same double, so does it.
  var rounded: Double? {
    guard PowersOfFive.exponents ~= exponent, let low = nearest(mantissa) else { return nil }
    guard isCut else { return low }
    return nearest(mantissa + 1) == low ? low : nil
  }

  /// The double nearest to `mantissa` (not 0) times ten to the power of `exponent`; nil when 128
  /// bits of the power do not decide it.
  private func nearest(_ mantissa: UInt64) -> Double? {
    let shift = mantissa.leadingZeroBitCount
    let (high, low) = product(mantissa << UInt64(shift))
    let carry = Int(high >> 63)
    var bits = high >> UInt64(carry + 9)
    if low == .max { return nil }
    // Exactly in the middle between two doubles (possible for small powers only): to even.
    if low <= 1, -4...23 ~= exponent, bits & 3 == 1, bits << UInt64(carry + 9) == high {
      bits &= ~1
    }
    bits = (bits + bits & 1) >> 1
    // 217706 / 65536 is log2(10); the exponents of the table stay this far from both ends of the
    // range, so neither a subnormal nor an infinity can result.
    var power = ((217706 * exponent) >> 16) + 63 + carry - shift + 1023
    if bits >= 1 << 53 {
      bits = 1 << 52
      power += 1
    }
    return Double(bitPattern: bits & (1 << 52 - 1) | UInt64(power) << 52)
  }

  /// The highest 128 bits of `mantissa` times the power of five, as far as they matter.
  private func product(_ mantissa: UInt64) -> (high: UInt64, low: UInt64) {
    let power = PowersOfFive.halves(exponent)
    var (high, low) = mantissa.multipliedFullWidth(by: power.high)
    if high & 0x1FF == 0x1FF {
      let more = mantissa.multipliedFullWidth(by: power.low).high
      let overflow: Bool
      (low, overflow) = low.addingReportingOverflow(more)
      if overflow { high &+= 1 }
    }
    return (high, low)
  }
}

private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// Whether `byte` is white space in XML 1.0, section 2.3.
@inlinable @inline(__always)
public func isXMLSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
}
