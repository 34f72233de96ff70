import Text
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

  /// The instant in RFC 3339, in UTC; milliseconds only when requested or needed.
  func text(alwaysWithMilliseconds: Bool = false) -> String {
    var bytes: [UInt8] = []
    TimeText.append(self, to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    guard !alwaysWithMilliseconds, text.hasSuffix(".000Z") else { return text }
    return text.dropLast(5) + "Z"
  }
}
