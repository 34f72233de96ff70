/// Lengths and times as people write them, with their unit.
package enum Measure {
  /// Metres of a text such as `100 m`, `2 km`, `0.5 mi`, `300 ft`, or of a plain number of metres;
  /// nil for any other text.
  package static func length(_ text: String) -> Double? {
    quantity(text, lengthUnits)
  }

  /// Metres a second of a text such as `50 km/h`, `1.4 m/s`, `30 mph`, `6 kn`, or of a plain number of
  /// metres a second; nil for any other text.
  package static func speed(_ text: String) -> Double? {
    quantity(text, speedUnits)
  }

  /// A number with one unit, or without a unit.
  private static func quantity(_ text: String, _ units: [(String, Double)]) -> Double? {
    var reader = MeasureReader(text)
    guard let number = reader.number() else { return nil }
    guard let unit = reader.unit(units), reader.isAtEnd else { return nil }
    let quantity = number * (unit ?? 1)
    return quantity.isFinite ? quantity : nil
  }

  /// Seconds of a text such as `5 min`, `30 s`, `2 h`, `1 d`, `1 h 30 min` (larger units first), or
  /// of a plain number of seconds; nil for any other text.
  package static func duration(_ text: String) -> Double? {
    var reader = MeasureReader(text)
    var (sum, smallest) = (0.0, Double.infinity)
    repeat {
      guard let number = reader.number(), let unit = reader.unit(timeUnits) else { return nil }
      guard let unit else {
        // A plain number means seconds, and only when it stands alone.
        return smallest == .infinity && reader.isAtEnd ? number : nil
      }
      guard unit < smallest else { return nil }
      smallest = unit
      sum += number * unit
    } while !reader.isAtEnd
    return sum.isFinite ? sum : nil
  }

  /// Largest radius of a fence, in metres: 1,000 km, beyond which a number is probably an error.
  package static let largestRadius = 1_000_000.0

  /// The international foot and mile (1959) are exact.
  private static let lengthUnits: [(String, Double)] = [
    ("m", 1), ("km", 1_000), ("mi", 1_609.344), ("ft", 0.3048),
  ]
  /// The international knot (1929) is exact too.
  private static let speedUnits: [(String, Double)] = [
    ("m/s", 1), ("km/h", 1 / 3.6), ("mph", 0.44704), ("kn", 1_852.0 / 3_600),
  ]
  private static let timeUnits: [(String, Double)] = [
    ("s", 1), ("min", 60), ("h", 3_600), ("d", 86_400),
  ]
}

/// Splits a text into numbers and units; blanks between them are skipped.
private struct MeasureReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    skipBlanks()
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// The next number: digits with or without a point between them; no sign and no exponent, because
  /// no length or time to be set has one.
  mutating func number() -> Double? {
    let start = offset
    guard skipDigits() else { return nil }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      guard skipDigits() else { return nil }
    }
    let number = DecimalNumber.parse(bytes.span.extracting(start..<offset))
    skipBlanks()
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The factor of the next unit: `.some(nil)` when there is no word, nil when the unit is unknown.
  mutating func unit(_ units: [(String, Double)]) -> Double?? {
    let start = offset
    while offset < bytes.count, bytes[offset].isOfUnit { offset += 1 }
    guard offset > start else { return .some(nil) }
    let word = bytes[start..<offset].map(\.lowercased)
    skipBlanks()
    guard let unit = units.first(where: { $0.0.utf8.elementsEqual(word) }) else { return nil }
    return .some(unit.1)
  }

  private mutating func skipDigits() -> Bool {
    let start = offset
    while offset < bytes.count, bytes[offset].decimalDigit != nil { offset += 1 }
    return offset > start
  }

  private mutating func skipBlanks() {
    while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
  }
}

extension UInt8 {
  /// Whether it may be in the name of a unit.
  fileprivate var isOfUnit: Bool {
    lowercased &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "/")
  }
}
