package import Estimation

/// Times as text: reads RFC 3339 or Unix time, writes RFC 3339.
package enum TimeText {
  /// The instant that `bytes` spell, or nil.
  ///
  /// Either a date and time in RFC 3339, or a plain number: seconds since 1970 with or without
  /// decimals, or milliseconds when it has 13 digits or more before the point (as seconds those
  /// would be beyond the year 33,000), microseconds with 16 and nanoseconds with 19; of the years
  /// 1678...2261.
  package static func parse(_ bytes: Span<UInt8>) -> Timestamp? {
    // A plain number has no '-' there, a date always.
    if bytes.count > 4, bytes[4] == UInt8(ascii: "-") { return RFC3339.parse(bytes) }
    return unixTime(bytes) ?? RFC3339.parse(bytes)
  }

  /// The instant of a plain number of milliseconds since 1970, or nil.
  package static func parseMilliseconds(_ bytes: Span<UInt8>) -> Timestamp? {
    unixTime(bytes, unit: 1_000_000)
  }

  /// Appends `time` in UTC to the nearest millisecond: `2025-03-10T14:02:07.300Z`.
  package static func append(_ time: Timestamp, to buffer: inout [UInt8]) {
    append(time, decimals: 3, to: &buffer)
  }

  /// Appends `time` in UTC exactly: with three decimals, or six or nine when needed.
  package static func appendExactly(_ time: Timestamp, to buffer: inout [UInt8]) {
    let decimals =
      time.nanoseconds % 1_000_000 == 0 ? 3 : time.nanoseconds % 1_000 == 0 ? 6 : 9
    append(time, decimals: decimals, to: &buffer)
  }

  @inline(__always)
  private static func append(_ time: Timestamp, decimals: Int, to buffer: inout [UInt8]) {
    let unit: Int64 = decimals == 3 ? 1_000_000 : decimals == 6 ? 1_000 : 1
    let civil = CivilTime(time, unit: unit)
    // `2025-03-10T14:02:07.` and the decimals; the years of a Timestamp have four digits.
    var text = InlineArray<30, UInt8>(repeating: UInt8(ascii: "-"))
    let (seconds, year) = (civil.secondOfDay, civil.date.year)
    put(year / 100, at: 0, in: &text)
    put(year % 100, at: 2, in: &text)
    put(civil.date.month, at: 5, in: &text)
    put(civil.date.day, at: 8, in: &text)
    text[10] = UInt8(ascii: "T")
    put(seconds / 3_600, at: 11, in: &text)
    text[13] = UInt8(ascii: ":")
    put(seconds / 60 % 60, at: 14, in: &text)
    text[16] = UInt8(ascii: ":")
    put(seconds % 60, at: 17, in: &text)
    text[19] = UInt8(ascii: ".")
    var rest = civil.fraction
    for place in 0..<decimals {
      text[19 + decimals - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    text[20 + decimals] = UInt8(ascii: "Z")
    buffer.append(text.span.extracting(0..<21 + decimals))
  }

  /// Puts two digits.
  @inline(__always)
  private static func put(_ value: Int64, at place: Int, in text: inout InlineArray<30, UInt8>) {
    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
    text[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
  }

  /// Nanoseconds per unit of a plain number with so many digits before the point.
  private static func unit(digits: Int) -> Int64 {
    switch digits {
    case ..<13: 1_000_000_000
    case ..<16: 1_000_000
    case ..<19: 1_000
    default: 1
    }
  }

  /// Reads a plain number digit by digit: as a Double, seconds since 1970 would lose their
  /// nanoseconds.
  ///
  /// Without a `unit` in nanoseconds the number of digits shows it.
  private static func unixTime(_ bytes: Span<UInt8>, unit known: Int64? = nil) -> Timestamp? {
    var offset = 0
    let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    if isNegative { offset = 1 }
    let first = offset
    guard let whole = digits(in: bytes, from: &offset, atMost: 19) else { return nil }
    var (fraction, unit): (Int64, Int64) = (0, known ?? unit(digits: offset - first))
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      guard offset < bytes.count else { return nil }
      while offset < bytes.count, let digit = bytes[offset].decimalDigit {
        unit /= 10
        fraction += Int64(digit) * unit
        offset += 1
      }
    }
    guard offset == bytes.count else { return nil }
    let (sum, tooLate) = scaled.addingReportingOverflow(fraction)
    return tooLate ? nil : RFC3339.inRange(isNegative ? -sum : sum)
  }

  private static func digits(
    in bytes: Span<UInt8>, from offset: inout Int, atMost limit: Int
  ) -> Int64? {
    let start = offset
    var value: Int64 = 0
    while offset < bytes.count, let digit = bytes[offset].decimalDigit {
      guard offset - start < limit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = tens.addingReportingOverflow(Int64(digit))
      if overflow || isTooLarge { return nil }
      value = sum
      offset += 1
    }
    return offset > start ? value : nil
  }
}

/// An instant in the calendar of UTC, rounded to a unit of at most a second.
package struct CivilTime {
  /// Year, month from 1, day from 1.
  package let date: (year: Int64, month: Int64, day: Int64)
  package let secondOfDay: Int64
  /// Units after the second.
  package let fraction: UInt64

  /// Rounds to the nearest `unit` nanoseconds, a divisor of a second; half goes to the later.
  @inline(__always)
  package init(_ time: Timestamp, unit: Int64) {
    var (units, rest) = time.nanoseconds.flooredDivision(by: unit)
    if rest * 2 >= unit { units += 1 }
    let (seconds, fraction) = units.flooredDivision(by: 1_000_000_000 / unit)
    self.fraction = UInt64(fraction)
    let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
    self.secondOfDay = secondOfDay
    date = CivilTime.date(daysSince1970: days)
  }

  /// The Gregorian date, counted in eras of 400 years that begin on 1 March, so that the leap day
  /// comes last (Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Appends `2025-03-10`.
  func appendDate(to buffer: inout [UInt8]) {
    DecimalText.append(digits: UInt64(clamping: date.year), atLeast: 4, to: &buffer)
    buffer.append(UInt8(ascii: "-"))
    DecimalText.append(digits: UInt64(clamping: date.month), atLeast: 2, to: &buffer)
    buffer.append(UInt8(ascii: "-"))
    DecimalText.append(digits: UInt64(clamping: date.day), atLeast: 2, to: &buffer)
  }

  /// Appends `14:02:07`.
  func appendTimeOfDay(to buffer: inout [UInt8]) {
    let seconds = UInt64(clamping: secondOfDay)
    DecimalText.append(digits: seconds / 3_600, atLeast: 2, to: &buffer)
    buffer.append(UInt8(ascii: ":"))
    DecimalText.append(digits: seconds / 60 % 60, atLeast: 2, to: &buffer)
    buffer.append(UInt8(ascii: ":"))
    DecimalText.append(digits: seconds % 60, atLeast: 2, to: &buffer)
  }
}

extension Int64 {
  /// Quotient rounded down and the remainder, 0 ..< `divisor`, which is above 0.
  @inline(__always)
  fileprivate func flooredDivision(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
