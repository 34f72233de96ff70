internal import Estimation
internal import Geodesy
internal import Text

extension TrackField {
  /// The value of a fix; nil when it is unknown, or no number that a format can hold.
  func value(of fix: Fix, _ style: TrackStyle) -> Double? {
    let value: Double? =
      switch self {
      case .latitude: fix.coordinate.latitude
      case .longitude: fix.coordinate.longitude
      case .accuracy: fix.horizontalAccuracy
      case .speed: fix.speed
      case .course: fix.course.map { Self.rounded($0, style) }
      case .altitude: fix.altitude
      case .verticalAccuracy: fix.verticalAccuracy
      case .speedAccuracy: fix.speedAccuracy
      case .courseAccuracy: fix.courseAccuracy
      case .hdop: fix.hdop
      case .vdop: fix.vdop
      case .pdop: fix.pdop
      case .ellipsoidalAltitude: fix.ellipsoidalAltitude
      }
    // From 2⁶³ on a number has an exponent, which XML's decimals do not allow; no receiver means it.
    guard let value, value.isFinite, value.magnitude < 0x1p63 else { return nil }
    return value
  }

  /// A course just under 360° would be rounded to 360; it is written as north, 0.
  private static func rounded(_ course: Double, _ style: TrackStyle) -> Double {
    let half = style == .exact ? 0.00005 : 0.05
    return course >= 360 - half && course < 360 ? 0 : course
  }
}

extension Timestamp {
  /// Appends the time in UTC.
  func append(_ style: TrackStyle, to text: inout [UInt8]) {
    if style == .exact {
      TimeText.appendExactly(self, to: &text)
    } else {
      TimeText.append(self, to: &text)
    }
  }
}

extension [UInt8] {
  static func += (bytes: inout [UInt8], text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
