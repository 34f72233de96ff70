internal import Text
internal import Traces

/// The contents of a sentence with a position: RMC, GGA, GNS, GLL, or PUBX,00 of u-blox.
struct NMEAPosition: Sendable {
  /// Metres per second of a knot, a nautical mile (1852 m, exactly) per hour.
  static let knot = 1852.0 / 3600

  var report = GPSDPosition()
  var sky = GPSDSky()
  /// Nil when missing.
  var time: NMEATime?
  /// Days since 1970; nil when missing.
  var day: Int?

  /// Reads the fields of a sentence of one of these kinds.
  init(
    _ sentence: NMEASentence, _ kind: NMEASentence.Kind, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    switch kind {
    case .rmc: try readRMC(sentence, bytes)
    case .gga: try readGGA(sentence, bytes)
    case .gns: try readGNS(sentence, bytes)
    case .pubx00: try readUblox(sentence, bytes)
    default: try readGLL(sentence, bytes)
    }
    if report.mode >= 2, !report.altitude.isNaN { report.mode = 3 }
  }

  /// 1 time, 2 status, 3 to 6 position, 7 knots, 8 course, 9 date, 10 and 11 variation, 12 mode.
  private mutating func readRMC(
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    time = try sentence.timeOfDay(1, bytes)
    day = try sentence.date(9, bytes)
    try readStatus(2, mode: 12, sentence, bytes)
    // It serves headings only: a wrong one must not cost the position.
    report.variation = (try? sentence.eastward(10, bytes)) ?? .nan
    guard report.mode >= 2 else { return }
    try readPosition(3, sentence, bytes)
    report.speed = try sentence.number(7, bytes) * Self.knot
    report.course = try sentence.number(8, bytes)
  }

  /// 1 time, 2 to 5 position, 6 quality, 7 satellites, 8 HDOP, 9 altitude, 11 geoid above
  /// ellipsoid.
  private mutating func readGGA(
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    time = try sentence.timeOfDay(1, bytes)
    let quality = try sentence.letter(6, of: "0123456789", bytes)
    try readHeight(satellites: 7, hdop: 8, altitude: 9, geoid: 11, sentence, bytes)
    guard let quality, quality != UInt8(ascii: "0") else { return setWithoutPosition() }
    try readPosition(2, sentence, bytes)
    report.mode = 2
    let solution: SolutionKind =
      switch quality {
      case UInt8(ascii: "2"), UInt8(ascii: "9"): .differential
      case UInt8(ascii: "3"): .precise
      case UInt8(ascii: "4"): .rtkFixed
      case UInt8(ascii: "5"): .rtkFloat
      case UInt8(ascii: "6"): .deadReckoning
      case UInt8(ascii: "7"): .surveyed
      case UInt8(ascii: "8"): .simulated
      default: .plain
      }
    report.status = Int(solution.rawValue)
  }

  /// 1 time, 2 to 5 position, 6 a mode for each system, 7 satellites, 8 HDOP, 9 altitude, 10 geoid.
  private mutating func readGNS(
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    time = try sentence.timeOfDay(1, bytes)
    try readHeight(satellites: 7, hdop: 8, altitude: 9, geoid: 10, sentence, bytes)
    report.mode = 1
    guard let modes = sentence.range(6) else { return }
    for index in modes {
      guard let status = Self.status(bytes[index]) else {
        throw sentence.invalidField(6, "letters of ADEFMNPRS", bytes)
      }
      guard status > 0 else { continue }
      report.mode = 2
      guard report.solution != .simulated else { continue }
      let isSimulated = SolutionKind(status: status) == .simulated
      report.status = isSimulated ? status : max(report.status, status)
    }
    guard report.mode >= 2 else { return setWithoutPosition() }
    try readPosition(2, sentence, bytes)
  }

  /// 1 to 4 position, 5 time, 6 status, 7 mode.
  private mutating func readGLL(
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    time = try sentence.timeOfDay(5, bytes)
    try readStatus(6, mode: 7, sentence, bytes)
    if report.mode >= 2 { try readPosition(1, sentence, bytes) }
  }

  /// 2 time, 3 to 6 position, 7 height above the ellipsoid, 8 kind of fix, 9 and 10 accuracies, 11 km/h,
  /// 12 course, 15 HDOP, 16 VDOP, 18 satellites ("u-blox 8 / M8 Receiver description", PUBX,00).
  ///
  /// The horizontal accuracy is the root of the sum of the variances to the north and to the east, of
  /// which GST has one each.
  private mutating func readUblox(
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    time = try sentence.timeOfDay(2, bytes)
    try readPosition(3, sentence, bytes)
    report.ellipsoidalAltitude = try sentence.number(7, bytes)
    let error = Accuracy.bound95(sigma: try sentence.number(9, bytes) / 2.0.squareRoot())
    (report.latitudeError, report.longitudeError) = (error, error)
    report.verticalError = Accuracy.bound95(sigma: try sentence.number(10, bytes))
    report.speed = try sentence.number(11, bytes) / 3.6
    report.course = try sentence.number(12, bytes)
    sky.hdop = try sentence.number(15, bytes)
    sky.vdop = try sentence.number(16, bytes)
    sky.satellitesUsed = try sentence.count(18, bytes)
    guard let fix = Self.ubloxFix(sentence, bytes) else {
      throw sentence.invalidField(8, "one of NF, DR, G2, G3, D2, D3, RK, TT", bytes)
    }
    guard fix.mode >= 2 else {
      report = GPSDPosition()
      return report.mode = 1
    }
    (report.mode, report.status) = (fix.mode, Int(fix.solution.rawValue))
  }

  /// The dimensions and the kind of a fix of u-blox; of a sentence without one there is none.
  private static func ubloxFix(
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) -> (mode: Int, solution: SolutionKind)? {
    let name = sentence.range(8).map { bytes.extracting($0).string } ?? "NF"
    return switch name {
    case "NF", "TT": (1, .plain)
    case "DR": (2, .deadReckoning)
    case "G2": (2, .plain)
    case "G3": (3, .plain)
    case "D2": (2, .differential)
    case "D3": (3, .differential)
    case "RK": (3, .combined)
    default: nil
    }
  }

  // MARK: Groups of fields

  private mutating func readPosition(
    _ field: Int, _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    report.latitude = try sentence.degrees(field, isLatitude: true, bytes)
    report.longitude = try sentence.degrees(field + 2, isLatitude: false, bytes)
  }

  private mutating func readHeight(
    satellites: Int, hdop: Int, altitude: Int, geoid: Int,
    _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    sky.satellitesUsed = try sentence.count(satellites, bytes)
    sky.hdop = try sentence.number(hdop, bytes)
    report.altitude = try sentence.number(altitude, bytes)
    report.ellipsoidalAltitude = report.altitude + (try sentence.number(geoid, bytes))
  }

  /// The status is A or V; the mode, since NMEA 2.3, is the method of the position.
  ///
  /// Magellan's eXplorist writes both the other way round where there is no fix: `N,V`.
  /// GLL had no status before NMEA 2.0: its position is valid then.
  private mutating func readStatus(
    _ field: Int, mode: Int, _ sentence: NMEASentence, _ bytes: Span<UInt8>
  ) throws(NMEAError) {
    let status = try sentence.letter(field, of: "ANV", bytes)
    guard status == nil || status == UInt8(ascii: "A") else { return setWithoutPosition() }
    let mode = try sentence.letter(mode, of: "ADEFMNPRS", bytes).flatMap(Self.status)
    guard mode != 0 else { return setWithoutPosition() }
    report.mode = 2
    report.status = mode ?? 0
  }

  /// The status of gpsd_json(5) for a mode letter; 0 for N, no fix.
  private static func status(_ letter: UInt8) -> Int? {
    let solution: SolutionKind
    switch letter {
    case UInt8(ascii: "N"): return 0
    case UInt8(ascii: "A"): solution = .plain
    case UInt8(ascii: "D"): solution = .differential
    case UInt8(ascii: "R"): solution = .rtkFixed
    case UInt8(ascii: "F"): solution = .rtkFloat
    case UInt8(ascii: "E"): solution = .deadReckoning
    case UInt8(ascii: "M"): solution = .surveyed
    case UInt8(ascii: "S"): solution = .simulated
    case UInt8(ascii: "P"): solution = .precise
    default: return nil
    }
    return Int(solution.rawValue)
  }

  /// The position is stale, or a filler such as `36000.0000`, so it is not read.
  private mutating func setWithoutPosition() {
    report.mode = 1
    (report.altitude, report.ellipsoidalAltitude) = (.nan, .nan)
  }
}
