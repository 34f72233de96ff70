import Foundation

/// A drive to and fro through a fence, as a gpsd reports it, a fix every ten seconds.
struct Drive: Sendable {
  var count: Int
  /// So many fixes of it stand where the thirtieth is.
  var stay = 0

  private static let start = 1_741_593_600.0

  /// The reports, in order.
  var lines: [String] { (0..<(count + stay)).map { line($0) } }

  /// How many lines were recorded by these calls.
  func said(_ calls: some Sequence<Call>) -> Int {
    let written = calls.filter { $0.kind == .write }.map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    return lines.count { line in written.contains { $0.contains(line) } }
  }

  /// A report; `late` by seconds when its time is wrong.
  func line(_ number: Int, late: Double = 0) -> String {
    let moved = number < 30 ? number : max(30, number - stay)
    let phase = moved % 12
    let offset = Double(phase < 6 ? phase : 12 - phase) / 6 - 0.5
    let speed = (30..<(30 + stay)).contains(number) ? 0 : 9.3
    return
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(Self.stamp(number, late))","#
      + #""lat":0.000000000,"lon":\#(offset * 0.01),"altMSL":34.0,"eph":9.5,"#
      + #""speed":\#(speed),"track":\#(phase < 6 ? 90 : 270)}"#
  }

  private static func stamp(_ number: Int, _ late: Double = 0) -> String {
    Date(timeIntervalSince1970: start + Double(number * 10) + late).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// What is left to say to a watch whose events are `log`: all behind the last fix in it, and behind
  /// the first `said`.
  func rest(after log: String, from said: Int) -> [String] {
    guard let line = log.split(separator: "\n").last(where: { $0.hasPrefix(#"{"type":"fix""#) })
    else { return Array(lines.dropFirst(said)) }
    let known = (0..<(count + stay)).last { line.contains(#""time":"\#(Self.stamp($0))"#) }
    return Array(lines.dropFirst(max(said, (known ?? -1) + 1)))
  }
}
