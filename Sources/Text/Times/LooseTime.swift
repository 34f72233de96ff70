package import Estimation

/// Dates and times as spreadsheets and loggers write them, where RFC 3339 is stricter.
///
/// A date is `2025-03-10`, with `/`, `.` or `:` as well, `20250310`, `10.03.2025` or `10-Mar-2025`:
/// only with points or the name of a month is the day known to come first. A time of day is `14:02`,
/// `14:02:07`, `14:02:07.3`, `140207` or `2:02 PM`. A zone is what RFC 3339 allows, `UTC` or `GMT`, or
/// both, as in `+0000 UTC`.
package enum LooseTime {
  /// An instant as written.
  package struct Reading: Sendable, Equatable {
    /// The instant, in UTC if no zone was given.
    package var time: Timestamp
    package var hasZone: Bool
  }

  /// The instant that a date, a time of day and perhaps a zone spell in full; nil when they spell
  /// none, or only a date.
  package static func parse(_ bytes: Span<UInt8>) -> Reading? {
    var reader = LooseReader(bytes)
    guard let date = reader.date(bytes) else { return nil }
    reader.skip(bytes, " T,t")
    guard let time = reader.timeOfDay(bytes) else { return nil }
    reader.skip(bytes, " ")
    let zone = bytes.extracting(reader.zone(bytes))
    let hasZone = !zone.isEmpty
    var text = date + [UInt8(ascii: "T")] + time
    if hasZone, !zone.equals("UTC"), !zone.equals("GMT") {
      text.append(zone)
    } else {
      text.append(UInt8(ascii: "Z"))
    }
    return RFC3339.parse(text.span).map { Reading(time: $0, hasZone: hasZone) }
  }
}

/// Reads the parts one after the other, and gives them as RFC 3339 writes them.
private struct LooseReader {
  private(set) var at = 0
  private(set) var end: Int

  init(_ bytes: Span<UInt8>) {
    end = bytes.count
    while at < end, isXMLSpace(bytes[at]) { at += 1 }
    while end > at, isXMLSpace(bytes[end - 1]) { end -= 1 }
  }

  mutating func skip(_ bytes: Span<UInt8>, _ characters: StaticString) {
    while at < end, contains(characters, bytes[at]) { at += 1 }
  }

  mutating func date(_ bytes: Span<UInt8>) -> [UInt8]? {
    var first = digits(bytes)
    if first.count == 14 {
      // The time of day follows without a separator.
      at -= 6
      first.removeLast(6)
    }
    if first.count == 8 { return Self.date(first[..<4], first[4..<6], first[6...]) }
    guard at < end, contains("-/.: ", bytes[at]) else { return nil }
    let separator = bytes[at]
    at += 1
    if let month = month(bytes) { return date(bytes, day: first, month: month, separator) }
    guard separator != UInt8(ascii: " ") else { return nil }
    let second = digits(bytes)
    guard at < end, bytes[at] == separator else { return nil }
    at += 1
    let third = digits(bytes)
    if first.count == 4 { return Self.date(first[...], second[...], third[...]) }
    guard separator == UInt8(ascii: "."), third.count == 4 else { return nil }
    return Self.date(third[...], second[...], first[...])
  }

  /// A date whose month has a name; a year of two digits is of this century.
  private mutating func date(
    _ bytes: Span<UInt8>, day: [UInt8], month: [UInt8], _ separator: UInt8
  ) -> [UInt8]? {
    guard at < end, bytes[at] == separator else { return nil }
    at += 1
    let year = digits(bytes)
    return Self.date((year.count == 2 ? [0x32, 0x30] + year : year)[...], month[...], day[...])
  }

  /// The number of the month that the next three letters name.
  private mutating func month(_ bytes: Span<UInt8>) -> [UInt8]? {
    guard at + 3 <= end else { return nil }
    let name = (at..<at + 3).map { bytes[$0] | 0x20 }
    guard let month = Self.months.firstIndex(of: name) else { return nil }
    at += 3
    return [0x30 + UInt8((month + 1) / 10), 0x30 + UInt8((month + 1) % 10)]
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  /// The zone, which is the rest; of `+0000 UTC` its number.
  func zone(_ bytes: Span<UInt8>) -> Range<Int> {
    guard let blank = bytes.firstIndex(of: UInt8(ascii: " "), from: at), blank < end else {
      return at..<end
    }
    return bytes.extracting(blank..<end).equals(" UTC") ? at..<blank : at..<end
  }

  private static func date(
    _ year: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>
  ) -> [UInt8]? {
    guard year.count == 4, let month = pair(month), let day = pair(day) else { return nil }
    return Array([Array(year), month, day].joined(separator: [UInt8(ascii: "-")]))
  }

  mutating func timeOfDay(_ bytes: Span<UInt8>) -> [UInt8]? {
    let first = digits(bytes)
    var parts = [first[...]]
    if first.count == 6 {
      parts = [first[..<2], first[2..<4], first[4...]]
    } else {
      while parts.count < 3, at < end, bytes[at] == UInt8(ascii: ":") {
        at += 1
        parts.append(digits(bytes)[...])
      }
    }
    guard parts.count > 1 else { return nil }
    if parts.count == 2 { parts.append([0x30, 0x30]) }
    var fraction: [UInt8] = []
    if at < end, contains(".,", bytes[at]) {
      at += 1
      fraction = [UInt8(ascii: ".")] + digits(bytes)
    }
    guard var hour = Self.pair(parts[0]), useHalf(bytes, of: &hour) else { return nil }
    var text = hour
    for part in parts.dropFirst() {
      guard let pair = Self.pair(part) else { return nil }
      text += [UInt8(ascii: ":")] + pair
    }
    return text + fraction
  }

  /// Reads `AM` or `PM` where one follows, and makes the hour one of 24; false when it is none of 12.
  private mutating func useHalf(_ bytes: Span<UInt8>, of hour: inout [UInt8]) -> Bool {
    let start = at
    skip(bytes, " ")
    guard at + 2 <= end, bytes[at + 1] | 0x20 == UInt8(ascii: "m"), contains("aApP", bytes[at])
    else {
      at = start
      return true
    }
    let isLater = bytes[at] | 0x20 == UInt8(ascii: "p")
    at += 2
    let number = Int(hour[0] - 0x30) * 10 + Int(hour[1] - 0x30)
    guard 1...12 ~= number else { return false }
    let ofDay = number % 12 + (isLater ? 12 : 0)
    hour = [0x30 + UInt8(ofDay / 10), 0x30 + UInt8(ofDay % 10)]
    return true
  }

  /// One or two digits as two.
  private static func pair(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard 1...2 ~= digits.count else { return nil }
    return digits.count == 1 ? [0x30] + digits : Array(digits)
  }

  private mutating func digits(_ bytes: Span<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    while at < end, bytes[at].decimalDigit != nil {
      digits.append(bytes[at])
      at += 1
    }
    return digits
  }

  private func contains(_ characters: StaticString, _ byte: UInt8) -> Bool {
    characters.withUTF8Buffer { $0.contains(byte) }
  }
}
