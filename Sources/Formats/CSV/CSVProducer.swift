/// Programs whose tables mean more than their headers say.
enum CSVProducer: Sendable {
  /// Speeds are knots, an accuracy of 0 is unknown, and positions that the receiver called invalid are
  /// there as well.
  case traccar
  /// Altitudes are feet, speeds are knots.
  case foreFlight
  /// The Danish Maritime Authority, whose dates begin with the day.
  case danishAIS
  /// Reports of ships, of which a course of 360 and a speed of 102.3 are unknown (ITU-R M.1371).
  case ais
  /// Columbus, whose dates are a year, a month and a day of two digits each, and whose speeds are
  /// kilometres per hour.
  case columbus
  /// Loggers with a chip of MediaTek (Qstarz, Holux, BT747): speeds are kilometres per hour, and rows
  /// without a fix have the last position.
  case mediaTek
  /// Flightradar24: the position is one cell, altitudes are feet and speeds knots.
  case flightradar
  /// Movebank, whose rows that are not visible are outliers.
  case movebank
  /// GnssLogger of Android, whose altitudes are above the ellipsoid, and of whose rows some are fixes.
  case gnssLogger
  /// An event log of ours: of its rows some may be fixes.
  case eventLog

  /// The producer that the names of columns show.
  init?(_ names: [CSVColumnName]) {
    let keys = names.map(\.key)
    // A table with some of its columns may have one of these times alone.
    if ["fixtime", "devicetime", "servertime"].count(where: keys.contains) > 1
      || ["deviceid", "fixtime"].allSatisfy(keys.contains)
    {
      self = .traccar
    } else if ["bank", "pitch", "horizontalerror", "verticalerror"].allSatisfy(keys.contains) {
      self = .foreFlight
    } else if keys.first == "timestamp", keys.contains("typeofmobile") {
      self = .danishAIS
    } else if keys.contains("mmsi") {
      self = .ais
    } else if keys.starts(with: ["index", "tag", "date", "time"]) {
      self = .columbus
    } else if keys.contains("rcr"), keys.contains("valid") {
      self = .mediaTek
    } else if keys.starts(with: ["timestamp", "utc", "callsign", "position"]) {
      self = .flightradar
    } else if keys.starts(with: ["fix", "provider", "latitudedegrees"]) {
      self = .gnssLogger
    } else if Self.eventHeaders.contains(where: { keys.starts(with: $0) }) {
      self = .eventLog
    } else if ["visible", "locationlong", "locationlat"].allSatisfy(keys.contains) {
      self = .movebank
    } else {
      return nil
    }
  }

  /// How our event logs and tables of true events begin.
  private static let eventHeaders = [
    ["type", "id", "device", "fence", "time", "decided"],
    ["type", "fence", "time", "latitude", "longitude"],
  ]

  var dateOrder: CSVTimes.DateOrder {
    switch self {
    case .danishAIS: .dayFirst
    case .columbus: .shortYearFirst
    case .traccar, .foreFlight, .ais, .gnssLogger, .mediaTek, .flightradar, .movebank, .eventLog:
      .unknown
    }
  }

  /// The first cell of the rows that are fixes, nil when all are.
  var kindOfRows: String? {
    switch self {
    case .gnssLogger: "Fix"
    case .eventLog: "fix"
    default: nil
    }
  }

  /// The column that says whether a row is a fix, and the one of latitude and longitude in one cell.
  var columns: (validity: String?, position: String?) {
    switch self {
    case .mediaTek, .traccar: ("valid", nil)
    case .movebank: ("visible", nil)
    case .flightradar: (nil, "position")
    case .foreFlight, .danishAIS, .ais, .columbus, .gnssLogger, .eventLog: (nil, nil)
    }
  }

  /// What a column is that has the name of another.
  func role(of role: CSVRole) -> CSVRole {
    self == .gnssLogger && role == .altitude ? .ellipsoidalAltitude : role
  }

  /// The unit of a column whose name has none.
  func unit(of role: CSVRole) -> CSVUnit? {
    switch (self, role) {
    case (.traccar, .speed), (.foreFlight, .speed), (.flightradar, .speed): .knots
    case (.foreFlight, .altitude), (.flightradar, .altitude): .feet
    case (.columbus, .speed), (.mediaTek, .speed): .kilometresPerHour
    default: nil
    }
  }

  /// The number that means that there is no value.
  func absent(_ key: String) -> Double? {
    switch (self, key) {
    case (.traccar, "accuracy"): 0
    case (.ais, "cog"), (.danishAIS, "cog"): 360
    case (.ais, "sog"), (.danishAIS, "sog"): 102.3
    default: nil
    }
  }
}
