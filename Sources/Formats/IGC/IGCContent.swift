import Geodesy
internal import Receivers
internal import Text
import Traces
import Tracking

/// IGC: the flight recorders of gliders, and the apps and instruments of paragliders.
///
/// The format is appendix A of the FAI's "Technical Specification for IGC-approved GNSS Flight
/// Recorders". Times are of UTC; the date stands once, before the fixes.
struct IGCContent: LineTraceContent {
  static var expectation: String { "a record of IGC" }
  static var endsLinesAtReturns: Bool { true }

  private var layout = IGCFixLayout()
  private var calendar = ReceiverCalendar()
  /// The date of the header, in days since 1970.
  private var date: Int?
  /// The same until the first fix of it, from which the following ones are counted.
  private var nextDay: Int?
  private var glider: String?
  private var pilot: String?
  private var isTrackOpen = false
  private var hasReportedDate = false
  private var hasNotedDatum = false
  private var last: (latitude: Double, longitude: Double)?

  mutating func read(
    _ line: Span<UInt8>, number: Int, isCut: Bool, into batch: inout TraceBatch
  ) {
    let record = line.extracting(Self.content(of: line))
    guard record.count > 0 else { return }
    switch record[0] {
    case UInt8(ascii: "B"): readFix(record, number, isCut, &batch)
    case UInt8(ascii: "H"): readHeader(record, number, &batch)
    case UInt8(ascii: "I"):
      if let message = layout.readExtensions(record) { report(.record, number, message, &batch) }
    case UInt8(ascii: "A"): beginFile()
    case UInt8(ascii: "C")...UInt8(ascii: "Z"): batch.mark(.otherRecord)
    default:
      report(
        isCut ? .truncated : .record, number,
        "found \(record.quoted(0..<record.count)), expected \(Self.expectation)", &batch,
        isCut ? nil : .unknownRecord)
    }
  }

  /// The line without blanks and controls around it: serial lines leave XOFF, and DOS an end mark.
  private static func content(of line: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, line.count)
    while start < end, line[start] <= UInt8(ascii: " ") { start += 1 }
    while end > start, line[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  /// Whether a line shows the format: the date, or a fix.
  static func isSignature(_ line: Span<UInt8>) -> Bool {
    let record = line.extracting(content(of: line))
    guard record.count >= 11 else { return false }
    if record.extracting(0..<5).equals("HFDTE") { return headerDate(record) != nil }
    return record[0] == UInt8(ascii: "B") && (try? IGCFixLayout().fix(record)) != nil
  }

  // MARK: Headers

  /// A file begins with the identity of its recorder; files are joined as they are.
  private mutating func beginFile() {
    guard isTrackOpen else { return }
    (isTrackOpen, date, glider, pilot) = (false, nil, nil, nil)
    layout = IGCFixLayout()
  }

  private mutating func readHeader(
    _ record: Span<UInt8>, _ line: Int, _ batch: inout TraceBatch
  ) {
    guard record.count >= 5 else { return }
    let code = record.extracting(2..<5)
    if code.equals("DTE") {
      guard let day = Self.headerDate(record) else {
        return report(
          .record, line,
          "the date is \(record.quoted(5..<record.count)), expected six digits as DDMMYY", &batch,
          .wrongTime)
      }
      // Recorders repeat the header; after midnight some give the new date.
      if day != date { (date, nextDay) = (day, day) }
    } else if code.equals("GID") {
      glider = Self.name(record)
    } else if code.equals("PLT") {
      pilot = Self.name(record)
    } else if code.equals("DTM") {
      noteDatum(record, &batch)
    } else if code.equals("ALG") {
      layout.isAltitudeAboveSea = Self.value(record) == "GEO"
    }
  }

  /// Notes a datum other than WGS 84, once.
  ///
  /// `HFDTM044GPSDATUM:ED50` has the number in the list of the specification, in which 100 is WGS 84, and a
  /// name. Either may be missing.
  private mutating func noteDatum(_ record: Span<UInt8>, _ batch: inout TraceBatch) {
    let number = record.number(5..<8) ?? 0
    guard !hasNotedDatum, number != Self.wgs84 else { return }
    let hasName = record.firstIndex(of: UInt8(ascii: ":"), from: 5) != nil
    let given = hasName ? Self.name(record) : nil
    let numbered = number == 0 ? nil : "number \(number) of the list of IGC"
    guard let datum = given ?? numbered, let note = Datum.note(datum) else { return }
    hasNotedDatum = true
    batch.mark(.note(note))
  }

  private static let wgs84 = 100

  /// The six digits of `HFDTE160701` and `HFDTEDATE:160701,01`, in days since 1970.
  private static func headerDate(_ record: Span<UInt8>) -> Int? {
    guard let start = (5..<record.count).first(where: { record[$0].decimalDigit != nil }),
      let day = record.number(start..<start + 2), let month = record.number(start + 2..<start + 4),
      let year = record.number(start + 4..<start + 6)
    else { return nil }
    // The format is of 1995.
    return RFC3339.days(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }

  /// The text after the colon, or after the code where there is no colon.
  private static func value(_ record: Span<UInt8>) -> String {
    let colon = record.firstIndex(of: UInt8(ascii: ":"), from: 5)
    return record.extracting(record.trimmed((colon ?? 4) + 1..<record.count)).string
  }

  /// A name, nil for the words that stand for none.
  private static func name(_ record: Span<UInt8>) -> String? {
    let name = value(record).withoutControls
    return placeholders.contains(name.uppercased()) ? nil : name
  }

  private static let placeholders: Set = ["", "NKN", "NIL", "N/A", "NA", "-", "NONE", "UNKNOWN"]

  // MARK: Fixes

  private mutating func readFix(
    _ record: Span<UInt8>, _ line: Int, _ isCut: Bool, _ batch: inout TraceBatch
  ) {
    let found: IGCFixLayout.Reading
    do throws(IGCFixLayout.Problem) {
      found = try layout.fix(record)
    } catch {
      let isShort = isCut && record.count < IGCFixLayout.length
      return report(
        isShort ? .truncated : .record, line, error.message, &batch, isShort ? nil : .wrongNumber)
    }
    var fix = found.fix
    fix.time = calendar.timestamp(at: found.timeOfDay, day: nextDay)
    nextDay = nil
    if fix.time == nil, !hasReportedDate {
      hasReportedDate = true
      report(
        .record, line, "there is no date before this fix, expected HFDTE and DDMMYY", &batch,
        .wrongTime)
    }
    let place = (fix.coordinate.latitude, fix.coordinate.longitude)
    // Without satellites a recorder repeats the last position, or zeros.
    if fix.mode == .twoD, last.map({ $0 == place }) ?? false || place == (0, 0) { fix.mode = .none }
    last = place
    beginTrack(&batch)
    batch.points.append(TracePoint(fix: fix, line: line))
  }

  /// A glider's sign is the name of a device; without one the pilot's is.
  private mutating func beginTrack(_ batch: inout TraceBatch) {
    guard !isTrackOpen else { return }
    isTrackOpen = true
    batch.mark(.track(name: glider ?? pilot))
    batch.mark(.segment)
  }

  private func report(
    _ kind: TraceIssue.Kind, _ line: Int, _ message: String, _ batch: inout TraceBatch,
    _ code: IssueCode? = nil
  ) {
    batch.mark(.issue(TraceIssue(kind, line: line, column: 1, message, code: code)))
  }
}

extension Span<UInt8> {
  /// The number that the digits of a range form; nil when there are other bytes, or none.
  func number(_ range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.upperBound <= count, range.count <= 9 else { return nil }
    var number = 0
    for index in range {
      guard let digit = self[index].decimalDigit else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }
}
