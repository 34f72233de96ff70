internal import Geodesy
internal import Text
package import Tracking

/// A fix as the two NMEA 0183 sentences that every program reads: RMC and GGA.
///
/// The talker is GP, times are to the millisecond, minutes of a degree have five decimals (2 cm). A
/// sentence is never longer than the 82 characters of the standard.
package enum NMEASentences {
  /// Metres per second in a knot, which is a nautical mile (1852 m) per hour.
  private static let knot = 1852.0 / 3600

  /// Appends both sentences with CR LF.
  package static func append(_ fix: Fix, to buffer: inout [UInt8]) {
    let civil = fix.time.map { CivilTime($0, unit: 1_000_000) }
    sentence(to: &buffer) { appendMinimum(fix, civil, to: &$0) }
    sentence(to: &buffer) { appendFixData(fix, civil, to: &$0) }
  }

  /// RMC: time, status, position, speed, course, date, variation, mode.
  private static func appendMinimum(_ fix: Fix, _ civil: CivilTime?, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "GPRMC,".utf8)
    append(timeOfDay: civil, to: &buffer)
    buffer.append(contentsOf: (fix.hasPosition ? ",A" : ",V").utf8)
    append(positionOf: fix, to: &buffer)
    append(fix.hasPosition ? fix.speed.map { $0 / knot } : nil, 3, below: 10_000, to: &buffer)
    append(fix.hasPosition ? fix.course : nil, 2, below: 1_000, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    append(date: civil, to: &buffer)
    buffer.append(contentsOf: ",,,".utf8)
    let isDifferential = fix.mode == .differential
    buffer.append(UInt8(ascii: !fix.hasPosition ? "N" : isDifferential ? "D" : "A"))
  }

  /// GGA: time, position, quality, satellites, dilution, altitude, height of the geoid.
  private static func appendFixData(_ fix: Fix, _ civil: CivilTime?, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "GPGGA,".utf8)
    append(timeOfDay: civil, to: &buffer)
    append(positionOf: fix, to: &buffer)
    buffer.append(UInt8(ascii: ","))
    buffer.append(UInt8(ascii: quality(of: fix)))
    buffer.append(UInt8(ascii: ","))
    if let count = fix.satellites {
      DecimalText.append(digits: UInt64(min(count, 99)), atLeast: 2, to: &buffer)
    }
    append(fix.hdop, 2, below: 100, to: &buffer)
    append(fix.hasPosition ? fix.altitude : nil, 1, below: 100_000, to: &buffer)
    buffer.append(contentsOf: ",M".utf8)
    append(fix.hasPosition ? geoidHeight(at: fix) : nil, 1, below: 1_000, to: &buffer)
    buffer.append(contentsOf: ",M,,".utf8)
  }

  /// Metres of mean sea level above the ellipsoid; nil unless the fix has both altitudes.
  private static func geoidHeight(at fix: Fix) -> Double? {
    guard let altitude = fix.altitude, let above = fix.ellipsoidalAltitude else { return nil }
    return above - altitude
  }

  private static func quality(of fix: Fix) -> Unicode.Scalar {
    guard fix.hasPosition else { return "0" }
    return switch fix.mode {
    case .differential: "2"
    case .precise: "3"
    case .none, .unknown, .twoD, .threeD: "1"
    }
  }

  /// `$`, what `body` appends, and the exclusive or of its bytes (NMEA 0183 §5.2.5).
  private static func sentence(to buffer: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    buffer.append(UInt8(ascii: "$"))
    let start = buffer.count
    body(&buffer)
    var sum: UInt8 = 0
    for index in start..<buffer.count { sum ^= buffer[index] }
    buffer.append(UInt8(ascii: "*"))
    for digit in [sum >> 4, sum & 15] {
      buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
    buffer.append(contentsOf: "\r\n".utf8)
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
  private static func append(positionOf fix: Fix, to buffer: inout [UInt8]) {
    guard fix.hasPosition else {
      buffer.append(contentsOf: ",,,,".utf8)
      return
    }
    let position = fix.coordinate
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
  private static func append(
    _ value: Double?, _ decimals: Int, below limit: Double, to buffer: inout [UInt8]
  ) {
    buffer.append(UInt8(ascii: ","))
    guard let value, value.magnitude < limit else { return }
    DecimalText.append(value, decimals: decimals, to: &buffer)
  }
}
