internal import Geodesy
internal import Traces
internal import Tracking

/// What NMEA 0183 sentences say of one instant.
struct SentenceValues {
  var time: Timestamp?
  /// Nil without a position.
  var coordinate: Coordinate?
  /// As in GSA: 1 no fix, 2 two-dimensional, 3 three-dimensional.
  var dimensions: Int64 = 1
  /// How the position was found, as gpsd numbers it (gps.h, STATUS_*); 1 is a plain solution.
  var status = 1
  /// Metres above mean sea level.
  var altitude: Double?
  /// Metres of mean sea level above the ellipsoid.
  var geoidHeight: Double?
  /// Metres per second.
  var speed: Double?
  /// Degrees clockwise from true north.
  var course: Double?
  var hdop: Double?
  var vdop: Double?
  var pdop: Double?
  var satellitesUsed: Int?
  /// The satellites in view; empty when they are not known.
  var satellites: [Satellite] = []
  var errors = Errors()

  /// One sigma in metres, and the root mean square of the residuals of the ranges.
  struct Errors: Equatable {
    var ranges: Double?
    var major: Double?
    var minor: Double?
    var orientation: Double?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
  }

  init() {}

  /// The values of a fix.
  ///
  /// A fix has one radius for both axes, so their errors are alike.
  init(_ fix: Fix, _ solution: SolutionKind) {
    time = fix.time
    (hdop, vdop, pdop, satellitesUsed) = (fix.hdop, fix.vdop, fix.pdop, fix.satellites)
    guard fix.hasPosition else { return }
    coordinate = fix.coordinate
    dimensions = fix.solution
    status = Int(solution.joined(with: fix.mode).rawValue)
    altitude = fix.altitude
    geoidHeight = fix.geoidHeight
    (speed, course) = (fix.speed, fix.course)
    errors.latitude = fix.axisSigma
    errors.longitude = fix.axisSigma
    errors.altitude = fix.verticalAccuracy
  }
}

/// A satellite in view, as NMEA 0183 names it.
struct Satellite: Equatable {
  /// The talker of its system, such as `GP`.
  var talker: String
  /// Its number in the system.
  var number: Int
  /// Degrees.
  var elevation: Double?
  var azimuth: Double?
  /// Decibels.
  var signal: Double?
  var isUsed: Bool
}

extension Fix {
  /// Metres of mean sea level above the ellipsoid; nil unless the fix has both altitudes.
  var geoidHeight: Double? {
    guard let altitude, let above = ellipsoidalAltitude else { return nil }
    return above - altitude
  }

  /// One sigma of the position along an axis, metres.
  var axisSigma: Double? { horizontalAccuracy.map { $0 / AccuracyRadius.sigmas } }
}
