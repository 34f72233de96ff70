extension JSONRecords.Layout {
  /// Google's `Records.json`, of an archive of Takeout until 2024.
  static let google = Self(
    arrays: ["locations"], position: "latitudeE7 and longitudeE7",
    [
      ("timestamp", .time()), ("timestampMs", .time(.milliseconds)),
      ("latitudeE7", .degreesE7(.latitude)), ("longitudeE7", .degreesE7(.longitude)),
      ("accuracy", .number(.accuracy)), ("velocity", .number(.speed)),
      ("heading", .number(.course)), ("altitude", .number(.altitude)),
      ("verticalAccuracy", .number(.verticalAccuracy)), ("deviceTag", .device(rank: 0)),
    ])

  /// The messages of OwnTracks: one, an array, or what the Recorder's `ocat` and API answer.
  static let ownTracks = Self(
    arrays: ["data", "locations"],
    [
      ("_type", .kind("location")), ("tst", .time()), ("lat", .number(.latitude)),
      ("lon", .number(.longitude)), ("acc", .positiveAccuracy), ("alt", .number(.altitude)),
      ("vac", .number(.verticalAccuracy)), ("cog", .number(.course)),
      ("vel", .number(.speed, CSVUnit("kilometres per hour", divisor: 3.6))),
      ("topic", .device(rank: 0)), ("tid", .device(rank: 1)),
    ])

  /// The positions that Traccar's API answers, and its messages: of the WebSocket, and forwarded.
  ///
  /// Devices and events have no position, so they are records of other kinds.
  static let traccar = Self(
    arrays: ["positions", "devices", "events", "data", "locations"], record: "position",
    [
      ("deviceId", .device(rank: 0)), ("fixTime", .time()), ("latitude", .number(.latitude)),
      ("longitude", .number(.longitude)), ("accuracy", .positiveAccuracy),
      ("altitude", .number(.altitude)), ("course", .number(.course)),
      ("speed", .number(.speed, .knots)), ("valid", .validity),
    ])

  /// The query of an address: the names that GPSLogger, OsmAnd and others usually give.
  static let query = Self(
    arrays: [],
    [
      ("id", .device(rank: 0)), ("device", .device(rank: 1)), ("user", .device(rank: 2)),
      ("lat", .number(.latitude)), ("latitude", .number(.latitude)), ("lon", .number(.longitude)),
      ("lng", .number(.longitude)), ("longitude", .number(.longitude)), ("timestamp", .time()),
      ("time", .time()), ("hdop", .number(.hdop)), ("acc", .positiveAccuracy),
      ("accuracy", .positiveAccuracy), ("alt", .number(.altitude)),
      ("altitude", .number(.altitude)), ("spd", .number(.speed)), ("speed", .number(.speed)),
      ("dir", .number(.course)), ("bearing", .number(.course)), ("heading", .number(.course)),
      ("course", .number(.course)), ("vdop", .number(.vdop)), ("pdop", .number(.pdop)),
      ("sat", .number(.satellites)),
    ])
}
