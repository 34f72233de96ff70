import Geodesy
internal import Text
import Tracking

/// Where the parts of a fix record (B) stand: those of every file, then those that the file lists.
struct IGCFixLayout: Sendable {
  /// A fix without its date.
  struct Reading {
    var fix: Fix
    /// Nanoseconds since midnight.
    var timeOfDay: Int64
  }

  /// Why a record is no fix.
  struct Problem: Error {
    let message: String
  }

  /// The extensions that are read, by their codes.
  private enum Extension: CaseIterable {
    case accuracy, speed, course, satellites, latitude, longitude, second

    var code: StaticString {
      switch self {
      case .accuracy: "FXA"
      case .speed: "GSP"
      case .course: "TRT"
      case .satellites: "SIU"
      case .latitude: "LAD"
      case .longitude: "LOD"
      case .second: "TDS"
      }
    }
  }

  /// The length of a record without extensions.
  static let length = 35

  /// Whether the header says that altitudes are above the sea.
  var isAltitudeAboveSea = false
  private var extensions: [(kind: Extension, range: Range<Int>)] = []

  /// Reads a list of extensions, `I`, their number, and for each its first and last character, from 1,
  /// and its code; returns what is wrong with it.
  mutating func readExtensions(_ record: Span<UInt8>) -> String? {
    extensions = []
    guard let count = record.number(1..<3), record.count >= 3 + 7 * count else {
      return "found \(record.quoted(0..<record.count)), expected a list of extensions as I013638FXA"
    }
    for start in stride(from: 3, to: 3 + 7 * count, by: 7) {
      guard let first = record.number(start..<start + 2),
        let last = record.number(start + 2..<start + 4), Self.length < first, first <= last
      else {
        return
          "found the extension \(record.quoted(start..<start + 7)), expected its first and last "
          + "character, from 36 on, and its code"
      }
      let code = record.extracting(start + 4..<start + 7)
      for kind in Extension.allCases where code.equals(kind.code) {
        extensions.append((kind, first - 1..<last))
      }
    }
    return nil
  }

  /// `B`, HHMMSS, DDMMmmm and N or S, DDDMMmmm and E or W, A or V, two altitudes in metres: above the
  /// level of 1013.25 hPa, and by satellites.
  func fix(_ record: Span<UInt8>) throws(Problem) -> Reading {
    guard record.count >= Self.length else {
      throw Problem(
        message: "found \(record.quoted(0..<record.count)), expected a fix of 35 characters or more"
      )
    }
    guard let hour = record.number(1..<3), let minute = record.number(3..<5),
      let second = record.number(5..<7), hour < 24, minute < 60, second <= 60
    else { throw problem(record, 1..<7, "a time as HHMMSS") }
    let latitude = try degrees(record, 7..<15, more: .latitude, "NS", "a latitude as DDMMmmmN")
    let longitude = try degrees(record, 15..<24, more: .longitude, "EW", "a longitude as DDDMMmmmE")
    let validity = record[24]
    guard validity == UInt8(ascii: "A") || validity == UInt8(ascii: "V") else {
      throw problem(record, 24..<25, "A or V")
    }
    var fix = Fix(time: nil, coordinate: Coordinate(latitude: latitude, longitude: longitude))
    fix.mode = validity == UInt8(ascii: "A") ? .threeD : .twoD
    // A position without an altitude has zeros there.
    if fix.mode == .threeD {
      let altitude = Self.altitude(record, 30..<35)
      if isAltitudeAboveSea { fix.altitude = altitude } else { fix.ellipsoidalAltitude = altitude }
    }
    readExtensions(of: record, into: &fix)
    let time = Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000
    return Reading(fix: fix, timeOfDay: time + fraction(of: record))
  }

  private func problem(_ record: Span<UInt8>, _ range: Range<Int>, _ expected: String) -> Problem {
    Problem(message: "found \(record.quoted(range)), expected \(expected)")
  }

  /// Degrees, minutes and thousandths of them, decimals that an extension adds, and the hemisphere.
  private func degrees(
    _ record: Span<UInt8>, _ range: Range<Int>, more kind: Extension, _ letters: StaticString,
    _ expected: String
  ) throws(Problem) -> Double {
    let letter = range.upperBound - 1
    let minutes = letter - 5..<letter
    let isPositive = letters.withUTF8Buffer { $0[0] == record[letter] }
    let isNegative = letters.withUTF8Buffer { $0[1] == record[letter] }
    guard let whole = record.number(range.lowerBound..<minutes.lowerBound),
      var part = record.number(minutes), part < 60_000, isPositive || isNegative
    else { throw problem(record, range, expected) }
    var unit = 60_000
    if let place = place(of: kind), place.count <= 6, let more = record.number(place) {
      let scale = Self.power(place.count)
      (part, unit) = (part * scale + more, unit * scale)
    }
    // One rounding: the numerator is exact.
    let degrees = Double(whole * unit + part) / Double(unit)
    return isNegative ? -degrees : degrees
  }

  /// Metres, perhaps with a sign; nil where there is no number.
  private static func altitude(_ record: Span<UInt8>, _ range: Range<Int>) -> Double? {
    let isNegative = record[range.lowerBound] == UInt8(ascii: "-")
    let digits = isNegative ? range.lowerBound + 1..<range.upperBound : range
    return record.number(digits).map { Double(isNegative ? -$0 : $0) }
  }

  private func place(of kind: Extension) -> Range<Int>? {
    for found in extensions where found.kind == kind { return found.range }
    return nil
  }

  private static func power(_ digits: Int) -> Int {
    (0..<digits).reduce(1) { power, _ in power * 10 }
  }

  // MARK: Extensions

  private func readExtensions(of record: Span<UInt8>, into fix: inout Fix) {
    for (kind, range) in extensions {
      guard let number = record.number(range) else { continue }
      // Three digits before the decimals.
      let value = Double(number) / Double(Self.power(max(0, range.count - 3)))
      switch kind {
      case .accuracy where number > 0:
        // "The horizontal 2-sigma (95.45% probability) error", in metres.
        fix.horizontalAccuracy =
          Double(number) * AccuracyRadius.ratio(of: AccuracyRadius.probability, to: 0.9545)
      case .speed: fix.speed = value / 3.6
      case .course: fix.course = value == 360 ? 0 : value
      case .satellites: fix.satellites = number
      case .accuracy, .latitude, .longitude, .second: break
      }
    }
  }

  /// The nanoseconds of the decimals of a second.
  private func fraction(of record: Span<UInt8>) -> Int64 {
    guard let range = place(of: .second), let number = record.number(range) else { return 0 }
    return Int64(number * Self.power(9 - range.count))
  }
}
