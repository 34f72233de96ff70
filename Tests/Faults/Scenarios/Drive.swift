import Foundation

/// A drive to and fro through a fence, as a gpsd reports it, a fix every ten seconds.
struct Drive: Sendable {
  var count: Int

  private static let start = 1_741_593_600.0

  /// The reports, in order.
  var lines: [String] { (0..<count).map { Self.line($0) } }

  private static func line(_ number: Int) -> String {
    let phase = number % 12
    let offset = Double(phase < 6 ? phase : 12 - phase) / 6 - 0.5
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp(number))","#
      + #""lat":0.000000000,"lon":\#(offset * 0.01),"altMSL":34.0,"eph":9.5,"#
      + #""speed":9.3,"track":\#(phase < 6 ? 90 : 270)}"#
  }

  private static func stamp(_ number: Int) -> String {
    Date(timeIntervalSince1970: start + Double(number * 10)).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// What is left to say to a watch whose events are `log`: all behind the last fix in it.
  func rest(after log: String) -> [String] {
    guard let line = log.split(separator: "\n").last(where: { $0.hasPrefix(#"{"type":"fix""#) })
    else { return lines }
    let known = (0..<count).last { line.contains(#""time":"\#(Self.stamp($0))"#) }
    return Array(lines.dropFirst((known ?? -1) + 1))
  }
}
