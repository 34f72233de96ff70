/// The unit of a column: a value times `factor` over `divisor` is in the unit of a fix.
struct CSVUnit: Sendable, Equatable {
  /// The name, for messages; empty for the unit of a fix.
  var name = ""
  var factor = 1.0
  /// A divisor, so that 525163000 / 1e7 is the very number 52.5163.
  var divisor = 1.0
  /// The form of a time.
  var time = CSVTimes.Form.automatic

  /// The unit that a name such as `kmh` or `ms` means for a role, nil when it means none.
  init?(_ name: String, of role: CSVRole) {
    guard let unit = Self.table(of: role)[name] else { return nil }
    self = unit
  }

  /// The same for a unit as it is written, such as `km/h` or `[ft]`.
  init?(written text: some StringProtocol, of role: CSVRole) {
    self.init(CSVColumnName.key(text), of: role)
  }

  init(_ name: String = "", factor: Double = 1, divisor: Double = 1) {
    (self.name, self.factor, self.divisor) = (name, factor, divisor)
  }

  private init(_ time: CSVTimes.Form) { self.time = time }

  /// A number of this unit in the unit of a fix.
  @inline(__always)
  func value(_ number: Double) -> Double { number * factor / divisor }

  /// As AIS and Traccar report speeds.
  static let knots = CSVUnit("knots", factor: 1852, divisor: 3600)
  static let kilometresPerHour = CSVUnit("kilometres per hour", divisor: 3.6)
  private static let milesPerHour = CSVUnit("miles per hour", factor: 0.44704)
  static let feet = CSVUnit("feet", factor: 0.3048)
  static let serialDays = CSVUnit(.serialDays)

  /// The unit that a cell names for the speed of its row: also a letter, as in EXIF.
  static func ofSpeed(_ text: String) -> CSVUnit? {
    switch text {
    case "K", "k": kilometresPerHour
    case "M": milesPerHour
    case "N": knots
    default: CSVUnit(written: text, of: .speed)
    }
  }

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

  /// The units that a role may have, for messages.
  static func known(of role: CSVRole) -> String {
    switch role.field {
    case .time: "s, ms or us"
    case .latitude, .longitude: "degrees, e6 or e7"
    case .course, .courseAccuracy: "degrees"
    case .speed, .speedAccuracy: "m/s, km/h, kn, mph or ft/s"
    case .accuracy, .altitude, .ellipsoidalAltitude, .verticalAccuracy: "m, ft, km, cm or mm"
    case .device, .type, .hdop, .vdop, .pdop, .satellites, .mode: "none"
    }
  }

  private static func table(_ units: KeyValuePairs<[String], CSVUnit>) -> [String: CSVUnit] {
    Dictionary(uniqueKeysWithValues: units.flatMap { (names, unit) in names.map { ($0, unit) } })
  }

  private static let times = table([
    ["s", "sec", "seconds", "unix", "epoch", "iso", "iso8601"]: CSVUnit(),
    ["utc", "gmt", "z", "local"]: CSVUnit(),
    ["ms", "millis", "milliseconds"]: CSVUnit(.units(1_000_000)),
    ["us", "µs", "micros", "microseconds"]: CSVUnit(.units(1_000)),
  ])
  private static let degreeNames = ["deg", "degree", "degrees", "°", "true"]
  private static let courses = table([degreeNames: CSVUnit()])
  private static let degrees = table([
    degreeNames + ["ns", "ew", "dd", "decimal", "wgs84"]: CSVUnit(),
    ["e7"]: CSVUnit("ten millionths of a degree", divisor: 1e7),
    ["e6"]: CSVUnit("millionths of a degree", divisor: 1e6),
  ])
  private static let lengths = table([
    ["m", "meter", "meters", "metre", "metres"]: CSVUnit(),
    ["ft", "feet"]: feet,
    ["km"]: CSVUnit("kilometres", factor: 1000),
    ["cm"]: CSVUnit("centimetres", divisor: 100),
    ["mm"]: CSVUnit("millimetres", divisor: 1000),
  ])
  private static let speeds = table([
    ["ms", "mps", "meterspersecond", "metrespersecond"]: CSVUnit(),
    ["kmh", "kph", "kmph"]: kilometresPerHour,
    ["kn", "kt", "kts", "knot", "knots"]: knots,
    ["mph", "mih"]: milesPerHour,
    ["fps", "fts"]: CSVUnit("feet per second", factor: 0.3048),
  ])
}
