import Foundation

/// A drive to and fro through a circle at 0, 0, a fix a second, as gpsd reports it.
///
/// It is in a circle of 150 m once in 300 s.
enum GateDrive {
  /// 2025-03-10T08:00:00Z.
  static let start = 1_741_593_600.0

  static func report(_ second: Int) -> String {
    let phase = second % 600
    let offset = Double(phase < 300 ? phase : 600 - phase) / 300 - 0.5
    let course = phase < 300 ? 90 : 270
    let time = Date(timeIntervalSince1970: start + Double(second))
    let stamp = time.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp)","#
      + #""lat":0.000000000,"lon":\#(offset * 0.02),"altMSL":34.0,"eph":9.5,"#
      + #""speed":7.4,"track":\#(course)}"#
  }

  /// The second of the last fix in a log; nil without one.
  static func lastFix(_ log: String) -> Int? {
    guard let line = log.split(separator: "\n").last(where: { $0.hasPrefix(#"{"type":"fix""#) }),
      let stamp = line.components(separatedBy: #""time":""#).dropFirst().first?.prefix(24),
      let time = try? Date(
        String(stamp), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    else { return nil }
    return Int((time.timeIntervalSince1970 - start).rounded())
  }
}
