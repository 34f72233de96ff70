/// What the cells of a column are.
enum CSVRole: Sendable, Hashable, CaseIterable {
  case device, time
  /// The day, when the time is a time of day.
  case date
  case latitude, longitude, accuracy, speed, course, altitude
  case ellipsoidalAltitude, verticalAccuracy, speedAccuracy, courseAccuracy
  case hdop, vdop, pdop, satellites

  var name: String { "\(self)" }

  /// Its place among all of them.
  ///
  /// As a raw value it would make comparisons of roles slower, which GeoJSON has many of.
  var place: Int {
    switch self {
    case .device: 0
    case .time: 1
    case .date: 2
    case .latitude: 3
    case .longitude: 4
    case .accuracy: 5
    case .speed: 6
    case .course: 7
    case .altitude: 8
    case .ellipsoidalAltitude: 9
    case .verticalAccuracy: 10
    case .speedAccuracy: 11
    case .courseAccuracy: 12
    case .hdop: 13
    case .vdop: 14
    case .pdop: 15
    case .satellites: 16
    }
  }

  /// The field of a fix; a date is a part of its time.
  var field: FixField {
    switch self {
    case .device: .device
    case .time, .date: .time
    case .latitude: .latitude
    case .longitude: .longitude
    case .accuracy: .accuracy
    case .speed: .speed
    case .course: .course
    case .altitude: .altitude
    case .ellipsoidalAltitude: .ellipsoidalAltitude
    case .verticalAccuracy: .verticalAccuracy
    case .speedAccuracy: .speedAccuracy
    case .courseAccuracy: .courseAccuracy
    case .hdop: .hdop
    case .vdop: .vdop
    case .pdop: .pdop
    case .satellites: .satellites
    }
  }

  /// The names of such a column in lower case, only letters and digits; the first are the best.
  var aliases: [String] {
    switch self {
    case .device:
      [
        "device", "deviceid", "devicename", "vehicle", "vehicleid", "imei", "unitid", "tracker",
        "trackerid", "userid", "user", "mmsi", "individuallocalidentifier", "vehiclename",
        "vehiclenumber", "asset", "assetname", "unitname", "licenseplate", "licenceplate",
        "registration", "truck", "imeinumber", "taglocalidentifier", "taxiid", "icao24",
      ]
    case .time:
      [
        "time", "timestamp", "fixtime", "gpstime", "datetime", "dateandtime", "basedatetime",
        "recordedat", "tst", "ts", "unixtime", "epoch", "devicetime", "utctime", "localtime",
        "createdat", "timeofday", "gmttime", "timestampsince1970", "lastupdated", "lastchanged",
      ]
    case .date: ["date", "utcdate", "localdate"]
    case .latitude: ["latitude", "lat", "latitudedegrees", "ycoordinate", "ycoord", "y"]
    case .longitude:
      ["longitude", "lon", "lng", "long", "longitudedegrees", "xcoordinate", "xcoord", "x"]
    case .accuracy:
      [
        "accuracy", "acc", "horizontalaccuracy", "hacc", "haccuracy", "accuracyhorizontal",
        "horizontalerror",
      ]
    case .speed: ["speed", "velocity", "groundspeed", "spd", "speedoverground", "sog"]
    case .course:
      ["course", "bearing", "cog", "courseoverground", "heading", "direction", "azimuth"]
    case .altitude:
      ["altitude", "alt", "elevation", "ele", "elev", "height", "heightabovemsl", "z"]
    case .ellipsoidalAltitude: ["ellipsoidalaltitude", "heightaboveellipsoid", "hae"]
    case .verticalAccuracy:
      [
        "verticalaccuracy", "vacc", "vaccuracy", "accuracyvertical", "verticalerror",
        "altitudeaccuracy",
      ]
    case .speedAccuracy: ["speedaccuracy", "sacc"]
    case .courseAccuracy: ["courseaccuracy", "bearingaccuracy", "headingaccuracy"]
    case .hdop: ["hdop"]
    case .vdop: ["vdop"]
    case .pdop: ["pdop"]
    case .satellites:
      ["satellites", "sats", "sat", "numsats", "satellitecount", "satellitesused", "nsat"]
    }
  }

  /// Each alias with its role and its rank in it.
  static let byAlias: [String: (role: CSVRole, rank: Int)] = {
    var table: [String: (role: CSVRole, rank: Int)] = [:]
    for role in allCases {
      for (rank, alias) in role.aliases.enumerated() { table[alias] = (role, rank) }
    }
    return table
  }()
}
