import Foundation
import Glibc
import Testing

@Suite("feed and watch", .serialized, .timeLimit(.minutes(90)))
struct FeedWatchTests {
  private static let track = Program.package("traces/commute/track.gpx")
  private static let engine = [
    "--config", Program.package("traces/commute/waymark.yaml"), "--device", "jonas",
  ]
  private static let lastFix = "2026-05-04T19:31:26.078Z"

  private static func feed() throws -> (program: Program, address: String) {
    let program = try Program(
      Program.waymark(), ["feed", track, "--listen", "127.0.0.1:0", "--speed", "max"])
    let line = try program.error(with: "serving 1 device at gpsd://")
    return (program, String(line.split(separator: " ").last ?? ""))
  }

  /// Checks a log against a replay of the track, fixes too.
  ///
  /// All is the same to the last digit but two things. A report of gpsd has a mode, a point of this
  /// track has none. And gpsd's protocol has millimetres of accuracy, so that an event moves by less
  /// than its time is written with, but an identifier is made of the exact time, and the last digit of
  /// what lies in the middle between two may turn.
  private func compare(_ log: [String]) throws {
    let replay = try Program(
      Program.waymark(), ["replay", Self.track] + Self.engine + LiveStand.log)
    let expected = replay.output.rest()
    #expect(try replay.end() == 0)
    let plain = { (line: String) in
      line.replacing(/"id":"[0-9a-f]*",/, with: "").replacing(#","mode":"3d""#, with: "")
    }
    let difference = zip(log.map(plain), expected.map(plain)).first { !isAlike($0, $1) }
    #expect(difference == nil, "watched \(difference?.0 ?? "") replayed \(difference?.1 ?? "")")
    #expect(log.count == expected.count)
    #expect(log.count { $0.kind == "fix" } == 2_074)
    #expect(log.count { $0.kind == "enter" } == 7)
  }

  /// Whether two lines are the same, but for one in the last digit of each number.
  private func isAlike(_ a: String, _ b: String) -> Bool {
    let number = /[0-9]+\.([0-9]+)/
    guard a.replacing(number, with: "#") == b.replacing(number, with: "#") else { return false }
    return zip(a.matches(of: number), b.matches(of: number)).allSatisfy { mine, other in
      let last = pow(10, -Double(mine.output.1.count))
      let (x, y) = (Double(mine.output.0) ?? .nan, Double(other.output.0) ?? .nan)
      return abs(x - y) <= 1.01 * last
    }
  }

  @Test("have the same events as replay of the track")
  func direct() throws {
    let (feed, address) = try Self.feed()
    let watch = try Program(
      Program.waymark(), ["watch", address, "--no-reconnect"] + Self.engine + LiveStand.log)
    let log = watch.output.rest()
    // The end of the track is the end of the gpsd.
    #expect(try watch.end() == 69)
    #expect(try feed.end() == 0)
    try compare(log)
  }

  @Test(
    "have the same events through a real gpsd",
    .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
  func chain() throws {
    let (feed, address) = try Self.feed()
    let gpsd = try RealGPSD([address])
    let folder = try Folder()
    let watch = try Program(
      Program.waymark(),
      ["watch", gpsd.address, "--output", folder.path("log")] + Self.engine + LiveStand.log)
    #expect(try feed.end() == 0)
    try folder.wait(for: Self.lastFix, in: "log")
    watch.signal(SIGTERM)
    #expect(try watch.end() == 0)
    try compare(folder.lines("log"))
  }
}
