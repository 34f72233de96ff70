internal import Geodesy
internal import Text
package import Traces
package import Tracking

/// gpsd's reports of a fix as lines of JSON (gpsd_json(5)): TPV, and SKY if it would have content.
///
/// The form is gpsd's: flat, no blanks, unknown values left out, CR LF at the end. Older versions of
/// libgps read no other.
package enum JSONReport {
  /// Appends the lines of one fix: SKY first, so clients have the dilution with the TPV.
  package static func append(
    _ fix: Fix, of path: String, _ solution: SolutionKind = .plain, to buffer: inout [UInt8]
  ) {
    if hasSky(fix) {
      appendSky(fix, of: path, to: &buffer)
      buffer.append(contentsOf: "\r\n".utf8)
    }
    appendPosition(fix, of: path, solution, to: &buffer)
    buffer.append(contentsOf: "\r\n".utf8)
  }

  /// Whether a SKY of the fix would have content.
  static func hasSky(_ fix: Fix) -> Bool {
    fix.hdop != nil || fix.vdop != nil || fix.pdop != nil || fix.satellites != nil
  }

  /// Appends a TPV without its line end.
  static func appendPosition(
    _ fix: Fix, of path: String, _ solution: SolutionKind, to buffer: inout [UInt8]
  ) {
    begin("TPV", path, to: &buffer)
    let solution = solution.joined(with: fix.mode)
    // gpsd leaves out the status of a plain solution.
    if fix.hasPosition, solution != .plain {
      buffer.append(contentsOf: ",\"status\":\(solution.rawValue)".utf8)
    }
    buffer.append(contentsOf: ",\"mode\":".utf8)
    DecimalText.append(fix.solution, to: &buffer)
    append(fix.time, to: &buffer)
    if fix.hasPosition { appendCoordinate(fix, to: &buffer) }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Appends a SKY without its line end.
  ///
  /// A trace has only the number of satellites used, and libgps before 3.23 counts the elements of
  /// the list. So the list has that many elements, numbered from 1. The counts come after the list
  /// because libgps 3.20 reads no list after a count.
  static func appendSky(_ fix: Fix, of path: String, to buffer: inout [UInt8]) {
    begin("SKY", path, to: &buffer)
    append(fix.time, to: &buffer)
    append("vdop", fix.vdop, to: &buffer)
    append("hdop", fix.hdop, to: &buffer)
    append("pdop", fix.pdop, to: &buffer)
    if let count = fix.satellites { appendSatellites(count, to: &buffer) }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Most satellites that libgps accepts (gps.h of 3.22, MAXCHANNELS).
  private static let mostSatellites = 140

  private static func appendSatellites(_ count: Int, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: ",\"satellites\":[".utf8)
    for number in 0..<min(count, mostSatellites) {
      buffer.append(contentsOf: (number == 0 ? "{\"PRN\":" : ",{\"PRN\":").utf8)
      DecimalText.append(Int64(number + 1), to: &buffer)
      buffer.append(contentsOf: ",\"used\":true}".utf8)
    }
    buffer.append(contentsOf: "],\"nSat\":".utf8)
    DecimalText.append(Int64(count), to: &buffer)
    buffer.append(contentsOf: ",\"uSat\":".utf8)
    DecimalText.append(Int64(count), to: &buffer)
  }

  private static func appendCoordinate(_ fix: Fix, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: ",\"lat\":".utf8)
    DecimalText.append(fix.coordinate.latitude, decimals: 9, to: &buffer)
    buffer.append(contentsOf: ",\"lon\":".utf8)
    DecimalText.append(fix.coordinate.longitude, decimals: 9, to: &buffer)
    append("altHAE", fix.ellipsoidalAltitude, to: &buffer)
    // The second name is the one that gpsd had before 3.20.
    append("altMSL", fix.altitude, to: &buffer)
    append("alt", fix.altitude, to: &buffer)
    // A fix has one radius for both axes.
    append("epx", fix.axisSigma.map(Accuracy.bound95(sigma:)), to: &buffer)
    append("epy", fix.axisSigma.map(Accuracy.bound95(sigma:)), to: &buffer)
    append("epv", fix.verticalAccuracy.map(Accuracy.bound95(sigma:)), to: &buffer)
    append("track", fix.course, to: &buffer)
    append("speed", fix.speed, to: &buffer)
    append("epd", fix.courseAccuracy.map(Accuracy.bound95(sigma:)), to: &buffer)
    append("eps", fix.speedAccuracy.map(Accuracy.bound95(sigma:)), to: &buffer)
    append("geoidSep", fix.geoidHeight, to: &buffer)
    append("eph", fix.horizontalAccuracy.map(Accuracy.radius95(from:)), to: &buffer)
  }

  private static func begin(_ name: String, _ path: String, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "{\"class\":\"".utf8)
    buffer.append(contentsOf: name.utf8)
    buffer.append(contentsOf: "\",\"device\":".utf8)
    JSONText.append(path, to: &buffer)
  }

  private static func append(_ time: Timestamp?, to buffer: inout [UInt8]) {
    guard let time else { return }
    buffer.append(contentsOf: ",\"time\":\"".utf8)
    TimeText.appendExactly(time, to: &buffer)
    buffer.append(UInt8(ascii: "\""))
  }

  /// Decimals of all values but coordinates: with a micrometre, a conversion to 95 % and back changes
  /// nothing that an event shows.
  private static let decimals = 6

  private static func append(_ name: String, _ value: Double?, to buffer: inout [UInt8]) {
    guard let value, value.isFinite else { return }
    buffer.append(contentsOf: ",\"".utf8)
    buffer.append(contentsOf: name.utf8)
    buffer.append(contentsOf: "\":".utf8)
    let start = buffer.count
    DecimalText.append(value, decimals: decimals, to: &buffer)
    // Drops zeros at the end but one, which marks a real number.
    guard let point = buffer[start...].firstIndex(of: UInt8(ascii: ".")) else { return }
    while buffer.count > point + 2, buffer.last == UInt8(ascii: "0") { buffer.removeLast() }
  }
}
