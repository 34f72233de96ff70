import Foundation
import Testing

@Suite("waymark demo", .timeLimit(.minutes(90)))
struct DemoTests {
  static let story = "traces/out-and-back"

  @Test("reports what replay reports of the story")
  func events() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(["demo", "--format", "jsonl"])
    #expect(outcome.code == 0)
    #expect(try outcome.output == runner.read("\(Self.story)/events.jsonl"))
  }

  @Test("is for people by default, and says what to look at")
  func people() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(["demo"])
    let replayed = try runner.waymark([
      "replay", "\(Self.story)/track.gpx", "--config", "\(Self.story)/waymark.yaml",
    ])
    #expect(outcome.output == replayed.output)
    #expect(outcome.errors.contains("\nwaymark: what to look at:\n"))
  }

  @Test("names the true times of the story")
  func truth() throws {
    let runner = try CommandRunner()
    let truth = try runner.read("\(Self.story)/truth.csv")
    let errors = try runner.waymark(["demo"]).errors
    let times = errors.matches(of: /\d\d:\d\d:\d\d\.\d(?= and| \(UTC)/).map { String($0.output) }
    #expect(times.count == 2)
    for time in times { #expect(truth.contains(time), "\(time)") }
  }

  @Test("writes the track and its config, which play the same, and never over a file")
  func save() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(["demo", "--save", "a/walk"])
    #expect(outcome.code == 0)
    for name in ["track.gpx", "waymark.yaml"] {
      #expect(try runner.read("a/walk/\(name)") == runner.read("\(Self.story)/\(name)"))
    }
    let line = try #require(outcome.errors.firstMatch(of: /next: (waymark replay .*)\n/)?.1)
    let replayed = try runner.waymark(line.split(separator: " ").dropFirst().map(String.init))
    #expect(replayed.output == outcome.output)

    try runner.write("a/walk/track.gpx", "mine")
    let again = try runner.waymark(["demo", "--save", "a/walk"])
    #expect(again.code == 74)
    #expect(again.output == "")
    #expect(
      again.errors == "waymark: a/walk/track.gpx: cannot be written: file exists\n")
    #expect(try runner.read("a/walk/track.gpx") == "mine")
  }
}
