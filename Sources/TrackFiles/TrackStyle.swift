internal import Text

/// How numbers and times of fixes are written.
package enum TrackStyle: Sendable, Hashable {
  /// All that is known of a fix, in up to nine decimals of a degree and four of anything else; times
  /// to the nanosecond.
  case exact
  /// What a simulated receiver reports, with the decimals that receivers write.
  case simulated
}

/// The values of a fix besides device and time, in the order of the columns.
enum TrackField: String, CaseIterable {
  case latitude, longitude, accuracy, speed, course, altitude
  case verticalAccuracy, speedAccuracy, courseAccuracy, hdop, vdop, pdop, ellipsoidalAltitude

  /// The decimals of a simulated receiver; nil for a value that it does not write.
  private var simulatedDecimals: Int? {
    switch self {
    case .latitude, .longitude: 7
    case .accuracy, .course, .altitude: 1
    case .speed: 2
    default: nil
    }
  }

  private var exactDecimals: Int {
    switch self {
    case .latitude, .longitude: 9
    default: 4
    }
  }

  /// The values that a style writes.
  static func all(in style: TrackStyle) -> [TrackField] {
    style == .exact ? allCases : allCases.filter { $0.simulatedDecimals != nil }
  }

  /// Appends a value of this field: a finite number.
  func append(_ value: Double, _ style: TrackStyle, to text: inout [UInt8]) {
    guard style == .exact else {
      return DecimalText.append(value, decimals: simulatedDecimals ?? 1, to: &text)
    }
    DecimalText.append(value, decimals: exactDecimals, to: &text)
    while text.last == UInt8(ascii: "0") { text.removeLast() }
    if text.last == UInt8(ascii: ".") { text.removeLast() }
  }
}
