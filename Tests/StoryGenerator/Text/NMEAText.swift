import Geodesy
import Tracking

/// Writes fixes as sentences of NMEA 0183, as a receiver does.
enum NMEAText {
  /// RMC, GGA and GST of each fix.
  static func log(_ fixes: [Fix]) -> String {
    fixes.map { rmc($0) + gga($0) + gst($0) }.joined()
  }

  /// A sentence with its checksum and line end.
  static func sentence(_ fields: String...) -> String {
    let text = fields.joined(separator: ",")
    let sum = text.utf8.reduce(0) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(text)*\(sum < 16 ? "0" : "")\(digits)\r\n"
  }

  private static func rmc(_ fix: Fix) -> String {
    let text = fix.time?.text(alwaysWithMilliseconds: true) ?? ""
    let date =
      text.dropFirst(8).prefix(2) + text.dropFirst(5).prefix(2) + text.dropFirst(2).prefix(2)
    // A knot is 1852 m an hour.
    let knots = fix.speed.map { String($0 * 3600 / 1852, decimals: 2) } ?? ""
    let course = fix.roundedCourse.map { String($0, decimals: 1) } ?? ""
    return sentence("GPRMC", time(text), "A", place(fix), knots, course, String(date), "", "", "A")
  }

  private static func gga(_ fix: Fix) -> String {
    let altitude = fix.altitude.map { String($0, decimals: 1) } ?? ""
    return sentence(
      "GPGGA", time(fix.time?.text(alwaysWithMilliseconds: true) ?? ""), place(fix), "1", "10",
      "0.8", altitude, "M", "", "M",
      "", "")
  }

  private static func gst(_ fix: Fix) -> String {
    // The 68 % radius of two equal errors is 1.5096 sigma of each.
    let sigma = fix.horizontalAccuracy.map { String($0 / 1.5096, decimals: 2) } ?? ""
    return sentence(
      "GPGST", time(fix.time?.text(alwaysWithMilliseconds: true) ?? ""), "", "", "", "", sigma,
      sigma, "")
  }

  /// hhmmss.sss of a time in RFC 3339.
  private static func time(_ text: String) -> String {
    String(text.dropFirst(11).prefix(12).filter { $0 != ":" })
  }

  private static func place(_ fix: Fix) -> String {
    let (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
    return angle(latitude, digits: 2) + (latitude < 0 ? ",S," : ",N,")
      + angle(longitude, digits: 3) + (longitude < 0 ? ",W" : ",E")
  }

  /// Degrees and minutes without a mark between them, the minutes to 2 cm.
  private static func angle(_ degrees: Double, digits: Int) -> String {
    let units = Int((abs(degrees) * 6_000_000).rounded())
    let minutes = String(Double(units % 6_000_000) / 100_000, decimals: 5)
    return padded("\(units / 6_000_000)", digits) + padded(minutes, 8)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
