internal import Text

/// The types of field values; an empty field is unknown, never an error.
extension NMEASentence {
  /// A number; NaN when the field is empty.
  func number(_ field: Int, _ bytes: Span<UInt8>) throws(NMEAError) -> Double {
    guard let range = range(field) else { return .nan }
    var at = range.lowerBound
    if let number = DecimalNumber.scan(bytes, &at), at == range.upperBound { return number }
    guard let number = DecimalNumber.parse(bytes.extracting(range)) else {
      throw invalidField(field, "a number", bytes)
    }
    return number
  }

  /// An angle to the east (E) or west (W), which has two fields; positive to the east, NaN when one of
  /// them is empty.
  func eastward(_ field: Int, _ bytes: Span<UInt8>) throws(NMEAError) -> Double {
    let angle = try number(field, bytes)
    switch try letter(field + 1, of: "EW", bytes) {
    case UInt8(ascii: "E"): return angle
    case UInt8(ascii: "W"): return -angle
    default: return .nan
    }
  }

  /// A whole number that is not negative; nil when the field is empty.
  func count(_ field: Int, _ bytes: Span<UInt8>) throws(NMEAError) -> Int? {
    guard let range = range(field) else { return nil }
    guard let count = Self.integer(bytes, range) else {
      throw invalidField(field, "a whole number", bytes)
    }
    return count
  }

  /// The single letter of a field; nil when the field is empty.
  func letter(
    _ field: Int, of letters: StaticString, _ bytes: Span<UInt8>
  ) throws(NMEAError) -> UInt8? {
    guard let range = range(field) else { return nil }
    let letter = bytes[range.lowerBound]
    var isKnown = false
    for place in 0..<letters.utf8CodeUnitCount where letters.utf8Start[place] == letter {
      // Inside the literal by the bounds of the loop.
      isKnown = true
    }
    guard range.count == 1, isKnown else {
      throw invalidField(field, "one of the letters \(letters)", bytes)
    }
    return letter
  }

  /// The time in the form hhmmss with optional decimals; nil when the field is empty.
  ///
  /// It is cut to the nanosecond. Second 60 is a leap second.
  func timeOfDay(_ field: Int, _ bytes: Span<UInt8>) throws(NMEAError) -> NMEATime? {
    guard let range = range(field) else { return nil }
    let whole = range.lowerBound..<min(range.lowerBound + 6, range.upperBound)
    guard whole.count == 6, let digits = Self.integer(bytes, whole),
      let fraction = Self.fraction(bytes, whole.upperBound..<range.upperBound)
    else { throw invalidField(field, "a time as hhmmss or hhmmss.sss", bytes) }
    let (hour, minute, second) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard hour < 24, minute < 60, second <= 60 else {
      throw invalidField(field, "a time from 000000 to 235960", bytes)
    }
    let seconds = Int64(hour * 3_600 + minute * 60 + second)
    return NMEATime(
      nanoseconds: seconds * 1_000_000_000 + fraction, isInMilliseconds: range.count > 9)
  }

  /// Degrees of a latitude (ddmm.mmmm and N or S) or of a longitude (dddmm.mmmm and E or W), which
  /// have two fields; NaN when one of them is empty.
  ///
  /// Minute 60 is the next degree: receivers round 59.99999 up. gpsd and gpsbabel read it so too.
  func degrees(
    _ field: Int, isLatitude: Bool, _ bytes: Span<UInt8>
  ) throws(NMEAError) -> Double {
    let way = try letter(field + 1, of: isLatitude ? "NS" : "EW", bytes)
    guard let range = range(field) else { return .nan }
    let point = bytes.firstIndex(of: UInt8(ascii: "."), from: range.lowerBound) ?? range.upperBound
    let end = min(point, range.upperBound)
    let split = max(end - 2, range.lowerBound)
    guard end - split == 2, bytes[split].decimalDigit != nil,
      let degrees = range.lowerBound == split ? 0 : Self.integer(bytes, range.lowerBound..<split),
      let minutes = minutes(bytes, split..<range.upperBound),
      minutes <= 60, Double(degrees) + minutes / 60 <= (isLatitude ? 90 : 180)
    else {
      let form = isLatitude ? "a latitude as ddmm.mmmm" : "a longitude as dddmm.mmmm"
      throw invalidField(field, form, bytes)
    }
    guard let way else { return .nan }
    // One division: the quotient is accurate to the last bit but one.
    let size = (Double(degrees) * 60 + minutes) / 60
    return way == UInt8(ascii: "S") || way == UInt8(ascii: "W") ? -size : size
  }

  private func minutes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var at = range.lowerBound
    if let number = DecimalNumber.scan(bytes, &at), at == range.upperBound { return number }
    return DecimalNumber.parse(bytes.extracting(range))
  }

  /// The day in the form ddmmyy, in days since 1970; nil when the field is empty.
  ///
  /// The years 80 to 99 are those of 1900, because GPS began in 1980.
  func date(_ field: Int, _ bytes: Span<UInt8>) throws(NMEAError) -> Int? {
    guard let range = range(field) else { return nil }
    guard range.count == 6, let digits = Self.integer(bytes, range) else {
      throw invalidField(field, "a date as ddmmyy", bytes)
    }
    let year = digits % 100
    return try day(
      field, year: year >= 80 ? 1900 + year : 2000 + year, month: digits / 100 % 100,
      day: digits / 10_000, bytes)
  }

  /// Days since 1970 of a date of the calendar.
  func day(
    _ field: Int, year: Int, month: Int, day: Int, _ bytes: Span<UInt8>
  ) throws(NMEAError) -> Int {
    // The range of a Timestamp.
    guard RFC3339.years ~= year, let days = RFC3339.days(year: year, month: month, day: day) else {
      throw invalidField(field, "a day of the calendar", bytes)
    }
    return days
  }

  /// The number of at most nine digits, and nothing else.
  private static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard 1...9 ~= range.count else { return nil }
    var value = 0
    for index in range {
      guard let digit = bytes[index].decimalDigit else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// Nanoseconds of a point and digits, or of an empty text.
  private static func fraction(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard let first = range.first else { return 0 }
    guard bytes[first] == UInt8(ascii: ".") else { return nil }
    var (nanoseconds, unit): (Int64, Int64) = (0, 100_000_000)
    for index in range.dropFirst() {
      guard let digit = bytes[index].decimalDigit else { return nil }
      nanoseconds += Int64(digit) * unit
      unit /= 10
    }
    return nanoseconds
  }
}
