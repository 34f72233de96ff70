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

  let form: Form
  private var zone: LocalZone?
  /// Whether a time had no zone, so that one was assumed.
  var assumesZone = false

  init(form: Form, zone: LocalZone?) {
    self.form = form
    self.zone = zone
  }

  /// What was assumed, for the user.
  var assumption: String {
    zone.map { "times without a zone are read as \($0.name)" }
      ?? "times without a zone are read as UTC; --csv-time-zone names another"
  }

  mutating func parse(_ bytes: Span<UInt8>) -> Timestamp? {
    switch form {
    case .automatic: return parseAutomatically(bytes)
    case .units(let unit): return parse(bytes, unit: Double(unit))
    case .serialDays:
      // As many decimals as programs write are a few microseconds; receivers report milliseconds.
      guard let days = DecimalNumber.parse(bytes) else { return nil }
      let milliseconds = ((days - 25_569) * 86_400_000).rounded()
      return Int64(exactly: milliseconds).flatMap { Self.instant($0, 1_000_000) }
    }
  }

  /// A time whose date is in a cell of its own; the time of day may be a whole time all the same.
  mutating func parse(_ bytes: Span<UInt8>, date: Span<UInt8>) -> Timestamp? {
    if let time = parse(bytes) { return time }
    var both: [UInt8] = []
    both.append(date)
    both.append(UInt8(ascii: " "))
    both.append(bytes)
    return parseAutomatically(both.span)
  }

  private mutating func parseAutomatically(_ bytes: Span<UInt8>) -> Timestamp? {
    if let time = TimeText.parse(bytes) {
      return RFC3339.isWithoutZone(bytes) ? inZone(time) : time
    }
    guard let reading = LooseTime.parse(bytes) else { return nil }
    return reading.hasZone ? reading.time : inZone(reading.time)
  }

  private mutating func inZone(_ time: Timestamp) -> Timestamp? {
    assumesZone = true
    guard zone != nil else { return time }
    let seconds = time.nanoseconds / 1_000_000_000
    let offset = zone?.offset(atLocal: seconds) ?? 0
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
