import Foundation
import Testing

@Suite("waymark replay", .timeLimit(.minutes(90)))
struct ReplayTests {
  /// What a command line must give, word for word.
  struct Scenario: CustomTestStringConvertible {
    var line: String
    var output: String
    var errors: String
    var code: Int32 = 0
    var testDescription: String { "waymark replay \(line)" }
  }

  static let fence = "--config here.yaml"

  static let formats = [
    Scenario(line: "walk.csv \(fence)", output: Walk.text, errors: Walk.summary),
    Scenario(
      line: "walk.csv \(fence) --format jsonl",
      output: """
        {"type":"state","id":"0b1ae2d27f31b70b","device":"walk","fence":"here",\
        "time":"2025-03-10T08:00:00.000Z","decided":"2025-03-10T08:00:00.000Z",\
        "latitude":0.0000000,"longitude":-0.0030000,"accuracy":5.00,"confidence":1.000,\
        "state":"outside"}
        {"type":"enter","id":"ec475a03802bae46","device":"walk","fence":"here",\
        "time":"2025-03-10T08:01:39.152Z","decided":"2025-03-10T08:02:00.000Z",\
        "latitude":0.0000000,"longitude":-0.0013475,"accuracy":5.00,"timeUncertainty":17.321,\
        "interpolated":true,"confidence":1.000}
        {"type":"exit","id":"dcaf9c9cf067eefe","device":"walk","fence":"here",\
        "time":"2025-03-10T08:04:20.848Z","decided":"2025-03-10T08:05:00.000Z",\
        "latitude":0.0000000,"longitude":0.0013475,"accuracy":5.00,"timeUncertainty":17.321,\
        "interpolated":true,"confidence":1.000,"duration":161.697}

        """,
      errors: Walk.summary),
    Scenario(
      line: "walk.csv \(fence) --format csv --include exit",
      output: """
        type,id,device,fence,time,decided,latitude,longitude,accuracy,timeUncertainty,\
        interpolated,confidence,state,duration,arrival,departure,arrivalSeen,place,speed,course,altitude,\
        verticalAccuracy,speedAccuracy,courseAccuracy,hdop,vdop,pdop,satellites,mode,message,ellipsoidalAltitude,\
        revision,arrivalUncertainty,departureUncertainty,retracted
        exit,dcaf9c9cf067eefe,walk,here,2025-03-10T08:04:20.848Z,2025-03-10T08:05:00.000Z,\
        0.0000000,0.0013475,5.00,17.321,true,1.000,,161.697,,,,,,,,,,,,,,,,,,,,,

        """,
      errors: Walk.summary),
    Scenario(
      line: "walk.csv --format csv --include fix --until 2025-03-10T08:00:00Z",
      output: """
        type,id,device,fence,time,decided,latitude,longitude,accuracy,timeUncertainty,\
        interpolated,confidence,state,duration,arrival,departure,arrivalSeen,place,speed,course,altitude,\
        verticalAccuracy,speedAccuracy,courseAccuracy,hdop,vdop,pdop,satellites,mode,message,ellipsoidalAltitude,\
        revision,arrivalUncertainty,departureUncertainty,retracted
        fix,,walk,,2025-03-10T08:00:00.000Z,,0.0000000,-0.0030000,5.00,,,,,,,,,,,,,,,,,,,,,,,,,,

        """,
      errors: """
        waymark: 1 file, 1 device, 1 fix, 1 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:00:00.0Z
        waymark: 0 events
        waymark: 5 fixes outside --from and --until, not played

        """),
  ]

  static let choices = [
    Scenario(
      line: "walk.csv \(fence) --include enter --include state", output: Walk.state + Walk.enter,
      errors: Walk.summary),
    Scenario(line: "walk.csv \(fence) --output -", output: Walk.text, errors: Walk.summary),
    Scenario(line: "walk.csv \(fence) --include dwell", output: "", errors: Walk.summary),
    Scenario(
      line: "walk.csv \(fence) --from 2025-03-10T08:03:00Z --include exit",
      output: Walk.exit.replacing("2 min 42 s", with: "1 min 21 s"),
      errors: """
        waymark: 1 file, 1 device, 3 fixes, 3 used, 2025-03-10 08:03:00.0Z to 2025-03-10 08:05:00.0Z
        waymark: 2 events: 1 exit, 1 state
        waymark: 3 fixes outside --from and --until, not played

        """),
    Scenario(
      line: "walk.csv \(fence) --from 2025-03-10T09:00:00+01:00 --until 2025-03-10T08:02:00.000Z",
      output: Walk.state + Walk.enter,
      errors: """
        waymark: 1 file, 1 device, 3 fixes, 3 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:02:00.0Z
        waymark: 2 events: 1 enter, 1 state
        waymark: 3 fixes outside --from and --until, not played

        """),
    Scenario(
      line: "walk.csv \(fence) --from 2025-03-10 --until 2025-03-11", output: Walk.text,
      errors: Walk.summary),
    Scenario(
      line: "walk.csv \(fence) --from 2025-03-11", output: "",
      errors: """
        waymark: 1 file, 0 devices, 0 fixes, 0 used
        waymark: 0 events
        waymark: 6 fixes outside --from and --until, not played

        """),
    Scenario(
      line: "walk.csv \(fence) --speed 1e9", output: Walk.text, errors: Walk.summary),
    Scenario(
      line: "walk.csv \(fence) --speed max", output: Walk.text, errors: Walk.summary),
    Scenario(
      // Without a config there are no fences, but changes of place.
      line: "walk.csv --include enter", output: "",
      errors: """
        waymark: 1 file, 1 device, 6 fixes, 6 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:05:00.0Z
        waymark: 1 event: 1 significant-change

        """),
    Scenario(
      line: "walk.csv \(fence) --device anna", output: Walk.text.replacing("walk", with: "anna"),
      errors: Walk.summary),
  ]

  @Test("prints what happened, and only that, on standard output", arguments: formats + choices)
  func scenario(_ scenario: Scenario) throws {
    let outcome = try Walk.runner().waymark(["replay"] + scenario.line.words)
    #expect(outcome.output == scenario.output)
    #expect(outcome.errors == scenario.errors)
    #expect(outcome.code == scenario.code)
  }

  @Test("a page or a picture goes to standard output as -", arguments: ["-o", "--svg"])
  func reportToStandardOutput(option: String) throws {
    let runner = try Walk.runner()
    let outcome = try runner.waymark(["report", "walk.csv"] + Self.fence.words + [option, "-"])
    let (start, end) = option == "-o" ? ("<!DOCTYPE html>", "</html>\n") : ("<svg ", "</svg>\n")
    #expect(outcome.output.hasPrefix(start) && outcome.output.hasSuffix(end))
    #expect(outcome.errors == Walk.summary)
    #expect(outcome.code == 0)
    #expect(!runner.exists("-"))
  }

  @Test("reads standard input as -")
  func standardInput() throws {
    let outcome = try Walk.runner().waymark(["replay", "-"] + Self.fence.words, input: Walk.csv)
    #expect(outcome.output == Walk.text.replacing("walk  ", with: "stdin  "))
    #expect(outcome.errors == Walk.summary)
    #expect(outcome.code == 0)
  }

  @Test("a visit is printed once in text, and every line with --live, as in the other formats")
  func live() throws {
    let runner = try CommandRunner()
    func visits(_ options: String) throws -> [Substring] {
      let line = "replay traces/commute/track.gpx --include visit \(options)"
      return try runner.waymark(line.words).output.split(separator: "\n")
    }
    let (text, live) = (try visits(""), try visits("--live"))
    let isOver = { (line: Substring) in line.contains("  stayed ") }
    #expect(text.count > 2 && text.dropLast().allSatisfy(isOver) && text.last.map(isOver) == false)
    #expect(live.filter(isOver) == text.filter(isOver))
    let lines = try visits("--format jsonl")
    #expect(live.count == lines.count && live.count > text.count)
    #expect(try visits("--format jsonl --live") == lines)
  }

  @Test("plays a story with its config, compressed too", arguments: ["dwell", "gzip", "pole"])
  func story(_ name: String) throws {
    let runner = try CommandRunner()
    let folder = CommandRunner.package("traces/\(name)").path
    let track = try #require(
      ["track.gpx", "track.gpx.gz", "track.ndjson"].first {
        runner.exists("traces/\(name)/\($0)")
      })
    let outcome = try runner.waymark([
      "replay", "\(folder)/\(track)", "--config", "\(folder)/waymark.yaml", "--format", "jsonl",
    ])
    #expect(outcome.output == (try runner.read("traces/\(name)/events.jsonl")))
    #expect(outcome.code == 0)
  }

  @Test("gives the same bytes in every run and at every speed")
  func sameBytes() throws {
    let runner = try CommandRunner()
    let line =
      "replay traces/fleet/track.csv traces/dwell/track.gpx --config traces/fleet/waymark.yaml"
      + " --format jsonl --include fix --include enter --include exit --include state"
    let first = try runner.waymark(line.words)
    #expect(first.code == 0)
    #expect(try runner.waymark(line.words) == first)
    #expect(try runner.waymark(line.words + ["--speed", "1e9"]) == first)
  }

  @Test("gives the same events from the fixes that it printed")
  func replayOfFixes() throws {
    let runner = try CommandRunner()
    let config = ["--config", "traces/dwell/waymark.yaml"]
    let track = ["replay", "traces/dwell/track.gpx", "--format", "jsonl"] + config
    try runner.write("fixes.jsonl", try runner.waymark(track + ["--include", "fix"]).output)
    let again = try runner.waymark(["replay", "fixes.jsonl", "--format", "jsonl"] + config)
    #expect(again.output == (try runner.waymark(track).output))
    #expect(!again.output.isEmpty)
    #expect(again.code == 0)
  }

  @Test("writes no colours, neither to files nor with NO_COLOR", arguments: [nil, "", "1"])
  func colours(_ value: String?) throws {
    let runner = try Walk.runner()
    let environment = value.map { ["NO_COLOR": $0, "TERM": "xterm-256color"] } ?? [:]
    for line in ["replay walk.csv \(Self.fence)", "info walk.csv", "replay", "--help"] {
      let outcome = try runner.waymark(line.words, environment: environment)
      #expect(!(outcome.output + outcome.errors).unicodeScalars.contains("\u{1B}"))
    }
  }
}

@Suite("waymark replay of several files", .timeLimit(.minutes(90)))
struct SeveralFilesTests {
  private func names(_ outcome: CommandRunner.Outcome) -> [String] {
    outcome.output.split(separator: "\n").map { line in
      String(line.split(separator: "\"device\":\"")[1].prefix { $0 != "\"" })
    }
  }

  static let track = """
    <gpx version="1.1"><trk><name>Anna</name><trkseg>\
    <trkpt lat="0" lon="0"><time>2025-03-10T08:00:00Z</time></trkpt></trkseg></trk></gpx>
    """
  static let row = "time,latitude,longitude\n2025-03-10T08:00:00Z,0,1\n"
  static let rows = "time,latitude,longitude,device\n2025-03-10T08:00:00Z,0,1,bus\n"

  private func runner() throws -> CommandRunner {
    let runner = try CommandRunner()
    try runner.write("anna.gpx", Self.track)
    try runner.write("day.csv", Self.row)
    try runner.write("b/day.csv", Self.row)
    try runner.write("early/day.csv", Self.row.replacing("T08", with: "T07"))
    try runner.write("fleet.csv", Self.rows)
    try runner.write("van.yaml", "device: van\n")
    return runner
  }

  @Test(
    "names each by its track, else by its file, and tells equal names apart",
    arguments: [
      ("anna.gpx day.csv", ["Anna", "day"]),
      ("anna.gpx anna.gpx", ["Anna", "anna"]),
      ("anna.gpx anna.gpx anna.gpx", ["Anna", "anna", "anna-2"]),
      ("day.csv b/day.csv", ["day", "day-2"]),
      ("fleet.csv day.csv", ["bus", "day"]),
      ("anna.gpx day.csv --device van", ["van", "van"]),
      ("anna.gpx day.csv --config van.yaml", ["van", "van"]),
      ("anna.gpx day.csv --config van.yaml --device lorry", ["lorry", "lorry"]),
      ("fleet.csv anna.gpx --device van", ["bus", "van"]),
      // The earlier track is printed first, but it was named second.
      ("day.csv early/day.csv", ["day-2", "day"]),
    ])
  func names(files: String, expected: [String]) throws {
    let outcome = try runner().waymark(
      ["replay"] + files.words + ["--format", "jsonl", "--include", "fix"])
    #expect(names(outcome) == expected)
    #expect(outcome.code == 0)
  }

  @Test("gives a file the same name whatever part of it is played")
  func namesOfParts() throws {
    let outcome = try runner().waymark(
      "replay early/day.csv day.csv --from 2025-03-10T07:30:00Z --format jsonl --include fix".words)
    #expect(names(outcome) == ["day-2"])
    #expect(outcome.errors.hasPrefix("waymark: 2 files, 1 device, 1 fix, 1 used"))
  }

  @Test("merges them by time, and each device has the same events as alone")
  func merged() throws {
    let runner = try Walk.runner()
    try runner.write("late.csv", Walk.csv.replacing(":00Z", with: ":30Z"))
    let fence = ["--config", "here.yaml", "--format", "jsonl"]
    let both = try runner.waymark(["replay", "walk.csv", "late.csv"] + fence)
    #expect(names(both) == ["walk", "late", "walk", "late", "walk", "late"])
    for file in ["walk", "late"] {
      let alone = try runner.waymark(["replay", "\(file).csv"] + fence).output
      let lines = both.output.split(separator: "\n").filter { $0.contains("\"\(file)\"") }
      #expect(lines == alone.split(separator: "\n"))
    }
    #expect(
      both.errors == """
        waymark: 2 files, 2 devices, 12 fixes, 12 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:05:30.0Z
        waymark: 6 events: 2 enter, 2 exit, 2 state

        """)
  }

  @Test("may be many more than can be open at a time", arguments: [1, 2])
  func many(threads: Int) throws {
    let runner = try Walk.runner()
    let outcome = try runner.shell(
      """
      i=100; while [ $i -lt 400 ]; do cp walk.csv w$i.csv; i=$((i + 1)); done
      ulimit -n 100
      $waymark replay w[0-9]*.csv --config here.yaml --format csv --threads \(threads) | cut -d, -f1,3
      """)
    let devices = (100..<400).map { "w\($0)" }
    let lines = ["state", "enter", "exit"].flatMap { kind in devices.map { "\(kind),\($0)" } }
    #expect(outcome.output == (["type,device"] + lines).map { $0 + "\n" }.joined())
    #expect(outcome.errors.hasPrefix("waymark: 300 files, 300 devices, 1800 fixes, 1800 used"))
    #expect(outcome.code == 0)
  }

  @Test("an invalid number of threads is reported")
  func noThreads() throws {
    let outcome = try Walk.runner().waymark(["replay", "walk.csv", "--threads", "0"])
    #expect(outcome.errors.hasPrefix("Error: --threads is 0, expected a number from 1 to 256"))
    #expect(outcome.code == 64 && outcome.output == "")
  }
}
