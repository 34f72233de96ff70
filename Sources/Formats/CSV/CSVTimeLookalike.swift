internal import Text

/// What a bare number looks like that is read as seconds since 1970, and hardly is that.
///
/// Each number is judged by itself, so parts of a table may be read by several threads.
enum CSVTimeLookalike {
  /// Days of a spreadsheet: of 2000 to 2064, with at least five decimals. Seconds since a start of
  /// recording, or of a day, have fewer after so many hours.
  case serialDays
  /// `20240310`.
  case day
  /// `2403100800`.
  case shortTime

  init?(_ bytes: Span<UInt8>) {
    var whole = 0
    while whole < bytes.count, bytes[whole].decimalDigit != nil { whole += 1 }
    switch (whole, bytes.count) {
    case (5, 11...):
      guard bytes[5] == UInt8(ascii: "."), let days = DecimalNumber.parse(bytes),
        days >= 36_526, days < 60_000
      else { return nil }
      self = .serialDays
    case (8, 8):
      guard Self.isTime("\(bytes.string) 00:00") else { return nil }
      self = .day
    case (10, 10):
      let (day, clock) = (bytes.extracting(0..<6).string, bytes.extracting(6..<10).string)
      guard Self.isTime("20\(day) \(clock)00") else { return nil }
      self = .shortTime
    default: return nil
    }
  }

  private static func isTime(_ text: String) -> Bool {
    LooseTime.parse(Array(text.utf8).span) != nil
  }

  /// What to do about a cell that is no time; nil for no advice.
  static func advice(for cell: Span<UInt8>, separator: UInt8) -> String? {
    if let text = CSVNumber.withPoint(cell, separator: separator),
      let found = CSVTimeLookalike(text.span)
    {
      return found.advice
    }
    if let found = CSVTimeLookalike(cell) { return found.advice }
    guard hasOpenOrder(cell.string) else { return nil }
    return "whether the day or the month comes first is not known: write days as 2025-03-10 or "
      + "10.03.2025"
  }

  /// Whether a text begins with a date such as `03/10/2025`, which is two days.
  private static func hasOpenOrder(_ text: String) -> Bool {
    guard let mark = text.first(where: { $0 < "0" || $0 > "9" }), mark == "/" || mark == "-" else {
      return false
    }
    let parts = text.prefix { $0 != " " && $0 != "T" }.split(separator: mark)
    return parts.count == 3 && parts[0].count <= 2 && parts[1].count <= 2
      && parts.allSatisfy { $0.allSatisfy { "0"..."9" ~= $0 } }
  }

  /// What it is and what to do, for messages.
  var advice: String {
    switch self {
    case .serialDays:
      "it looks like days of a spreadsheet: give the column the format yyyy-mm-dd hh:mm:ss there, "
        + "and export it again"
    case .day:
      "it looks like a day alone: a time of day in another column is read with "
        + "--columns date=COLUMN,time=COLUMN"
    case .shortTime: "it looks like yyMMddHHmm: write it as 2024-03-10T08:00:00Z"
    }
  }
}
