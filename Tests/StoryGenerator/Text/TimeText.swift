import Tracking

extension Timestamp {
  /// Midnight UTC of a day of the Gregorian calendar, and `seconds` after it.
  ///
  /// Days from civil date after H. Hinnant, "chrono-compatible low-level date algorithms".
  init(_ year: Int, _ month: Int, _ day: Int, seconds: Int = 0) {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    self.init(nanoseconds: Int64(days * 86_400 + seconds) * 1_000_000_000)
  }

  /// The instant as RFC 3339 has it, in UTC; milliseconds only where asked for or needed.
  func text(alwaysWithMilliseconds: Bool = false) -> String {
    let milliseconds = Int((Double(nanoseconds) / 1e6).rounded())
    let seconds = milliseconds.floored(by: 1000)
    let day = seconds.quotient.floored(by: 86_400)
    let fraction =
      alwaysWithMilliseconds || seconds.remainder > 0
      ? "." + String(seconds.remainder, digits: 3) : ""
    let clock = [day.remainder / 3600, day.remainder / 60 % 60, day.remainder % 60]
    let time = clock.map { String($0, digits: 2) }.joined(separator: ":")
    return "\(Self.date(daysSince1970: day.quotient))T\(time)\(fraction)Z"
  }

  private static func date(daysSince1970 days: Int) -> String {
    let era = (days + 719_468).floored(by: 146_097)
    let dayOfEra = era.remainder
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * march + 2) / 5 + 1
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era.quotient * 400 + (month <= 2 ? 1 : 0)
    return [String(year, digits: 4), String(month, digits: 2), String(day, digits: 2)]
      .joined(separator: "-")
  }
}

extension Int {
  fileprivate func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
