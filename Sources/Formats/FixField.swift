import Geodesy
internal import Text
internal import Traces
import Tracking

/// The fields of a fix, by the names of our own formats.
///
/// Every reader maps the names and units of its format to these.
enum FixField: UInt8, Sendable, CaseIterable {
  case type, device, time, latitude, longitude, accuracy, speed, course, altitude
  case ellipsoidalAltitude, verticalAccuracy, speedAccuracy, courseAccuracy
  case hdop, vdop, pdop, satellites, mode

  /// The field of a key, or nil for an unknown key.
  static func named(_ key: JSONSlice, _ bytes: Span<UInt8>) -> FixField? {
    for (name, field) in names where key.equals(name, in: bytes) { return field }
    return nil
  }

  private static let names: [(StaticString, FixField)] = [
    ("type", .type), ("device", .device), ("time", .time), ("latitude", .latitude),
    ("longitude", .longitude), ("accuracy", .accuracy), ("speed", .speed),
    ("course", .course), ("altitude", .altitude),
    ("ellipsoidalAltitude", .ellipsoidalAltitude), ("verticalAccuracy", .verticalAccuracy),
    ("speedAccuracy", .speedAccuracy), ("courseAccuracy", .courseAccuracy), ("hdop", .hdop),
    ("vdop", .vdop), ("pdop", .pdop), ("satellites", .satellites), ("mode", .mode),
  ]

  /// The name in our own formats.
  var name: String { "\(self)" }

  var isNumber: Bool {
    switch self {
    case .type, .device, .time, .mode: false
    default: true
    }
  }

  /// What is wrong when a value is not one of the field.
  var code: IssueCode {
    switch self {
    case .time: .wrongTime
    case .type, .device, .mode: .wrongValue
    default: .wrongNumber
    }
  }

  var expectation: String {
    switch self {
    case .type: "the event's type as text"
    case .device: "the device's name as text, or an integer"
    case .time: "RFC 3339 as 2025-03-10T14:02:07Z or seconds since 1970"
    case .latitude, .longitude: "a number of decimal degrees"
    case .course, .courseAccuracy: "a number of degrees"
    case .accuracy, .altitude, .ellipsoidalAltitude, .verticalAccuracy: "a number of metres"
    case .speed, .speedAccuracy: "a number of metres per second"
    case .hdop, .vdop, .pdop: "a number"
    case .satellites: "a count"
    case .mode: "one of unknown, none, 2d, 3d, dgps, pps"
    }
  }
}

extension Fix {
  /// Stores the number of a field; false when it is out of the field's range.
  ///
  /// A negative accuracy, speed, course, dilution or count means "unknown", as many programs write it.
  @inline(__always)
  mutating func set(_ field: FixField, _ value: Double) -> Bool {
    switch field {
    case .latitude: coordinate.latitude = value
    case .longitude: coordinate.longitude = value
    case .accuracy: if value >= 0 { horizontalAccuracy = value }
    case .speed: if value >= 0 { speed = value }
    case .speedAccuracy: if value >= 0 { speedAccuracy = value }
    case .course: if value >= 0 { course = value }
    case .courseAccuracy: if value >= 0 { courseAccuracy = value }
    case .altitude: altitude = value
    case .ellipsoidalAltitude: ellipsoidalAltitude = value
    case .verticalAccuracy: if value >= 0 { verticalAccuracy = value }
    case .hdop: if value >= 0 { hdop = value }
    case .vdop: if value >= 0 { vdop = value }
    case .pdop: if value >= 0 { pdop = value }
    case .satellites:
      guard let count = Int(exactly: value) else { return false }
      if count >= 0 { satellites = count }
    case .type, .device, .time, .mode: return false
    }
    return true
  }

  /// The fix with an accuracy for its HDOP, where it has no better one.
  @inline(__always)
  var estimatingAccuracy: Fix {
    guard horizontalAccuracy == nil, let hdop, hdop > 0 else { return self }
    var fix = self
    fix.horizontalAccuracy = Accuracy.radius(hdop: hdop)
    return fix
  }
}
