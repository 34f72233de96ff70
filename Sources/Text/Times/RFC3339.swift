package import Estimation

/// Times in RFC 3339, and in the common deviations from it.
package enum RFC3339 {
  /// The instant that `bytes` spell in full, or nil when they spell none.
  ///
  /// The form is `YYYY-MM-DD`, one of `T`, `t` and a space, `hh:mm:ss`, a fraction of any length
  /// after `.` or `,` (cut to nanoseconds) and a zone: `Z`, `z`, `+hh:mm`, `+hhmm`, `+hh`, or no
  /// zone, which means UTC. White space around it is ignored. A leap second (`:60`) is the second
  /// after it and `24:00:00` the next midnight. The day must be in the Gregorian calendar and the
  /// year, here and in UTC, in ``years``.
  ///
  /// - Complexity: O(n); nothing is allocated.
  package static func parse(_ bytes: Span<UInt8>) -> Timestamp? {
    var at = 0
    if let time = scan(bytes, &at), at == bytes.count { return time }
    var reader = Reader(bytes)
    guard let day = reader.date(bytes), let second = reader.timeOfDay(bytes),
      let nanosecond = reader.fraction(bytes), let offset = reader.zone(bytes), reader.isAtEnd
    else { return nil }
    if second == 86_400, nanosecond != 0 { return nil }
    // At most 292 years from 1970 in nanoseconds: the years that `date` accepts cannot overflow.
    let seconds = Int64(day) * 86_400 + Int64(second - offset)
    return inRange(seconds * 1_000_000_000 + Int64(nanosecond))
  }

  /// Whether a time, which may begin with blanks, has a date and no zone; a plain number has neither.
  package static func isWithoutZone(_ bytes: borrowing Span<UInt8>) -> Bool {
    var start = 0
    while start < bytes.count, isXMLSpace(bytes[start]) { start += 1 }
    guard bytes.count > start + 10, bytes[start + 4] == UInt8(ascii: "-") else { return false }
    for index in start + 10..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "Z"), UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"): return false
      default: continue
      }
    }
    return true
  }

  /// The years that a ``Timestamp`` covers in full.
  package static var years: ClosedRange<Int> { 1678...2261 }

  /// An instant in nanoseconds since 1970; nil when its year in UTC is outside ``years``, so that
  /// what is written can be read again.
  package static func inRange(_ nanoseconds: Int64) -> Timestamp? {
    let range = Int64(-9_214_560_000_000_000_000)..<9_214_646_400_000_000_000
    return range.contains(nanoseconds) ? Timestamp(nanoseconds: nanoseconds) : nil
  }

  /// The instant that begins at `at`, which is advanced past it, in the most common form:
  /// `YYYY-MM-DDThh:mm:ss`, up to nine decimals after a point, and `Z`.
  ///
  /// Nil when it has another form.
  @inline(__always)
  package static func scan(_ bytes: borrowing Span<UInt8>, _ at: inout Int) -> Timestamp? {
    guard at &+ 20 <= bytes.count else { return nil }
    // Digits become their values, and separators 0: `0000-00-`, `00T00:00`, and `00T00:00` again
    // from the fourth byte on, which ends with `:00`.
    let date = Bytes.word(bytes, at) ^ 0x2D30_302D_3030_3030
    let time = Bytes.word(bytes, at &+ 8) ^ 0x3030_3A30_3054_3030
    let tail = Bytes.word(bytes, at &+ 11) ^ 0x3030_3A30_303A_3030
    let separators = date & 0xFF00_00FF_0000_0000 | time & 0x0000_FF00_00FF_0000
    guard separators | tail & 0x0000_FF00_00FF_0000 == 0,
      Digits.others(date) | Digits.others(time) | Digits.others(tail) == 0
    else { return nil }
    // Each byte is then ten times its digit plus the next: the number of two digits.
    let (dates, times) = (date &* 10 &+ (date >> 8), time &* 10 &+ (time >> 8))
    let year = Int(dates & 0xFF) &* 100 &+ Int((dates >> 16) & 0xFF)
    let hour = Int((times >> 24) & 0xFF)
    let minute = Int((times >> 48) & 0xFF)
    let second = Int((tail >> 48) & 0xFF) &* 10 &+ Int(tail >> 56)
    guard hour < 24, minute < 60, second < 60, years ~= year,
      let day = days(year: year, month: Int((dates >> 40) & 0xFF), day: Int(times & 0xFF))
    else { return nil }
    at &+= 19
    var nanoseconds: UInt64 = 0
    if bytes[at] == 0x2E {
      at &+= 1
      let count = Digits.take(bytes, &at, bytes.count, into: &nanoseconds)
      guard 1...9 ~= count else { return nil }
      nanoseconds &*= Digits.powers[9 &- count]
    }
    guard at < bytes.count, bytes[at] == 0x5A else { return nil }
    at &+= 1
    // The years of a Timestamp, so nothing can overflow.
    let seconds = day &* 86_400 &+ hour &* 3_600 &+ minute &* 60 &+ second
    return Timestamp(nanoseconds: Int64(seconds) &* 1_000_000_000 &+ Int64(nanoseconds))
  }

  /// Days from 1970-01-01 to a day of the Gregorian calendar; nil when there is no such day.
  ///
  /// Counts from the first of March, so the leap day is the last of its year; 153 days are in any
  /// five months from March on.
  package static func days(year: Int, month: Int, day: Int) -> Int? {
    guard 1...12 ~= month, day >= 1, day <= length(of: month, in: year) else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
  }

  private static func length(of month: Int, in year: Int) -> Int {
    if month == 2 {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }
}

/// Reads the fields one after the other.
private struct Reader {
  private var at = 0
  private var end: Int

  init(_ bytes: Span<UInt8>) {
    end = bytes.count
    while at < end, isXMLSpace(bytes[at]) { at += 1 }
    while end > at, isXMLSpace(bytes[end - 1]) { end -= 1 }
  }

  var isAtEnd: Bool { at == end }

  /// Days from 1970-01-01 to the date.
  mutating func date(_ bytes: Span<UInt8>) -> Int? {
    guard let century = pair(bytes), let rest = pair(bytes), take("-", bytes),
      let month = pair(bytes), take("-", bytes), let day = pair(bytes)
    else { return nil }
    let year = century * 100 + rest
    guard RFC3339.years ~= year else { return nil }
    return RFC3339.days(year: year, month: month, day: day)
  }

  /// Seconds from midnight to the time, without its fraction.
  mutating func timeOfDay(_ bytes: Span<UInt8>) -> Int? {
    guard take("T", bytes) || take("t", bytes) || take(" ", bytes),
      let hour = pair(bytes), take(":", bytes), let minute = pair(bytes), take(":", bytes),
      let second = pair(bytes), minute < 60, second <= 60
    else { return nil }
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0) else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Nanoseconds of the fraction, 0 without a fraction; nil when the point has no digits.
  mutating func fraction(_ bytes: Span<UInt8>) -> Int? {
    guard take(".", bytes) || take(",", bytes) else { return 0 }
    var nanoseconds = 0
    var unit = 100_000_000
    let start = at
    while at < end, bytes[at] &- 0x30 < 10 {
      nanoseconds += Int(bytes[at] &- 0x30) * unit
      unit /= 10
      at += 1
    }
    return at > start ? nanoseconds : nil
  }

  /// Seconds by which the zone is ahead of UTC.
  mutating func zone(_ bytes: Span<UInt8>) -> Int? {
    if at == end || take("Z", bytes) || take("z", bytes) { return 0 }
    let isWest = take("-", bytes)
    guard isWest || take("+", bytes), let hour = pair(bytes) else { return nil }
    var minute = 0
    if at < end {
      _ = take(":", bytes)
      guard let two = pair(bytes) else { return nil }
      minute = two
    }
    guard hour < 24, minute < 60 else { return nil }
    let offset = hour * 3600 + minute * 60
    return isWest ? -offset : offset
  }

  private mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
    guard at < end, UInt32(bytes[at]) == character.value else { return false }
    at += 1
    return true
  }

  /// The number that two digits form.
  private mutating func pair(_ bytes: Span<UInt8>) -> Int? {
    guard at + 2 <= end else { return nil }
    let tens = bytes[at] &- 0x30
    let ones = bytes[at + 1] &- 0x30
    guard tens < 10, ones < 10 else { return nil }
    at += 2
    return Int(tens) * 10 + Int(ones)
  }
}
