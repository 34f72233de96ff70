/// The unit of a column: a value times `factor` over `divisor` is in the unit of a fix.
struct CSVUnit: Sendable, Equatable {
  /// The name, for messages; empty for the unit of a fix.
  var name = ""
  var factor = 1.0
  /// A divisor, so that 525163000 / 1e7 is the very number 52.5163.
  var divisor = 1.0
  /// The form of a time.
  var time = CSVTimes.Form.automatic

  /// The unit that a name such as `km/h` or `ms` means for a role, nil when it means none.
  init?(_ name: String, of role: CSVRole) {
    guard let unit = Self.table(of: role)[name] else { return nil }
    self = unit
  }

  init(_ name: String = "", factor: Double = 1, divisor: Double = 1) {
    (self.name, self.factor, self.divisor) = (name, factor, divisor)
  }

  private init(_ time: CSVTimes.Form) { self.time = time }

  /// As AIS and Traccar report speeds.
  static let knots = CSVUnit("knots", factor: 1852, divisor: 3600)
  static let feet = CSVUnit("feet", factor: 0.3048)
  static let serialDays = CSVUnit(.serialDays)

  /// The names are in lower case, only letters and digits.
  private static func table(of role: CSVRole) -> [String: CSVUnit] {
    switch role.field {
    case .time: role == .time ? times : [:]
    case .latitude, .longitude: degrees
    case .course, .courseAccuracy: courses
    case .speed, .speedAccuracy: speeds
    case .accuracy, .altitude, .ellipsoidalAltitude, .verticalAccuracy: lengths
    case .device, .type, .hdop, .vdop, .pdop, .satellites, .mode: [:]
    }
  }

  private static func names(_ names: [String], _ unit: CSVUnit) -> [String: CSVUnit] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, unit) })
  }

  private static let times =
    names(["s", "sec", "seconds", "unix", "utc", "gmt", "iso", "iso8601", "local"], CSVUnit())
    .merging(names(["ms", "millis", "milliseconds"], CSVUnit(.units(1_000_000)))) { $1 }
    .merging(names(["us", "µs", "micros", "microseconds"], CSVUnit(.units(1_000)))) { $1 }
  private static let courses = names(["deg", "degree", "degrees", "°", "true"], CSVUnit())
  private static let degrees =
    courses
    .merging(names(["ns", "ew", "dd", "decimal", "wgs84"], CSVUnit())) { $1 }
    .merging(names(["e7"], CSVUnit("ten millionths of a degree", divisor: 1e7))) { $1 }
    .merging(names(["e6"], CSVUnit("millionths of a degree", divisor: 1e6))) { $1 }
  private static let lengths =
    names(["m", "meter", "meters", "metre", "metres"], CSVUnit())
    .merging(names(["ft", "feet"], feet)) { $1 }
    .merging(names(["km"], CSVUnit("kilometres", factor: 1000))) { $1 }
    .merging(names(["cm"], CSVUnit("centimetres", divisor: 100))) { $1 }
    .merging(names(["mm"], CSVUnit("millimetres", divisor: 1000))) { $1 }
  private static let speeds =
    names(["ms", "mps", "meterspersecond", "metrespersecond"], CSVUnit())
    .merging(names(["kmh", "kph", "kmph"], CSVUnit("kilometres per hour", divisor: 3.6))) { $1 }
    .merging(names(["kn", "kt", "kts", "knot", "knots"], knots)) { $1 }
    .merging(names(["mph", "mih"], CSVUnit("miles per hour", factor: 0.44704))) { $1 }
    .merging(names(["fps", "fts"], CSVUnit("feet per second", factor: 0.3048))) { $1 }
}
