import Foundation
import TestSupport
import Testing

@Suite("waymark doctor", .timeLimit(.minutes(90)))
struct DoctorTests {
  struct Check: Decodable, Equatable {
    var check, status, found: String
    var advice: String?
  }

  struct Answer: Decodable {
    var version: String
    var checks: [Check]
  }

  static let subjects = ["version", "config", "gpsd", "clock", "permissions", "store", "disk"]
  /// Nothing listens there.
  static let nobody = "gpsd://127.0.0.1:1"

  private func examine(
    _ runner: CommandRunner, _ arguments: [String], code: Int32,
    subjects: [String] = DoctorTests.subjects
  ) throws -> [String: Check] {
    let outcome = try runner.waymark(["doctor", "--format", "json"] + arguments)
    #expect(outcome.code == code, "\(outcome.output)")
    let answer = try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    #expect(answer.checks.map(\.check) == subjects)
    return Dictionary(uniqueKeysWithValues: answer.checks.map { ($0.check, $0) })
  }

  @Test("has a line for each check, and what to do in each that is not ok")
  func lines() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(["doctor", Self.nobody])
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.map { $0.dropFirst(9).prefix { $0 != " " } } == Self.subjects.map { $0[...] })
    for line in lines {
      #expect(line.hasPrefix("ok ") || line.contains("; "), "\(line)")
    }
    #expect(
      outcome.output.contains(
        "\nwarning  config       there is none; run 'waymark init' for one\n"))
    #expect(
      outcome.output.contains(
        "\nfailed   gpsd         gpsd://127.0.0.1:1 is unavailable: connection refused; run "))
    #expect(outcome.code == 1 && outcome.errors == "")
  }

  @Test("fails for a gpsd that was asked for, and warns of one that was not")
  func gpsd() throws {
    let runner = try CommandRunner()
    #expect(try examine(runner, [Self.nobody], code: 1)["gpsd"]?.status == "failed")
    try runner.write("waymark.yaml", "source: \(Self.nobody)\n")
    #expect(try examine(runner, [], code: 1)["gpsd"]?.status == "failed")
  }

  @Test("counts the fences that fixes place too")
  func fences() throws {
    let runner = try CommandRunner()
    try runner.write(
      "waymark.yaml",
      """
      source: \(Self.nobody)
      fences:
        - {id: home, center: [52.5163, 13.3777], radius: 100 m}
        - {id: anchor, center: here, radius: 40 m}

      """)
    let config = try examine(runner, [], code: 1)["config"]
    #expect(config?.found.hasPrefix("waymark.yaml: 2 fences") == true)
  }

  @Test("knows a receiver with a position")
  func position() throws {
    let runner = try CommandRunner()
    let gpsd = try ScriptedGPSD()
    let doctor = try runner.start(["doctor", gpsd.address, "--wait", "1h"], output: nil)
    let client = try gpsd.client()
    for second in 0..<3 {
      client.say(
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2025-03-10T08:00:0\#(second)"#
          + #".000Z","lat":0.0,"lon":0.0,"eph":9.5}"#)
    }
    #expect(try doctor.finish().code == 0)
  }

  @Test("names the first error of a config")
  func badConfig() throws {
    let runner = try CommandRunner()
    try runner.write("waymark.yaml", "device: van\nfenses: []\n")
    let config = try examine(runner, [], code: 1)["config"]
    #expect(config?.status == "failed")
    #expect(config?.found.hasPrefix("waymark.yaml:2:1: fenses: found the unknown key") == true)
    #expect(
      try examine(runner, ["--config", "gone.yaml"], code: 1)["config"]?.found.contains("gone.yaml")
        == true)
  }

  @Test("reads the store without changing it, and makes none")
  func store() throws {
    let runner = try CommandRunner()
    try runner.write("waymark.yaml", "store: events.gpkg\n")
    let first = try examine(runner, [], code: 0)["store"]
    #expect(first?.found == "events.gpkg: the first run makes it")
    #expect(!runner.exists("events.gpkg"))
    _ = try runner.waymark(["replay", UsageTests.track, "--store", "events.gpkg"])
    let second = try examine(runner, [], code: 0)["store"]
    #expect(second?.found.wholeMatch(of: /events\.gpkg: \d+ events, version \d+/) != nil)
    try runner.write("events.gpkg", String(repeating: "no database", count: 1_000))
    let third = try examine(runner, [], code: 1)["store"]
    #expect(third?.status == "failed")
  }

  @Test("fails for a folder that is not there")
  func folder() throws {
    let runner = try CommandRunner()
    try runner.write("waymark.yaml", "store: gone/events.gpkg\n")
    // Of a disk that is not known nothing is said.
    let checks = try examine(runner, [], code: 1, subjects: Array(Self.subjects.dropLast()))
    #expect(checks["permissions"]?.found == "gone: no such file or directory")
    #expect(
      checks["store"]
        == Check(
          check: "store", status: "failed",
          found: "gone/events.gpkg: its folder cannot be used: no such file or directory",
          advice: "make the folder gone, or name another store in the config"))
    #expect(!runner.exists("gone"))
  }
}
