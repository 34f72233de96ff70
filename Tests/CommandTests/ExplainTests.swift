import Foundation
import TestSupport
import Testing

@Suite("explain", .timeLimit(.minutes(90)))
struct ExplainTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let commute = [
    "traces/commute/track.gpx", "--config", "traces/commute/waymark.yaml",
  ]

  private func explain(_ arguments: [String]) throws -> CommandRunner.Outcome {
    try runner.waymark(["explain"] + arguments)
  }

  @Test("every event of a story by the id of its log", arguments: ["commute", "two-days", "fleet"])
  func everyEvent(story: String) throws {
    let track = story == "fleet" ? "track.csv" : "track.gpx"
    let log = try runner.read("traces/\(story)/events.jsonl").split(separator: "\n")
    var kinds: Set<String> = []
    // One of each kind is enough here; the tests of the library explain all.
    for line in log {
      let words = line.components(separatedBy: "\"")
      guard words[3] != "problem", kinds.insert(words[3]).inserted else { continue }
      let outcome = try explain([
        "traces/\(story)/\(track)", "--config", "traces/\(story)/waymark.yaml", "--event", words[7],
      ])
      #expect(outcome.code == 0, "\(line)")
      #expect(outcome.output.contains(", because "), "\(line)")
      #expect(outcome.output.contains("used"), "\(line)")
    }
    #expect(kinds.count >= 3)
  }

  @Test("the ids of the log of watch --record work on its recording")
  func recording() throws {
    let gpsd = try ScriptedGPSD()
    let watch = try runner.start(
      [
        "watch", gpsd.address, "--fence", "gate=0,0,150", "--device", "van", "--record",
        "trip.jsonl", "--output", "events", "--format", "jsonl",
      ])
    let client = try gpsd.client()
    for second in 0..<400 { client.say(GateDrive.report(second)) }
    try runner.wait(for: #""type":"exit""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let lines = try runner.read("events").split(separator: "\n").filter {
      $0.contains(#""fence":"gate""#)
    }
    #expect(lines.count >= 3)
    for line in lines {
      let id = line.components(separatedBy: "\"")[7]
      let outcome = try explain(["trip.jsonl", "--fence", "gate=0,0,150", "--event", id])
      #expect(outcome.code == 0, "\(line)\n\(outcome.errors)")
      #expect(outcome.output.contains("gate: "), "\(line)")
    }
  }

  @Test("JSON Lines are a row for each fix, and the explanation")
  func lines() throws {
    let outcome = try explain(
      Self.commute + [
        "--why-not", "lunch", "--from", "2026-05-04T10:00:30Z", "--until", "2026-05-04T10:00:39Z",
        "--format", "jsonl",
      ])
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count > 3)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix(#"{"type":"row","device":"jonas","#) })
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    let last = try #require(lines.last)
    #expect(last.contains(#""reported":false,"reason":"improbable","alternatives":["#))
    #expect(last.contains(#"{"radius":75.00,"time":"#))
  }

  @Test("a terminal gets a chart, and lines of its width but for the sentence")
  func terminal() throws {
    let track = Self.commute.joined(separator: " ")
    let id = try runner.shell(
      "$waymark replay \(track) --format jsonl | sed -n '/enter.*lunch/s/.*\"id\":\"\\([^\"]*\\).*/\\1/p'"
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    let command = "$waymark explain \(track) --event \(id)"
    let outcome = try runner.shell("script -qec 'stty cols 60; \(command)' /dev/null", "bash")
    #expect(outcome.code == 0)
    let lines = outcome.output.split(whereSeparator: \.isNewline)
    #expect(lines.contains("P(inside)"))
    #expect(lines.contains { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } })
    #expect(lines.dropLast().allSatisfy { $0.count <= 60 })
    #expect(try #require(lines.last).hasSuffix("the fixes of 10:00:39.1 and 10:00:42.1"))
    let plain = try explain(Self.commute + ["--event", id])
    #expect(!plain.output.contains("P(inside)\n"))
  }

  @Test("an alternative that is named gives the event")
  func alternative() throws {
    let config = try runner.read("traces/commute/waymark.yaml")
    try runner.write(
      "wide.yaml", config.replacingOccurrences(of: "radius: 70 m", with: "radius: 75 m"))
    let outcome = try explain([
      "traces/commute/track.gpx", "--config", "wide.yaml", "--why-not", "lunch", "--from",
      "2026-05-04T10:00:30Z", "--until", "2026-05-04T10:00:39Z",
    ])
    #expect(outcome.output.contains("lunch: enter at 2026-05-04 10:00:36.6Z"))
  }

  @Test("a fix that was dropped is shown with the reason")
  func dropped() throws {
    let rows = (0..<20).map { second in
      let latitude = second == 10 ? "10.0" : "0.00\(second + 100)"
      return "van,2025-03-10T08:00:\(second < 10 ? "0" : "")\(second)Z,\(latitude),0,5\n"
    }
    try runner.write(
      "van.csv", "device,time,latitude,longitude,accuracy\n" + rows.joined())
    let outcome = try explain([
      "van.csv", "--fence", "far=0.5,0,100", "--why-not", "far", "--at", "2025-03-10T08:00:10Z",
    ])
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("08:00:10.0Z  dropped: too far away"))
    #expect(outcome.output.contains("fixes that were not used: 1 too far away"))
  }

  @Test(
    "what cannot be explained says what to do",
    arguments: [
      (["--event", "1234567890abcdef"], 65, "no event has the id '1234567890abcdef'"),
      (["--event", "123"], 64, "'123' is not the id of an event"),
      (["--why-not", "lnch", "--at", "2026-05-04"], 64, "did you mean 'lunch'?"),
      (
        ["--why-not", "lunch", "--at", "2027-05-04"], 64, "the time is outside of the track, which"
      ),
      (["--why-not", "lunch"], 64, "--why-not needs a time"),
      (
        ["--why-not", "lunch", "--from", "2027-05-04"], 64,
        "the time is outside of the track, which"
      ),
      (["--event", "1234567890abcdef", "--at", "2026-05-04"], 64, "are for --why-not"),
      ([], 64, "expected --event ID or --why-not FENCE"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], code: Int32, says: String) throws {
    let outcome = try explain(Self.commute + arguments)
    #expect(outcome.code == code)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("of several devices one must be chosen, by its name")
  func devices() throws {
    let fleet = ["traces/fleet/track.csv", "--config", "traces/fleet/waymark.yaml"]
    let question = ["--why-not", "depot", "--at", "2026-05-11T20:20:00Z"]
    let open = try explain(fleet + question)
    #expect(open.code == 64)
    #expect(open.errors.contains("choose one with --device, such as 'van-"))
    let wrong = try explain(fleet + question + ["--device", "vam-2"])
    #expect(wrong.code == 64)
    #expect(wrong.errors.contains("did you mean 'van-2'?"))
    let right = try explain(fleet + question + ["--device", "van-2"])
    #expect(right.code == 0)
    #expect(right.output.contains("depot: "))
  }
}
