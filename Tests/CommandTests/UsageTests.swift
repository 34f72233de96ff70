import Foundation
import Testing

@Suite("Wrong usage", .timeLimit(.minutes(90)))
struct UsageTests {
  /// A command line, and the first line that it must give on standard error.
  struct Mistake: CustomTestStringConvertible {
    var line: String
    var says: String
    var testDescription: String { "waymark \(line)" }

    init(_ line: String, _ says: String) {
      self.line = line
      self.says = says
    }
  }

  static let track = "traces/dwell/track.gpx"

  static let commands =
    "demo, replay, pipe, watch, anchor, record, feed, launch, init, check, doctor, compile, outbox, info, "
    + "convert, report, explain, test, compare, geocode, simulate, score"
  static let mistakes = [
    Mistake(
      "repaly day.gpx",
      "Error: unknown command 'repaly'; did you mean 'replay'?"),
    Mistake(
      "repaly day.gpx --fence a=1,2,3",
      "Error: unknown command 'repaly'; did you mean 'replay'?"),
    Mistake(
      "day.gpx",
      "Error: unknown command 'day.gpx'; expected one of: \(commands)"
    ),
    Mistake("--verson", "Error: Unknown option '--verson'"),
    Mistake("replay", "Error: Missing expected argument '<file> ...'"),
    Mistake("record", "Error: Missing expected argument '--output <file>'"),
    Mistake(
      "record boat:2947 -o x",
      "Error: The value 'boat:2947' is invalid for '<gpsd://…>': found 'boat:2947', expected "
        + "gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947; "
        + "did you mean 'gpsd://boat:2947'?"),
    Mistake(
      "watch boat.yaml",
      "Error: The value 'boat.yaml' is invalid for '<gpsd://…>': found 'boat.yaml', expected "
        + "gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947; "
        + "did you mean '--config boat.yaml'?"),
    Mistake(
      "doctor boat.yml",
      "Error: The value 'boat.yml' is invalid for '<gpsd://…>': found 'boat.yml', expected "
        + "gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947; "
        + "did you mean '--config boat.yml'?"),
    Mistake(
      "init --source boat.yaml",
      "Error: The value 'boat.yaml' is invalid for '--source <gpsd://…>': found 'boat.yaml', "
        + "expected gpsd://HOST[:PORT][/DEVICE] such as gpsd://localhost:2947"),
    Mistake(
      "record -o x --rotate 5",
      "Error: The value '5' is invalid for '--rotate <size|day>': found '5', expected "
        + "a size such as 100MB or 1GB, from 1kB on, or day"),
    Mistake("check", "Error: Missing expected argument '<config>'"),
    Mistake("report day.gpx", "Error: -o is missing; expected a name such as day.html"),
    Mistake(
      "report day.gpx -o - --svg -",
      "Error: --output and --svg both use standard output (-); name a file for one"),
    Mistake(
      "test a.yaml --junit -",
      "Error: --junit and the results both use standard output (-); name a file, or give "
        + "--format junit"),
    Mistake(
      "record -o -",
      "Error: --output is standard output (-), to which no recording goes; name a file such as "
        + "trip.jsonl"),
    Mistake(
      "watch --record -",
      "Error: --record is standard output (-), to which no recording goes; name a file such as "
        + "trip.jsonl"),
    Mistake(
      "watch --state -",
      "Error: --state is standard output (-), to which no state goes; name a file such as van.state"
    ),
    Mistake(
      "pipe --state -",
      "Error: --state is standard output (-), to which no state goes; name a file such as van.state"
    ),
    Mistake(
      "watch --status -",
      "Error: --status is standard output (-), to which no status file goes; name a file such as "
        + "status.json"),
    Mistake(
      "replay \(track) --store -",
      "Error: --store is standard output (-), to which no store goes; name a file such as "
        + "events.gpkg"),
    Mistake(
      "init --store -",
      "Error: --store is standard output (-), to which no store goes; name a file such as "
        + "events.gpkg"),
    Mistake(
      "launch --state - -- ./van",
      "Error: --state is standard output (-), to which no state goes; name a folder such as here"),
    Mistake(
      "watch --web 8080 --web-token -",
      "Error: --web-token is standard output (-), to which no token goes; name a file such as "
        + "web.token"),
    Mistake("compile f.csv -o -", "Error: found -o -, expected a name that ends in .wmf"),
    Mistake("info", "Error: Missing expected argument '<file> ...'"),
    Mistake("check a b", "Error: Unexpected argument 'b'"),
    Mistake(
      "replay \(track) --fense a=1,2,3",
      "Error: Unknown option '--fense'. Did you mean '--fence'?"),
    Mistake(
      "replay \(track) --fence", "Error: Missing value for '--fence <id=lat,lon,radius>'"),
    Mistake("replay \(track) --config", "Error: Missing value for '--config <file>'"),
    Mistake(
      "replay \(track) --format xml",
      "Error: The value 'xml' is invalid for '--format <format>'. "
        + "Please provide one of the following:"),
    Mistake(
      "watch --format kml",
      "Error: found --format kml, expected text, jsonl or csv: a map is complete only at its end, "
        + "which watch does not know; convert --events makes one"),
    Mistake("convert \(track)", "Error: Missing expected argument '--output <file>'"),
    Mistake(
      "replay \(track) --include entre",
      "Error: The value 'entre' is invalid for '--include <kind>'. "
        + "Please provide one of the following:"),
    Mistake(
      "replay \(track) --speed 0", "Error: The value '0' is invalid for '--speed <max|n>'"),
    Mistake(
      "replay \(track) --speed -1", "Error: The value '-1' is invalid for '--speed <max|n>'"),
    Mistake(
      "replay \(track) --speed abc", "Error: The value 'abc' is invalid for '--speed <max|n>'"),
    Mistake(
      "replay \(track) --hindsight --speed 2",
      "Error: --hindsight needs the fixes after an event, so it cannot go with --speed; leave one out."
    ),
    Mistake(
      "replay \(track) --hindsight --live",
      "Error: --hindsight reports a visit once, so it cannot go with --live; leave one out."),
    Mistake(
      "replay \(track) --speed inf", "Error: The value 'inf' is invalid for '--speed <max|n>'"),
    Mistake(
      "replay \(track) --from yesterday",
      "Error: The value 'yesterday' is invalid for '--from <time>': 'yesterday' is not a time: "
        + "expected one like 2025-03-10T08:00:00Z, or a date like 2025-03-10"),
    Mistake(
      "replay \(track) --until 2025-02-30",
      "Error: The value '2025-02-30' is invalid for '--until <time>': '2025-02-30' is not a time: "
        + "expected one like 2025-03-10T08:00:00Z, or a date like 2025-03-10"),
    Mistake(
      "replay \(track) --from 2025-03-11 --until 2025-03-10",
      "Error: --from is later than --until; no fix would be played"),
    Mistake("replay - -", "Error: standard input (-) can be given only once"),
    Mistake("info - -", "Error: standard input (-) can be given only once"),
    Mistake(
      "replay \(track) --fence home=1,2",
      "Error: --fence 'home=1,2': found 2 parts after '=', expected 3, as in "
        + "ID=LAT,LON,RADIUS such as depot=52.5163,13.3777,100m"),
    Mistake(
      "replay \(track) --fence home=91,2,100",
      "Error: --fence 'home=91,2,100': found the latitude '91', expected -90 to 90; "
        + "latitude comes first: did you mean 'home=2,91,100'?"),
    Mistake(
      "replay \(track) --fence home=-91,200,100",
      "Error: --fence 'home=-91,200,100': found the latitude '-91', expected -90 to 90"),
    Mistake(
      "replay \(track) --fence home=1,2,0",
      "Error: --fence 'home=1,2,0': found the radius '0', "
        + "expected a length above 0 m and up to 1000 km"),
    Mistake(
      "replay \(track) --fence a=1,2,100 --fence a=1,3,100",
      "Error: two fences are called 'a': every fence needs an id of its own"),
  ]

  @Test("reports what was expected, prints nothing else and exits with 64", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let outcome = try CommandRunner().waymark(mistake.line.split(separator: " ").map(String.init))
    #expect(outcome.errors.split(separator: "\n").first.map(String.init) == mistake.says)
    #expect(outcome.output == "")
    #expect(outcome.code == 64)
  }

  @Test("a command line without a command shows three to try, each of which there is")
  func noCommand() throws {
    let outcome = try CommandRunner().waymark([])
    #expect(outcome.errors.hasPrefix("waymark needs a command. Three to try:\n"))
    let names = outcome.errors.matches(of: /\n  waymark (\w+)/).map { String($0.1) }
    #expect(names.count == 3)
    let known = Self.commands.components(separatedBy: ", ")
    for name in names { #expect(known.contains(name), "\(name)") }
    #expect(outcome.output == "" && outcome.code == 64)
  }

  @Test(
    "shows the usage of the intended command",
    arguments: [
      "--fence home=1,2", "--fence a=1,2,3 --fence a=1,2,3", "--speed 0", "--format xml", "--nope",
    ])
  func usage(_ options: String) throws {
    let line = "replay \(Self.track) \(options)"
    let outcome = try CommandRunner().waymark(line.split(separator: " ").map(String.init))
    #expect(outcome.errors.contains("\nUsage: waymark replay [<options>] <file> ...\n"))
    #expect(outcome.errors.hasSuffix("\n  See 'waymark replay --help' for more information.\n"))
  }

  @Test("rejects an empty name")
  func emptyName() throws {
    let outcome = try CommandRunner().waymark(["replay", Self.track, "--device", ""])
    #expect(outcome.errors.hasPrefix("Error: --device is empty; expected a name such as van\n"))
    #expect(outcome.code == 64)
  }

  @Test("names every kind when one is unknown")
  func kinds() throws {
    let outcome = try CommandRunner().waymark(["replay", Self.track, "--include", "entre"])
    for kind in HelpTests.eventKinds {
      #expect(outcome.errors.contains("\n  - \(kind)\n"))
    }
  }

  @Test("reports the valid speeds")
  func speed() throws {
    let outcome = try CommandRunner().waymark(["replay", Self.track, "--speed", "0"])
    #expect(outcome.errors.contains("max, or a multiple of real time above 0"))
  }

  @Test("reports a fence that the config already has")
  func fenceOfConfig() throws {
    let outcome = try CommandRunner().waymark([
      "replay", Self.track, "--config", "traces/dwell/waymark.yaml", "--fence", "garage=1,2,100",
    ])
    #expect(
      outcome
        == CommandRunner.Outcome(
          output: "",
          errors: "waymark: --fence garage: found an id that a fence has already, expected a "
            + "unique id (first used at traces/dwell/waymark.yaml:9:9)\n",
          code: 64))
  }
}

@Suite("Help", .timeLimit(.minutes(90)))
struct HelpTests {
  @Test(
    "on every level has an example that can be copied",
    arguments: [
      ([], "waymark replay day.gpx --config waymark.yaml --format jsonl"),
      (["replay"], "zcat day.gpx.gz | waymark replay - --config waymark.yaml --speed 60"),
      (["check"], "waymark check waymark.yaml"),
      (["info"], "waymark info trips/*.gpx.gz"),
    ])
  func example(command: [String], example: String) throws {
    let outcome = try CommandRunner().waymark(command + ["--help"])
    #expect(outcome.output.contains("\n  \(example)\n"))
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
  }

  @Test("breaks no example in two", arguments: [[], ["replay"], ["check"], ["info"]])
  func examplesAreWhole(command: [String]) throws {
    let lines = try CommandRunner().waymark(command + ["--help"]).output.split(
      separator: "\n", omittingEmptySubsequences: false)
    for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  waymark ") {
      #expect(next.isEmpty || next.hasPrefix("  "), "broken behind: \(line)")
    }
  }

  static let eventKinds = [
    "enter", "exit", "dwell", "state", "visit", "significant-change", "fix", "problem",
  ]

  @Test("names every kind of event, and accepts it", arguments: eventKinds)
  func kinds(kind: String) throws {
    let runner = try CommandRunner()
    let help = try runner.waymark(["replay", "--help"]).output
    #expect(help.split { !$0.isLetter && $0 != "-" }.contains { $0 == kind })
    #expect(try runner.waymark(["replay", UsageTests.track, "--include", kind]).code == 0)
  }

  @Test(
    "of replay names every format that it reads",
    arguments: ["GPX 1.0 and 1.1", "CSV", "NDJSON", "gpsd", "NMEA 0183", "gzip"])
  func formats(format: String) throws {
    let help = try CommandRunner().waymark(["replay", "--help"]).output
    let description = help.replacing("\n", with: " ").split(separator: "USAGE:")[0]
    #expect(description.contains(format))
  }

  @Test("offers the formats that a command takes, and no other")
  func offeredFormats() throws {
    let runner = try CommandRunner()
    for (command, formats) in [
      ("watch", "text, jsonl, csv"), ("replay", "text, jsonl, csv, geojson, gpx, kml"),
    ] {
      let help = try runner.waymark([command, "--help"]).output
      let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("(values: \(formats); default: text)"), "\(words)")
      if command == "watch" { #expect(!words.contains("geojson")) }
    }
  }

  @Test("has the release, the first in the changelog, and the commit if the build knew it")
  func version() throws {
    let outcome = try CommandRunner().waymark(["--version"])
    let version = try #require(
      outcome.output.wholeMatch(
        of: /waymark ([0-9]+\.[0-9]+\.[0-9]+)(?: \([0-9a-f]{7,40}(?:\+changes)?\))?\n/))
    #expect(outcome.errors == "" && outcome.code == 0)
    let changes = try String(contentsOf: CommandRunner.package("CHANGELOG.md"), encoding: .utf8)
    let newest = changes.firstMatch(of: /\n## \[?([0-9]+\.[0-9]+\.[0-9]+)/)
    #expect(newest?.1 == version.1)
  }
}

@Suite("Completions", .timeLimit(.minutes(90)))
struct CompletionTests {
  /// Values of options and arguments that are files or folders, as `--help` calls them.
  // The colon of the address is behind a backslash.
  static let files = ["file", "config", "fences", "dir", "folder", "//…|file"]

  @Test("complete every file and folder of a command")
  func files() throws {
    let script = try CommandRunner().waymark(["--generate-completion-script", "zsh"]).output
    // 'NAME[HELP]:VALUE:ACTION', an argument without the brackets.
    let actions = script.split(separator: "\n").compactMap {
      $0.firstMatch(of: /:([^:\[\]]+):([^:']*)'\s*\\?$/)?.output
    }.filter { Self.files.contains(String($0.1)) }
    #expect(actions.count > 20)
    for (line, _, action) in actions { #expect(action.hasPrefix("_files"), "\(line)") }
  }

  @Test(
    "offer files where a file is expected",
    arguments: ["check ch", "replay x --config ch", "info ch", "launch --state x -- ch"])
  func bash(_ words: String) throws {
    let runner = try CommandRunner()
    try runner.write("chart.gpx", "")
    let outcome = try runner.shell(
      """
      $waymark --generate-completion-script bash >completions
      . ./completions
      COMP_WORDS=(waymark \(words)) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _waymark waymark "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, "bash")
    #expect(outcome.output == "chart.gpx\n", "\(outcome.errors)")
  }
}
