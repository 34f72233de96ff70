import Foundation
import Testing

/// The text of replay: its time zone, its order, its width.
@Suite("The text for people", .timeLimit(.minutes(90)))
struct TextOutputTests {
  private static let replay = [
    "replay", "traces/out-and-back/track.gpx", "--config", "traces/out-and-back/waymark.yaml",
  ]

  /// The rows of a command on a terminal of so many columns.
  private func rows(onTerminal columns: Int, _ environment: String) throws -> [String] {
    let runner = try CommandRunner()
    let line =
      "stty cols \(columns); \(environment) $waymark \(Self.replay.joined(separator: " ")) 2>errors"
    let outcome = try runner.shell("script -qec '\(line)' /dev/null </dev/null")
    #expect(outcome.code == 0)
    return outcome.output.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test("on a terminal is in the zone of the user, and cut to the width")
  func terminal() throws {
    let rows = try rows(onTerminal: 60, "TZ=Europe/Berlin")
    #expect(rows.count == 11)
    for row in rows {
      #expect(row.contains(/^2026-05-02 0[89]:\d\d:\d\d\.\d\+02:00\s/) && row.count <= 60, "\(row)")
    }
    #expect(rows[0].last == "…")
  }

  @Test("into a pipe is whole and in UTC, whatever the zone of the user")
  func pipe() throws {
    let outcome = try CommandRunner().waymark(
      Self.replay, environment: ["TZ": "Europe/Berlin"])
    let rows = outcome.output.split(separator: "\n")
    #expect(rows.allSatisfy { $0.contains(/^2026-05-02 0[67]:\d\d:\d\d\.\dZ\s/) })
    #expect(rows[0].hasSuffix("inside"))
  }

  @Test("is in the zone that is asked for, or else in that of the config")
  func zone() throws {
    let runner = try CommandRunner()
    let asked = try runner.waymark(Self.replay + ["--time-zone", "Asia/Kolkata"]).output
    #expect(asked.hasPrefix("2026-05-02 12:01:00.0+05:30 "))
    let local = try runner.waymark(
      Self.replay + ["--time-zone", "local"], environment: ["TZ": "America/New_York"]
    ).output
    #expect(local.hasPrefix("2026-05-02 02:31:00.0-04:00 "))
    try runner.write("zone.yaml", "time-zone: Asia/Tokyo\n")
    let track = ["replay", "traces/out-and-back/track.gpx", "--config", "zone.yaml"]
    #expect(try runner.waymark(track).output.contains("15:51:10.0+09:00 "))
    #expect(try runner.waymark(track + ["--time-zone", "UTC"]).output.contains("06:51:10.0Z "))
    let wrong = try runner.waymark(track + ["--time-zone", "Berlin"])
    #expect(wrong.code == 64 && wrong.errors.contains("'Berlin' is no time zone"))
  }

  @Test("has rows in the order in which things happened, and with --live as they were decided")
  func order() throws {
    let runner = try CommandRunner()
    func times(_ options: [String]) throws -> [String] {
      try runner.waymark(Self.replay + options).output.split(separator: "\n").map {
        String($0.prefix(22))
      }
    }
    let (happened, decided) = (try times([]), try times(["--live"]))
    #expect(happened.count == 11 && happened == happened.sorted())
    #expect(decided.count == 13 && decided != decided.sorted())
  }
}
