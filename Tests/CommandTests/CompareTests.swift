import Foundation
import TestSupport
import Testing

@Suite("compare", .timeLimit(.minutes(90)))
struct CompareTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    let config = try runner.read("traces/commute/waymark.yaml")
    try runner.write("a.yaml", config)
    try runner.write("b.yaml", config.replacing("radius: 70 m", with: "radius: 40 m"))
  }

  private static let track = "traces/commute/track.gpx"

  private func compare(_ line: String) throws -> CommandRunner.Outcome {
    try runner.waymark(["compare"] + line.split(separator: " ").map(String.init))
  }

  @Test("two configs are the same (0) or differ (1)")
  func configs() throws {
    let same = try compare("a.yaml a.yaml \(Self.track)")
    #expect(same.output == "0 added, 0 removed, 0 moved, 35 the same\n")
    #expect(same.code == 0)
    let moved = try compare("a.yaml b.yaml \(Self.track)")
    #expect(moved.code == 1)
    #expect(moved.errors == "")
    #expect(
      moved.output.contains("~ enter  lunch  jonas  2026-05-04 10:00:40.3Z → 10:01:01.6 (+21 s"))
    #expect(moved.output.hasSuffix("\n0 added, 0 removed, 2 moved, 33 the same\n"))
    let noon = try compare("a.yaml b.yaml \(Self.track) --until 2026-05-04T10:00:00Z")
    #expect(noon.code == 0)
  }

  @Test("two configs are compared as their logs are")
  func logs() throws {
    for name in ["a", "b"] {
      let log = try runner.waymark([
        "replay", Self.track, "--config", "\(name).yaml", "--format", "jsonl",
      ])
      try runner.write("\(name).jsonl", log.output)
    }
    let logs = try compare("--log a.jsonl b.jsonl --format jsonl")
    let configs = try compare("a.yaml b.yaml \(Self.track) --format jsonl")
    #expect(logs.output == configs.output)
    #expect(logs.code == 1)
    for line in logs.output.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(try compare("--log a.jsonl a.jsonl").code == 0)
  }

  @Test("a log with errors is compared as far as it can be read, and ends with 65")
  func badLog() throws {
    let log = try runner.read("traces/commute/events.jsonl")
    try runner.write("bad.jsonl", "{\n" + log)
    let outcome = try compare("--log bad.jsonl traces/commute/events.jsonl")
    #expect(outcome.errors.hasPrefix("waymark: bad.jsonl:1: "))
    #expect(outcome.output == "0 added, 0 removed, 0 moved, 35 the same\n")
    #expect(outcome.code == 65)
  }

  @Test("logs of different devices have nothing in common, which is said")
  func devices() throws {
    let outcome = try compare("--log traces/commute/events.jsonl traces/two-days/events.jsonl")
    #expect(
      outcome.errors
        == "waymark: no device has events in both, such as 'jonas' and 'zoe'\n")
    #expect(outcome.code == 1)
  }

  @Test("a folder is all of its tracks, and what is no track is named")
  func folder() throws {
    try FileManager.default.createDirectory(
      at: runner.folder.appendingPathComponent("tracks/may"), withIntermediateDirectories: true)
    for (track, name) in [
      ("commute/track.gpx", "one.gpx"), ("gzip/track.gpx.gz", "may/two.gpx.gz"),
    ] {
      try FileManager.default.copyItem(
        at: CommandRunner.package("traces/\(track)"),
        to: runner.folder.appendingPathComponent("tracks/\(name)"))
    }
    try runner.write("tracks/notes.md", "# Notes\n")
    try runner.write("tracks/.hidden", "nothing")
    let outcome = try compare("a.yaml a.yaml tracks --device van")
    #expect(
      outcome.errors == "waymark: 1 file in tracks skipped: not a track: tracks/notes.md\n")
    let single = try compare("a.yaml a.yaml tracks/may/two.gpx.gz tracks/one.gpx --device van")
    #expect(outcome.output == single.output)
    #expect(outcome.code == 0)
    try runner.write("empty/notes.md", "# Notes\n")
    let empty = try compare("a.yaml a.yaml empty")
    #expect(empty.errors.contains("waymark: empty: no track in this folder; empty/notes.md: the"))
    #expect(empty.code == 65)
  }

  @Test("a pipe can be read only once, so it is refused")
  func pipe() throws {
    let outcome = try runner.shell(
      "$waymark compare a.yaml b.yaml <(cat \(Self.track))", "bash")
    #expect(
      outcome.errors.contains(
        ": a pipe can be read only once, not for each of the settings; save it to a file"))
    #expect(outcome.output == "")
    #expect(outcome.code == 74)
  }

  @Test("a sweep against the config as it is")
  func sweep() throws {
    let outcome = try compare("a.yaml \(Self.track) --sweep fences.lunch.radius=60..80/10")
    let lines = outcome.output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(lines.count == 4)
    #expect(lines[0].prefix(2) == ["fences.lunch.radius", "right"])
    #expect(lines[2] == ["70", "3", "0", "0", "0", "s", "0", "s"])
    #expect(outcome.code == 0)
    let json = try compare(
      "a.yaml \(Self.track) --sweep fences.lunch.decision=eager,strict --format jsonl")
    #expect(
      json.output.hasPrefix(
        #"{"key":"fences.lunch.decision","value":"eager","right":3,"false":0,"missed":0,"delay":-"#)
    )
    let markdown = try compare(
      "a.yaml \(Self.track) --sweep visits.minimum-stay=45min --format markdown")
    #expect(markdown.output.hasPrefix("| visits.minimum-stay | right | false | missed | "))
    // The lunch of 38 minutes is no visit then.
    #expect(markdown.output.contains("\n| 45min | 5 | 0 | 1 | "))
  }

  @Test("a sweep against the truth of a simulated world counts as score does")
  func truth() throws {
    _ = try runner.waymark(["simulate", "--out", "world", "--devices", "2", "--days", "1"])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: runner.folder.appendingPathComponent("world/config").path)
    let name = try #require(names.min()).replacing(".yaml", with: "")
    let files = "world/config/\(name).yaml world/fixes/\(name).gpx"
    let truth = "--truth world --format jsonl"
    let outcome = try compare("\(files) --sweep visits.minimum-stay=5min \(truth)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let log = try runner.waymark([
      "replay", "world/fixes/\(name).gpx", "--config", "world/config/\(name).yaml", "--format",
      "jsonl",
    ])
    try runner.write("events.jsonl", log.output)
    let score = try runner.waymark([
      "score", "--truth", "world", "--events", "events.jsonl", "--what", "visits", "--by",
      "profile",
      "--format", "json",
    ])
    let row = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let right = try #require(row["right"] as? Int)
    #expect(right > 0)
    #expect(score.output.contains(#""tp":\#(right),"#))
    let fence = try compare("\(files) --sweep fences.f00.radius=50..100/25 \(truth)")
    #expect(fence.output.split(separator: "\n").count == 3)
    let other = try compare(
      "a.yaml \(Self.track) --truth world --sweep fences.lunch.radius=50..60/10")
    #expect(
      other.errors
        == "waymark: the truth has no fence 'lunch' of the devices that were played ('jonas'); "
        + "name devices as devices.json does\n")
    #expect(other.code == 65)
  }

  @Test(
    "wrong usage says what was expected",
    arguments: [
      (
        "a.yaml b.yaml", "expected two configs and a track: waymark compare A.yaml B.yaml TRACK", 64
      ),
      (
        "a.yaml --sweep visits.radius=1..2/1",
        "expected a config and a track: waymark compare A.yaml TRACK --sweep …", 64
      ),
      ("--log a.jsonl", "--log needs two event logs, found 1", 64),
      (
        "--log a b --device van",
        "--sweep, --device, --from and --until are for tracks; --log compares two event logs", 64
      ),
      (
        "a.yaml b.yaml -",
        "standard input (-) can be read only once, not for each config; name a file", 64
      ),
      (
        "a.yaml b.yaml t --truth world",
        "--truth is for --sweep; score compares one log with the truth", 64
      ),
      (
        "a.yaml b.yaml t --within 2d", "--within is more than 1 d; expected a time such as 10min",
        64
      ),
      ("a.yaml b.yaml nosuch.gpx", "nosuch.gpx: no such file", 66),
      ("a.yaml nosuch.yaml \(track)", "nosuch.yaml: found no such file, expected a config", 66),
      ("--log nosuch.jsonl b", "nosuch.jsonl: no such file", 66),
      (
        "a.yaml \(track) --sweep fences.lunhc.radius=1..2/1",
        "--sweep fences.lunhc.radius=1: found no fence 'lunhc' in the config's own list, expected "
          + "the id of a fence that it does not include from another file; did you mean 'lunch'?",
        64
      ),
      ("a.yaml \(track) --sweep visits.radius=1..2/0", "has a step of 0, expected one above 0", 64),
      (
        "a.yaml \(track) --sweep visits.radius=1 --truth nosuch",
        "nosuch/devices.json: no such file", 66
      ),
    ] as [(String, String, Int32)])
  func usage(line: String, message: String, code: Int32) throws {
    let outcome = try compare(line)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output == "")
    #expect(outcome.code == code)
  }
}
