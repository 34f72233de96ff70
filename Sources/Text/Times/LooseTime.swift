package import Estimation

/// Dates and times as spreadsheets and loggers write them, where RFC 3339 is stricter.
///
/// A date is `2025-03-10`, with `/` or `.` as well, `20250310`, or `10.03.2025`: only with points is
/// the day known to come first. A time of day is `14:02`, `14:02:07`, `14:02:07.3` or `140207`. A zone
/// is what RFC 3339 allows, or `UTC` or `GMT`.
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
    let zone = bytes.extracting(reader.at..<reader.end)
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
    let first = digits(bytes)
    if first.count == 8 { return Self.date(first[..<4], first[4..<6], first[6...]) }
    guard at < end, contains("-/.", bytes[at]) else { return nil }
    let separator = bytes[at]
    at += 1
    let second = digits(bytes)
    guard at < end, bytes[at] == separator else { return nil }
    at += 1
    let third = digits(bytes)
    if first.count == 4 { return Self.date(first[...], second[...], third[...]) }
    guard separator == UInt8(ascii: "."), third.count == 4 else { return nil }
    return Self.date(third[...], second[...], first[...])
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
    var text: [UInt8] = []
    for part in parts {
      guard let pair = Self.pair(part) else { return nil }
      if !text.isEmpty { text.append(UInt8(ascii: ":")) }
      text += pair
    }
    guard at < end, contains(".,", bytes[at]) else { return text }
    at += 1
    text.append(UInt8(ascii: "."))
    return text + digits(bytes)
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
