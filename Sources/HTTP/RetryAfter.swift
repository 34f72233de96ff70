package import Foundation

/// The header `Retry-After` of HTTP: RFC 9110, section 10.2.3.
package enum RetryAfter {
  /// The wait that a server's headers give, from now, at least 0; nil without a valid header.
  ///
  /// A date is compared with the server's clock if the response has its date.
  package static func delay(_ headers: [String: String], now: Date) -> Duration? {
    guard let header = headers["retry-after"] else { return nil }
    let text = header.trimmingCharacters(in: .whitespaces)
    if let seconds = Int(text) { return seconds >= 0 ? .seconds(min(seconds, longest)) : nil }
    guard let instant = date(text) else { return nil }
    let seconds = instant.timeIntervalSince(headers["date"].flatMap(date) ?? now)
    return .seconds(min(max(0, seconds.rounded(.up)), Double(longest)))
  }

  /// A week; longer waits are cut.
  private static let longest = 604_800

  /// A date in the one form of RFC 9110, section 5.6.7 that is not obsolete:
  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(","),
      let day = Int(parts[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(parts[2])),
      let year = Int(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let time = parts[4].split(separator: ":").map { Int($0) ?? -1 }
    // A minute may have a leap second.
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(
      from: DateComponents(
        year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2]))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
