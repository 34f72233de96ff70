internal import Text
internal import Tracking

/// The times in NMEA 0183 sentences, changed with their checksums and nothing else.
enum SentenceTimes {
  /// Sentences with their times that many seconds later; each is a line.
  ///
  /// Only the sentences that have a time of day are changed: RMC, GGA, GNS, GLL, GST, GBS and ZDA. A
  /// date goes with a time that passes midnight where the sentence has both.
  static func shifted(_ sentences: [UInt8], bySeconds shift: Int64) -> [UInt8] {
    guard shift != 0 else { return sentences }
    var result: [UInt8] = []
    result.reserveCapacity(sentences.count)
    for line in sentences.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if !result.isEmpty || line.startIndex > 0 { result.append(UInt8(ascii: "\n")) }
      result += shifted(line, shift) ?? Array(line)
    }
    return result
  }

  /// The field with the time of day, by the three letters of the sentence.
  private static let timeFields = [
    "RMC": 1, "GGA": 1, "GNS": 1, "GLL": 5, "GST": 1, "GBS": 1, "ZDA": 1,
  ]
  private static let day: Int64 = 86_400

  /// Nil when the sentence has no time.
  private static func shifted(_ line: ArraySlice<UInt8>, _ shift: Int64) -> [UInt8]? {
    guard line.first == UInt8(ascii: "$"), let star = line.firstIndex(of: UInt8(ascii: "*")),
      isChecked(line, star)
    else { return nil }
    var fields = line[line.startIndex + 1..<star].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false
    ).map(Array.init)
    let address = String(decoding: fields[0], as: UTF8.self)
    guard address.utf8.count == 5, !address.hasPrefix("P"),
      let place = timeFields[String(address.suffix(3))], place < fields.count,
      let second = secondOfDay(fields[place])
    else { return nil }
    let moved = second + shift
    let turns = moved >= 0 ? moved / day : -((day - 1 - moved) / day)
    fields[place] = text(of: moved - turns * day, fields[place])
    if turns != 0 { shiftDate(&fields, address, turns) }
    var text = [UInt8(ascii: "$")] + fields.joined(separator: [UInt8(ascii: ",")])
    NMEASentences.appendChecksum(from: 1, to: &text)
    return text + line[star...].drop { $0 != UInt8(ascii: "\r") }
  }

  /// Whether the checksum is right: a new one would hide that a sentence was damaged.
  private static func isChecked(_ line: ArraySlice<UInt8>, _ star: Int) -> Bool {
    var right = Array(line[..<star])
    NMEASentences.appendChecksum(from: 1, to: &right)
    return right.dropFirst(star - line.startIndex).elementsEqual(line[star...].prefix(3))
  }

  /// Seconds from midnight of `hhmmss` with any fraction; nil for anything else.
  private static func secondOfDay(_ field: [UInt8]) -> Int64? {
    guard field.count >= 6, let value = number(field[..<6]) else { return nil }
    guard field.count == 6 || field[6] == UInt8(ascii: ".") else { return nil }
    let (hour, minute, second) = (value / 10_000, value / 100 % 100, value % 100)
    return hour < 24 && minute < 60 && second < 61 ? hour * 3_600 + minute * 60 + second : nil
  }

  private static func text(of second: Int64, _ field: [UInt8]) -> [UInt8] {
    digits(second / 3_600 * 10_000 + second / 60 % 60 * 100 + second % 60, 6) + field[6...]
  }

  private static func shiftDate(_ fields: inout [[UInt8]], _ address: String, _ days: Int64) {
    if address.hasSuffix("RMC"), fields.count > 9, fields[9].count == 6,
      let value = number(fields[9][...])
    {
      let year = value % 100
      guard
        let date = date(
          year: year >= 80 ? 1900 + year : 2000 + year, value / 100 % 100, value / 10_000, days)
      else { return }
      fields[9] = digits(date.day * 10_000 + date.month * 100 + date.year % 100, 6)
    } else if address.hasSuffix("ZDA"), fields.count > 4, let day = number(fields[2][...]),
      let month = number(fields[3][...]), let year = number(fields[4][...]),
      let date = date(year: year, month, day, days)
    {
      (fields[2], fields[3], fields[4]) = (
        digits(date.day, 2), digits(date.month, 2), digits(date.year, 4)
      )
    }
  }

  private static func date(
    year: Int64, _ month: Int64, _ day: Int64, _ days: Int64
  ) -> (year: Int64, month: Int64, day: Int64)? {
    let known = RFC3339.days(year: Int(year), month: Int(month), day: Int(day))
    guard RFC3339.years ~= Int(year), let known, abs(days) < 100_000 else { return nil }
    let (nanoseconds, overflow) = (Int64(known) + days)
      .multipliedReportingOverflow(by: Self.day * 1_000_000_000)
    return overflow ? nil : CivilTime(Timestamp(nanoseconds: nanoseconds), unit: 1_000_000).date
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard 1...9 ~= digits.count else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard let digit = byte.decimalDigit else { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }

  private static func digits(_ value: Int64, _ width: Int) -> [UInt8] {
    var text: [UInt8] = []
    DecimalText.append(digits: UInt64(clamping: value), atLeast: width, to: &text)
    return text
  }
}
