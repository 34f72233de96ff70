internal import Geodesy
internal import Text
package import Traces
package import Tracking

/// A fix as NMEA 0183: RMC and GGA, which every program reads, and of VTG, GSA, GSV and GST those for which
/// something is known.
///
/// The talker is GP, for satellites that of their system. Times are to the millisecond, minutes of a
/// degree have five decimals (2 cm). A sentence is never longer than the 82 characters of the standard.
package enum NMEASentences {
  /// Metres per second in a knot, which is a nautical mile (1852 m) per hour.
  private static let knot = 1852.0 / 3600

  /// Appends the sentences of a fix with CR LF.
  package static func append(
    _ fix: Fix, _ solution: SolutionKind = .plain, to buffer: inout [UInt8]
  ) {
    append(SentenceValues(fix, solution), to: &buffer)
  }

  /// Appends the sentences of an instant with CR LF.
  static func append(_ values: SentenceValues, to buffer: inout [UInt8]) {
    let civil = values.time.map { CivilTime($0, unit: 1_000_000) }
    sentence(to: &buffer) { appendMinimum(values, civil, to: &$0) }
    if values.speed != nil || values.course != nil {
      sentence(to: &buffer) { appendMotion(values, to: &$0) }
    }
    sentence(to: &buffer) { appendFixData(values, civil, to: &$0) }
    NMEASatellites.append(values, to: &buffer)
    if values.errors != SentenceValues.Errors() {
      sentence(to: &buffer) { appendErrors(values, civil, to: &$0) }
    }
  }

  /// RMC: time, status, position, speed, course, date, variation, mode.
  private static func appendMinimum(
    _ values: SentenceValues, _ civil: CivilTime?, to buffer: inout [UInt8]
  ) {
    buffer.append(contentsOf: "GPRMC,".utf8)
    append(timeOfDay: civil, to: &buffer)
    buffer.append(contentsOf: (values.coordinate != nil ? ",A" : ",V").utf8)
    append(positionOf: values, to: &buffer)
    append(values.speed.map { $0 / knot }, 3, below: 10_000, to: &buffer)
    append(values.course, 2, below: 1_000, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    append(date: civil, to: &buffer)
    buffer.append(contentsOf: ",,,".utf8)
    buffer.append(UInt8(ascii: mode(of: values)))
  }

  /// VTG: course, speed in knots and in km/h, mode.
  private static func appendMotion(_ values: SentenceValues, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "GPVTG".utf8)
    append(values.course, 2, below: 1_000, to: &buffer)
    buffer.append(contentsOf: ",T,,M".utf8)
    append(values.speed.map { $0 / knot }, 3, below: 10_000, to: &buffer)
    buffer.append(contentsOf: ",N".utf8)
    append(values.speed.map { $0 * 3.6 }, 3, below: 10_000, to: &buffer)
    buffer.append(contentsOf: ",K,".utf8)
    buffer.append(UInt8(ascii: mode(of: values)))
  }

  /// GGA: time, position, quality, satellites, dilution, altitude, height of the geoid.
  private static func appendFixData(
    _ values: SentenceValues, _ civil: CivilTime?, to buffer: inout [UInt8]
  ) {
    buffer.append(contentsOf: "GPGGA,".utf8)
    append(timeOfDay: civil, to: &buffer)
    append(positionOf: values, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    buffer.append(UInt8(ascii: quality(of: values)))
    buffer.append(UInt8(ascii: ","))
    if let count = values.satellitesUsed {
      DecimalText.append(digits: UInt64(min(count, 99)), atLeast: 2, to: &buffer)
    }
    append(values.hdop, 2, below: 100, to: &buffer)
    append(values.altitude, 1, below: 100_000, to: &buffer)
    buffer.append(contentsOf: ",M".utf8)
    append(values.geoidHeight, 1, below: 1_000, to: &buffer)
    buffer.append(contentsOf: ",M,,".utf8)
  }

  /// GST: time, residuals, ellipse of the error, errors of latitude, longitude and altitude.
  private static func appendErrors(
    _ values: SentenceValues, _ civil: CivilTime?, to buffer: inout [UInt8]
  ) {
    let errors = values.errors
    buffer.append(contentsOf: "GPGST,".utf8)
    append(timeOfDay: civil, to: &buffer)
    for value in [
      errors.ranges, errors.major, errors.minor, errors.orientation, errors.latitude,
      errors.longitude, errors.altitude,
    ] {
      append(value, 3, below: 10_000, to: &buffer)
    }
  }

  // MARK: How the position was found

  /// The quality of GGA (NMEA 0183 4.10); gpsd's numbers are those of gps.h, STATUS_*.
  private static func quality(of values: SentenceValues) -> Unicode.Scalar {
    guard values.coordinate != nil else { return "0" }
    return switch values.status {
    case 2: "2"
    case 9: "3"
    case 3: "4"
    case 4: "5"
    case 5, 6: "6"
    case 7: "7"
    case 8: "8"
    default: "1"
    }
  }

  /// The mode of RMC and VTG, since NMEA 2.3.
  private static func mode(of values: SentenceValues) -> Unicode.Scalar {
    guard values.coordinate != nil else { return "N" }
    return switch values.status {
    case 2: "D"
    case 9: "P"
    case 3: "R"
    case 4: "F"
    case 5, 6: "E"
    case 7: "M"
    case 8: "S"
    default: "A"
    }
  }

  // MARK: Fields

  /// `$`, what `body` appends, and the exclusive or of its bytes (NMEA 0183 §5.2.5).
  static func sentence(to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    buffer.append(UInt8(ascii: "$"))
    let start = buffer.count
    body(&buffer)
    appendChecksum(from: start, to: &buffer)
    buffer.append(contentsOf: "\r\n".utf8)
  }

  /// Appends `*` and the checksum of the bytes from `start` on.
  static func appendChecksum(from start: Int, to buffer: inout [UInt8]) {
    var sum: UInt8 = 0
    for index in start..<buffer.count { sum ^= buffer[index] }
    buffer.append(UInt8(ascii: "*"))
    for digit in [sum >> 4, sum & 15] {
      buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }

  /// `123519.000`, or nothing.
  private static func append(timeOfDay civil: CivilTime?, to buffer: inout [UInt8]) {
    guard let civil else { return }
    let second = UInt64(clamping: civil.secondOfDay)
    let digits = second / 3_600 * 10_000 + second / 60 % 60 * 100 + second % 60
    DecimalText.append(digits: digits, atLeast: 6, to: &buffer)
    buffer.append(UInt8(ascii: "."))
    DecimalText.append(digits: civil.fraction, atLeast: 3, to: &buffer)
  }

  /// `230394`, or nothing.
  private static func append(date civil: CivilTime?, to buffer: inout [UInt8]) {
    guard let date = civil?.date else { return }
    let digits = date.day * 10_000 + date.month * 100 + date.year % 100
    DecimalText.append(digits: UInt64(clamping: digits), atLeast: 6, to: &buffer)
  }

  /// `,4807.03800,N,01131.00000,E`, or the commas alone.
  private static func append(positionOf values: SentenceValues, to buffer: inout [UInt8]) {
    guard let position = values.coordinate else {
      buffer.append(contentsOf: ",,,,".utf8)
      return
    }
    append(degrees: position.latitude, width: 2, to: &buffer)
    buffer.append(contentsOf: (position.latitude < 0 ? ",S" : ",N").utf8)
    append(degrees: position.longitude, width: 3, to: &buffer)
    buffer.append(contentsOf: (position.longitude < 0 ? ",W" : ",E").utf8)
  }

  /// Appends a comma, degrees with `width` digits, and minutes with five decimals.
  private static func append(degrees value: Double, width: Int, to buffer: inout [UInt8]) {
    // In units of a hundred thousandth of a minute: otherwise minutes could round up to 60.
    let units = UInt64((value.magnitude * 6_000_000).rounded())
    let (degrees, minutes) = units.quotientAndRemainder(dividingBy: 6_000_000)
    buffer.append(UInt8(ascii: ","))
    DecimalText.append(digits: degrees, atLeast: width, to: &buffer)
    DecimalText.append(digits: minutes / 100_000, atLeast: 2, to: &buffer)
    buffer.append(UInt8(ascii: "."))
    DecimalText.append(digits: minutes % 100_000, atLeast: 5, to: &buffer)
  }

  /// Appends a comma and the number, or the comma alone when its magnitude is not below `limit`.
  ///
  /// No speed, course, dilution or altitude is that large, and the sentence would be too long.
  static func append(
    _ value: Double?, _ decimals: Int, below limit: Double, to buffer: inout [UInt8]
  ) {
    buffer.append(UInt8(ascii: ","))
    guard let value, value.magnitude < limit else { return }
    DecimalText.append(value, decimals: decimals, to: &buffer)
  }
}
