import Foundation
import TestSupport
import Testing

/// Clocks leap, machines sleep, receivers are wrong about the time: the events come from the times of
/// the fixes alone, and are those of an undisturbed run.
@Suite("clocks", .ownThreads, .timeLimit(Effort.limit))
struct ClockTests {
  private static let drive = Drive(count: 40, stay: 60)

  private static func events(
    _ lines: [String], _ environment: [String: String] = [:]
  ) throws -> String {
    let stage = try Stage()
    stage.peer = .gpsd { lines }
    let outcome = try stage.run(
      [
        "watch", "gpsd://127.0.0.1:\(stage.port)", "--no-reconnect", "--fence", "gate=0,0,150",
        "--device", "van", "--format", "jsonl", "--output", "events", "--state", "state",
      ], environment: environment)
    try #require(outcome.code == 69, "\(outcome.errors)")
    return stage.text("events")
  }

  @Test("of the machine: wall clock, sleep, time zone", arguments: Leap.all)
  func leaps(_ leap: Leap) throws {
    let expected = try Self.events(Self.drive.lines)
    #expect(expected.contains(#""type":"visit""#) && expected.contains(#""type":"enter""#))
    let found = try Self.events(
      Self.drive.lines,
      [
        "FAULTS_CLOCK": "\(leap.wall)", "FAULTS_BOOT": "\(leap.sleep)",
        "FAULTS_LEAP": "\(leap.after)", "TZ": leap.zone,
      ])
    #expect(firstDifference("events", found, expected) == nil)
  }

  /// What a receiver says once that is wrong; a step back by little is not, but a fix that came late.
  static let wrongTimes: [(name: String, seconds: Double)] = [
    ("the same time", 0), ("an hour back", -3_600),
    ("a week back", -604_800), ("1,024 weeks back", -619_315_200), ("20 years back", -631_139_040),
    ("1,024 weeks on", 619_315_200), ("20 years on", 631_139_040),
  ]

  @Test("of the receiver: one report with another time", arguments: ClockTests.wrongTimes)
  func slip(_ slip: (name: String, seconds: Double)) throws {
    let expected = try Self.events(Self.drive.lines)
    for place in [5, 33, 70] {
      var lines = Self.drive.lines
      lines.insert(Self.drive.line(place, late: slip.seconds), at: place + 1)
      let found = try Self.events(lines)
      #expect(firstDifference("events", found, expected) == nil, "after \(place) lines")
    }
  }
}

/// What happens to the clocks of a machine after so many lines.
struct Leap: Sendable, CustomTestStringConvertible {
  var wall = 0
  var sleep = 0
  var zone = "UTC"
  var after = 10

  var testDescription: String {
    "wall \(wall) s, sleep \(sleep) s, \(zone), after \(after) lines"
  }

  static let all: [Leap] = {
    let (day, year, week) = (86_400, 31_556_952, 604_800)
    let walls = [1, 2, 59, 3_600, 7_200, day, 30 * day, year, 20 * year, 1_024 * week]
    return walls.flatMap { [Leap(wall: $0), Leap(wall: -$0, after: 40)] }
      + [1, 60, 3_600, 8 * 3_600, 7 * day].map { Leap(sleep: $0, after: 30) }
      // Where clocks were put forward on the day of the drive, and where they were put back.
      + ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe"].map {
        Leap(wall: 3_600, zone: $0)
      }
      + [
        Leap(wall: -20 * year, sleep: 3_600), Leap(wall: 18), Leap(wall: -1_024 * week, after: 0),
      ]
  }()
}
