internal import Text
internal import Tracking

/// Reads the times of a table.
struct CSVTimes: Sendable {
  /// How a cell spells a time.
  enum Form: Sendable, Equatable {
    /// A date and time, or a plain number whose size shows its unit.
    case automatic
    /// A plain number of units since 1970, each of so many nanoseconds.
    case units(Int64)
    /// Days since 30 December 1899, as spreadsheets and OziExplorer count them.
    case serialDays
  }

  /// The order of the parts of a date that its own form leaves open.
  enum DateOrder: Sendable {
    case unknown
    /// `31/12/2025`.
    case dayFirst
    /// `251231`.
    case shortYearFirst
  }

  /// What the user should know about the times so far.
  struct Remarks: OptionSet {
    let rawValue: UInt8

    /// A time had no zone, so one was assumed.
    static let zone = Remarks(rawValue: 1)
    /// A number is of the time before GPS, if it counts from 1970.
    static let early = Remarks(rawValue: 2)
    /// The clock of the zone shows a time twice.
    static let repeated = Remarks(rawValue: 4)
    /// The clock of the zone does not show a time.
    static let skipped = Remarks(rawValue: 8)
  }

  let form: Form
  private let order: DateOrder
  /// Whether numbers that may be no time since 1970 are remarked on, or refused.
  private let checksNumbers: Bool
  /// That of the cells: where it is no comma, a comma may be a decimal point.
  private let separator: UInt8
  private var zone: LocalZone?
  /// Whether times without a zone are known to be of UTC.
  private let isUniversal: Bool
  var remarks: Remarks = []
  /// The device of the next time, as its number in the file; nil for none.
  var device: Int32?

  init(
    form: Form, order: DateOrder = .unknown, zone: LocalZone?, isUniversal: Bool = false,
    checksNumbers: Bool = false, separator: UInt8 = UInt8(ascii: ",")
  ) {
    (self.form, self.order, self.zone) = (form, order, zone)
    (self.isUniversal, self.checksNumbers, self.separator) = (isUniversal, checksNumbers, separator)
  }

  /// Whether times without a zone are read in one that the user names.
  var isLocal: Bool { zone != nil && !isUniversal }

  /// The same, which follows no order of times.
  var withoutOrder: CSVTimes {
    var copy = self
    copy.zone?.followsOrder = false
    return copy
  }

  /// What was assumed, for the user.
  private var assumption: String {
    zone.map { "times without a zone are read as \($0.name)" }
      ?? "times without a zone are read as UTC; --csv-time-zone names another"
  }

  /// Some of the remarks in words, for the user.
  func notes(of remarks: Remarks) -> [String] {
    let name = zone?.name ?? "UTC"
    var notes: [String] = []
    if remarks.contains(.zone) { notes.append(assumption) }
    if remarks.contains(.repeated) {
      notes.append(
        "the clock of \(name) goes back and shows some times twice: they are read as the first"
          + (zone?.followsOrder == true
            ? ", and as the second from where those of a device step back" : ""))
    }
    if remarks.contains(.skipped) {
      notes.append(
        "the clock of \(name) goes forward and skips some times of the file: they are read with the "
          + "clock before the change")
    }
    if remarks.contains(.early) {
      notes.append(
        "times are before 1980; do they count from the start of the recording, not from 1970, or "
          + "are they days of a spreadsheet?")
    }
    return notes
  }

  mutating func parse(_ bytes: Span<UInt8>) -> Timestamp? {
    if let time = parseInForm(bytes) { return time }
    guard let text = CSVNumber.withPoint(bytes, separator: separator) else { return nil }
    return parseInForm(text.span)
  }

  private mutating func parseInForm(_ bytes: Span<UInt8>) -> Timestamp? {
    switch form {
    case .automatic: return parseAutomatically(bytes)
    case .units(let unit):
      let time = parse(bytes, unit: Double(unit))
      if let time, checksNumbers, time.nanoseconds < Self.likely.lowerBound {
        remarks.insert(.early)
      }
      return time
    case .serialDays:
      // As many decimals as programs write are a few microseconds; receivers report milliseconds.
      guard let days = DecimalNumber.parse(bytes) else { return nil }
      let milliseconds = ((days - 25_569) * 86_400_000).rounded()
      return Int64(exactly: milliseconds).flatMap { Self.instant($0, 1_000_000) }
    }
  }

  /// A time whose date is in a cell of its own; the time of day may be a whole time all the same.
  mutating func parse(_ bytes: Span<UInt8>, date: Span<UInt8>) -> Timestamp? {
    // A short number beside a date is a time of day: as seconds it would be of January 1970.
    if !Self.isShortNumber(bytes), let time = parse(bytes) { return time }
    return parseAutomatically(joined(date, bytes).span)
  }

  /// A time as written, and whether it is still to be read in the zone, by ``instant(ofLocal:)``.
  ///
  /// That one also remarks that it names none.
  func parseWritten(_ bytes: Span<UInt8>) -> (time: Timestamp, isLocal: Bool)? {
    var plain = self
    (plain.zone, plain.remarks) = (nil, [])
    guard let time = plain.parse(bytes) else { return nil }
    return (time, plain.remarks.contains(.zone))
  }

  /// What a time should be for which ``instant(ofLocal:)`` is nil.
  static let zoneExpectation = "of the years 1678 to 2261 in its zone"

  /// The instant of a time of the zone, which was read as if it were of UTC.
  mutating func instant(ofLocal time: Timestamp) -> Timestamp? { inZone(time) }

  /// Whether a cell is a date without a time of day.
  func isDate(_ bytes: Span<UInt8>) -> Bool {
    LooseTime.parse(joined(bytes, [0x30, 0x3A, 0x30, 0x30].span).span) != nil
  }

  /// Whether a cell is a time of day.
  func isTimeOfDay(_ bytes: Span<UInt8>) -> Bool {
    LooseTime.parse(joined(Array("2000-01-01".utf8).span, bytes).span) != nil
  }

  /// A date, whose parts are put in an order that is known, and a time of day.
  private func joined(_ date: Span<UInt8>, _ time: Span<UInt8>) -> [UInt8] {
    var both: [UInt8] = []
    if order == .shortYearFirst, date.count == 6 { both += [0x32, 0x30] }
    both.append(date)
    both.append(UInt8(ascii: " "))
    both.append(time)
    return order == .dayFirst ? Self.withPoints(both) : both
  }

  /// A text whose first two slashes are points, with which the day comes first.
  private static func withPoints(_ text: [UInt8]) -> [UInt8] {
    var (text, count) = (text, 0)
    for index in text.indices where text[index] == UInt8(ascii: "/") && count < 2 {
      text[index] = UInt8(ascii: ".")
      count += 1
    }
    return text
  }

  /// Whether a cell is a plain number of six digits at most before its point or comma.
  static func isShortNumber(_ bytes: Span<UInt8>) -> Bool {
    let point = bytes.firstIndex(of: UInt8(ascii: "."), from: 0)
    let whole = point ?? bytes.firstIndex(of: UInt8(ascii: ","), from: 0) ?? bytes.count
    return whole <= 6 && (0..<whole).allSatisfy { bytes[$0].decimalDigit != nil }
  }

  /// The times of which a number needs no second look, in nanoseconds since 1970: from 1980, as no receiver
  /// of GPS is older, to 2039.
  private static var likely: Range<Int64> {
    315_532_800_000_000_000..<2_200_000_000_000_000_000
  }

  private mutating func parseAutomatically(_ bytes: Span<UInt8>) -> Timestamp? {
    if let time = TimeText.parse(bytes) {
      if RFC3339.isWithoutZone(bytes) { return inZone(time) }
      guard checksNumbers, !Self.likely.contains(time.nanoseconds) else { return time }
      guard CSVTimeLookalike(bytes) == nil else { return nil }
      if time.nanoseconds < Self.likely.lowerBound { remarks.insert(.early) }
      return time
    }
    guard let reading = LooseTime.parse(bytes) ?? parseInOrder(bytes) else { return nil }
    return reading.hasZone ? reading.time : inZone(reading.time)
  }

  private func parseInOrder(_ bytes: Span<UInt8>) -> LooseTime.Reading? {
    guard order == .dayFirst else { return nil }
    var text: [UInt8] = []
    text.append(bytes)
    return LooseTime.parse(Self.withPoints(text).span)
  }

  private mutating func inZone(_ time: Timestamp) -> Timestamp? {
    guard !isUniversal else { return time }
    remarks.insert(.zone)
    guard zone != nil else { return time }
    let seconds = time.nanoseconds / 1_000_000_000
    let offset = zone?.offset(atLocal: seconds, of: device) ?? 0
    switch zone?.oddity {
    case .repeated: remarks.insert(.repeated)
    case .skipped: remarks.insert(.skipped)
    case nil: break
    }
    return RFC3339.inRange(time.nanoseconds - Int64(offset) * 1_000_000_000)
  }

  private func parse(_ bytes: Span<UInt8>, unit: Double) -> Timestamp? {
    guard let number = DecimalNumber.parse(bytes) else { return nil }
    let whole = number.rounded(.down)
    guard let count = Int64(exactly: whole), let time = Self.instant(count, Int64(unit)) else {
      return nil
    }
    let rest = ((number - whole) * unit).rounded()
    return RFC3339.inRange(time.nanoseconds + Int64(rest))
  }

  private static func instant(_ count: Int64, _ unit: Int64) -> Timestamp? {
    let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow ? nil : RFC3339.inRange(nanoseconds)
  }
}
