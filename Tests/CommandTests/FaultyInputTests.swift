import Foundation
import TestSupport
import Testing

@Suite("An unusable input", .timeLimit(.minutes(90)))
struct FaultyInputTests {
  static let formats =
    "expected one of: GPX, TCX, KML, FIT, IGC, VBOX, CSV, NDJSON of fixes, GeoJSON, Google Records.json, "
    + "Google timelines, OwnTracks JSON, OwnTracks recordings, Traccar JSON, JSON records, gpsd logs, NMEA 0183"

  /// A command line, what it says on standard error alone, and the code it leaves with.
  static let refusals: [(line: String, errors: String, code: Int32)] = [
    ("replay nosuch.gpx", "nosuch.gpx: no such file", 66),
    ("replay walk.csv nosuch.gpx", "nosuch.gpx: no such file", 66),
    ("info nosuch.gpx", "nosuch.gpx: no such file", 66),
    (
      "replay folder",
      "folder: no track in this folder; folder/empty: the file is empty; \(formats)",
      65
    ),
    (
      "info folder", "folder: no track in this folder; folder/empty: the file is empty; \(formats)",
      65
    ),
    // A file that opens and then refuses to be read, for every user.
    ("replay /proc/self/mem", "/proc/self/mem: input/output error", 74),
    ("replay notes.txt", "notes.txt: the format is not known; \(formats)", 65),
    ("replay empty.csv", "empty.csv: the file is empty; \(formats)", 65),
    ("info empty.csv", "empty.csv: the file is empty; \(formats)", 65),
    (
      "info ride.gdb",
      "ride.gdb: a Garmin GDB file cannot be read; convert it: gpsbabel -t -i gdb -f ride.gdb -o gpx "
        + "-F track.gpx; \(formats)", 65
    ),
    (
      "replay walk.csv.xz",
      "walk.csv.xz: an xz file cannot be read; unpack it: xz -dc walk.csv.xz | waymark replay -; "
        + formats, 65
    ),
    (
      "info noise", "noise: the file is binary, of a format that is not known; \(formats)", 65
    ),
    ("replay -", "standard input: the file is empty; \(formats)", 65),
    (
      "replay walk.csv --config nosuch.yaml",
      "nosuch.yaml: found no such file, expected a config in YAML or JSON", 66
    ),
    ("check nosuch.yaml", "nosuch.yaml: found no such file, expected a config in YAML or JSON", 66),
    ("check folder", "folder: found it unreadable (is a directory), expected a readable file", 74),
    (
      "replay walk.csv --config bad.yaml",
      "bad.yaml:2:24: fences[0].centre: found the unknown key 'centre', expected one of id, "
        + "center, radius, polygon, holes, notify, dwell, decision, initial, include, settle, under-way; "
        + "did you mean 'center'?",
      78
    ),
    (
      "replay walk.csv --output nosuch/events.txt",
      "nosuch/events.txt: cannot be written: no such file or directory", 74
    ),
    (
      "replay walk.csv --output folder", "folder: cannot be written: is a directory", 74
    ),
    (
      "replay walk.csv --config here.yaml --output /dev/full",
      "/dev/full: cannot be written: no space left on device", 74
    ),
  ]

  private func runner() throws -> CommandRunner {
    let runner = try Walk.runner()
    try runner.write("folder/empty", "")
    try runner.write("empty.csv", "")
    try runner.write("ride.gdb", "MsRcf\u{0}{\u{1}\n$GPRMC,\u{2}\n")
    try Data([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x0A, 0x7B, 0x0A]).write(
      to: runner.folder.appendingPathComponent("walk.csv.xz"))
    try runner.write("noise", String(repeating: "\u{0}\u{1}{\"a\":\u{2}\n", count: 200))
    try runner.write("notes.txt", "Went for a walk.\n")
    try runner.write("bad.yaml", "fences:\n  - {id: a, radius: 5, centre: [1, 2]}\n")
    return runner
  }

  @Test("is reported in one sentence, and nothing is printed", arguments: refusals)
  func refusal(line: String, errors: String, code: Int32) throws {
    let outcome = try runner().waymark(line.words)
    #expect(
      outcome == CommandRunner.Outcome(output: "", errors: "waymark: \(errors)\n", code: code))
  }

  @Test("does not truncate the file for the events")
  func outputSurvives() throws {
    let runner = try runner()
    try runner.write("events.txt", "of yesterday\n")
    for line in ["replay nosuch.gpx", "replay walk.csv --config bad.yaml", "replay empty.csv"] {
      let outcome = try runner.waymark(line.words + ["--output", "events.txt"])
      #expect(outcome.code != 0)
    }
    #expect(try runner.read("events.txt") == "of yesterday\n")
  }

  @Test(
    "standard output that is full is an I/O error",
    arguments: [
      "replay walk.csv --config here.yaml", "info walk.csv", "check good.yaml",
    ])
  func fullDisk(_ command: String) throws {
    let runner = try runner()
    try runner.write("good.yaml", "device: van\n")
    let outcome = try runner.shell("$waymark \(command) >/dev/full")
    #expect(
      outcome.errors
        == "waymark: standard output: cannot be written: no space left on device\n")
    #expect(outcome.code == 74)
  }

  @Test(
    "an output that cannot be written is an I/O error, whatever the command",
    arguments: [
      "replay walk.csv --output nosuch/events", "replay walk.csv >/dev/full",
      "pipe --in csv --config here.yaml <walk.csv >/dev/full",
      "pipe --in csv --config here.yaml --state nosuch/state <walk.csv",
      "watch gpsd://127.0.0.1:1 --no-reconnect --output nosuch/events",
      "watch gpsd://127.0.0.1:1 --no-reconnect --state nosuch/state",
      "watch gpsd://127.0.0.1:1 --no-reconnect --record nosuch/log",
      "record gpsd://127.0.0.1:1 --no-reconnect --output nosuch/log",
      "launch walk.csv --state walk.csv -- /bin/true",
      "compile here.yaml --output nosuch/fences.wmf",
      "check here.yaml >/dev/full", "info walk.csv >/dev/full", "geocode 0,0 >/dev/full",
      "simulate --out walk.csv --devices 1", "--licenses >/dev/full",
    ])
  func unwritable(_ command: String) throws {
    let outcome = try runner().shell("$waymark \(command)")
    #expect(outcome.errors.hasPrefix("waymark: "))
    #expect(outcome.code == 74)
  }

  @Test("events for score in a named pipe that no program writes to are refused at once")
  func noWriter() throws {
    let runner = try runner()
    let end = NamedPipes.release(runner.folder.appendingPathComponent("events").path)
    defer { end() }
    let outcome = try runner.shell(
      """
      mkfifo events
      $waymark simulate --out world --devices 1 2>/dev/null
      $waymark score --truth world --events events
      """)
    #expect(outcome.errors == "waymark: events: it is a named pipe that no program writes to\n")
    #expect(outcome.code == 74)
  }

  @Test("a track in a named pipe is read like any other, and so are events for score")
  func namedPipe() throws {
    let outcome = try runner().shell(
      """
      mkdir pipes
      mkfifo pipes/walk.csv events
      cat walk.csv >pipes/walk.csv &
      $waymark replay pipes/walk.csv --config here.yaml 2>/dev/null
      $waymark simulate --out world --devices 1 --format ndjson 2>/dev/null
      $waymark replay world/fixes/*.ndjson --format jsonl --output wanted 2>/dev/null
      $waymark score --truth world --events wanted --format json >wanted.json
      cat wanted >events &
      $waymark score --truth world --events events --format json | cmp - wanted.json || echo differs
      """)
    #expect(outcome.output == Walk.text)
  }

  @Test(
    "an input that is also the output is rejected, and unchanged",
    arguments: [
      ("walk.csv", "walk.csv"), ("walk.csv", "./walk.csv"), ("walk.csv", "link"),
    ])
  func outputIsInput(input: String, output: String) throws {
    let runner = try runner()
    _ = try runner.shell("ln -s walk.csv link")
    let outcome = try runner.waymark(["replay", input, "--output", output])
    #expect(
      outcome.errors.hasPrefix(
        "Error: the input 'walk.csv' and --output both use '\(output)'; name another file\n"))
    #expect(outcome.code == 64)
    #expect(try runner.read("walk.csv") == Walk.csv)
  }

  @Test("a file without a fence is compiled with a warning")
  func noFence() throws {
    let runner = try runner()
    try runner.write("none.csv", "id,latitude,longitude,radius\n")
    try runner.write("none.geojson", #"{"type":"FeatureCollection","features":[]}"#)
    for name in ["none.csv", "none.geojson"] {
      let outcome = try runner.waymark("compile \(name) -o none.wmf".words)
      #expect(outcome.errors.hasPrefix("waymark: no fence in \(name)\nnone.wmf: 0 fences, "))
      #expect(outcome.code == 0)
    }
  }

  @Test("a config with an id that its compiled fences have too is not valid for any command")
  func compiledTwice() throws {
    let runner = try runner()
    try runner.write("one.csv", "id,latitude,longitude,radius\na,52.5,13.4,100\n")
    _ = try runner.waymark("compile one.csv -o one.wmf".words)
    try runner.write(
      "two.yaml", "fences: [{include: one.wmf}, {id: a, center: [1, 2], radius: 300}]\n")
    for command in ["check two.yaml", "replay walk.csv --config two.yaml"] {
      let outcome = try runner.waymark(command.words)
      #expect(
        outcome.errors == "waymark: one.wmf: found the id 'a' a second time, expected a unique id "
          + "(first used at two.yaml:1:35)\n")
      #expect(outcome.code == 78)
    }
  }

  @Test("an include of a config is not overwritten by the fences that are compiled from it")
  func compiledInclude() throws {
    let runner = try runner()
    _ = try runner.waymark("compile here.yaml -o fences.wmf".words)
    _ = try runner.shell("cp fences.wmf before.wmf")
    try runner.write("all.yaml", "fences: [{include: fences.wmf}]\n")
    let outcome = try runner.waymark("compile all.yaml -o ./fences.wmf".words)
    #expect(
      outcome.errors.hasPrefix(
        "waymark: an include of the config and --output both use './fences.wmf'; "
          + "name another file"))
    #expect(outcome.code == 64)
    #expect(try runner.shell("cmp fences.wmf before.wmf").code == 0)
  }

  @Test("writes the events to a file instead of standard output")
  func output() throws {
    let runner = try runner()
    let outcome = try runner.waymark(
      "replay walk.csv --config here.yaml --output events.txt".words)
    #expect(outcome == CommandRunner.Outcome(output: "", errors: Walk.summary, code: 0))
    #expect(try runner.read("events.txt") == Walk.text)
    // A longer file of yesterday leaves nothing behind.
    try runner.write("events.txt", String(repeating: "x", count: 10_000))
    _ = try runner.waymark("replay walk.csv --config here.yaml --output events.txt".words)
    #expect(try runner.read("events.txt") == Walk.text)
  }
}

@Suite("An input with errors", .timeLimit(.minutes(90)))
struct PartlyReadableInputTests {
  static let points = """
    <trkpt lat="0" lon="-0.003"><time>2025-03-10T08:00:00Z</time></trkpt>
    <trkpt lat="0" lon="0"><time>2025-03-10T08:03:00Z</time></trkpt>
    """
  static let head = "<gpx version=\"1.1\"><trk><trkseg>\n"

  private func events(_ outcome: CommandRunner.Outcome) -> [String] {
    outcome.output.split(separator: "\n").map { String($0.split(separator: "\"")[3]) }
  }

  @Test(
    "is played as far as it is readable, with exit code 65",
    arguments: [
      // A file that ends too early, and two that are no XML.
      (
        head + points + "\n<trkpt lat=\"0.0",
        "day.gpx:4:16: the trace ends inside the document; what is complete was read"
      ),
      (
        head + points + "\n<trkpt lat=0/>",
        "day.gpx:4:12: the value of an attribute without quotes"
      ),
      (
        head + points + "\n</trk></gpx>\n",
        "day.gpx:4:1: the end tag </trk> where </trkseg> was expected"
      ),
    ])
  func gpx(text: String, issue: String) throws {
    let runner = try Walk.emptyRunner()
    try runner.write("day.gpx", text)
    let outcome = try runner.waymark(
      "replay day.gpx --config here.yaml --format jsonl".words)
    #expect(events(outcome) == ["state", "enter", "problem"])
    #expect(
      outcome.errors == """
        waymark: \(issue)
        waymark: 1 file, 1 device, 2 fixes, 2 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:03:00.0Z
        waymark: 2 events: 1 enter, 1 state
        waymark: 1 problem in the input; all that could be read was played

        """)
    #expect(outcome.code == 65)
  }

  @Test("a bad row is skipped and reported with its place; all others are played")
  func badRow() throws {
    let runner = try Walk.emptyRunner()
    try runner.write("walk.csv", Walk.csv.replacing("08:03:00Z,0,", with: "08:03:00Z,zero,"))
    let outcome = try runner.waymark("replay walk.csv --config here.yaml".words)
    let issue =
      "walk.csv:5:22: latitude is \"zero\", expected a number of decimal degrees with a "
      + "decimal point"
    #expect(
      outcome.output == Walk.state + Walk.enter
        + "2025-03-10 08:02:00.0Z          walk  problem"
        + String(repeating: " ", count: 46) + issue + "\n"
        + Walk.exit)
    #expect(
      outcome.errors == """
        waymark: \(issue)
        waymark: 1 file, 1 device, 5 fixes, 5 used, 2025-03-10 08:00:00.0Z to 2025-03-10 08:05:00.0Z
        waymark: 3 events: 1 enter, 1 exit, 1 state
        waymark: 1 problem in the input; all that could be read was played

        """)
    #expect(outcome.code == 65)
  }

  @Test(
    "a problem before the first fix belongs to the device of its track",
    arguments: [
      ("", "walk"), ("--device anna", "anna"),
    ])
  func faultFirst(options: String, device: String) throws {
    let runner = try Walk.emptyRunner()
    try runner.write("walk.csv", Walk.csv.replacing("08:00:00Z,0,", with: "08:00:00Z,zero,"))
    let outcome = try runner.waymark(
      "replay walk.csv --format jsonl --include problem".words + options.words)
    // It has no time: no fix came before it.
    #expect(outcome.output.contains("\"device\":\"\(device)\",\"message\":\"walk.csv:2:22: "))
    #expect(outcome.code == 65)
  }

  @Test("compressed data that ends early is read as far as it goes")
  func cutGzip() throws {
    let runner = try Walk.emptyRunner()
    _ = try runner.shell("head -c 700 traces/gzip/track.gpx.gz >cut.gpx.gz")
    let outcome = try runner.waymark("replay cut.gpx.gz --format jsonl --include fix".words)
    #expect(outcome.output.split(separator: "\n").count == 19)
    #expect(
      outcome.errors.hasPrefix(
        "waymark: cut.gpx.gz:24:102: its gzip data ends in the middle; everything before it was read\n"
      ))
    #expect(outcome.code == 65)
  }

  @Test("compressed data that ends early is reported behind any number of other problems")
  func cutGzipOfFaults() throws {
    let runner = try Walk.emptyRunner()
    _ = try runner.shell(
      """
      { echo time,latitude,longitude
        seq 200 | sed 's/$/,x,2/'
        seq 20000 | sed 's/$/,1,2/'; } | gzip >whole.csv.gz
      head -c 20000 whole.csv.gz >cut.csv.gz
      """)
    let reason = "its gzip data ends in the middle; everything before it was read"
    for command in ["pipe --in csv <cut.csv.gz", "replay cut.csv.gz", "info cut.csv.gz"] {
      let outcome = try runner.shell("$waymark \(command)")
      #expect(outcome.errors.contains(reason), "\(command)")
      #expect(outcome.code == 65, "\(command)")
    }
  }

  @Test(
    "a row whose device is not UTF-8 is reported, and its fix is not used",
    arguments: ["pipe --in csv <names.csv", "replay names.csv"])
  func otherEncoding(command: String) throws {
    let outcome = try Walk.emptyRunner().shell(
      #"""
      printf 'device,time,latitude,longitude\nM\374ller,1777888800,1,2\n' >names.csv
      printf 'M\366ller,1777888800,1,2\nvan,1777888800,1,2\n' >>names.csv
      $waymark \#(command)
      """#)
    for place in [":2:2:", ":3:2:"] {
      #expect(outcome.errors.contains("\(place) found bytes that are not UTF-8 in the device"))
    }
    #expect(outcome.errors.contains("1 fix, 1 used") || outcome.errors.contains(#""fixes":1,"#))
    #expect(outcome.code == 65)
  }

  @Test("one invalid file does not stop the others")
  func others() throws {
    let runner = try Walk.runner()
    try runner.write("cut.gpx", Self.head + Self.points)
    let outcome = try runner.waymark(
      "replay cut.gpx walk.csv --config here.yaml --format jsonl".words)
    #expect(outcome.output.split(separator: "\n").filter { $0.contains("\"walk\"") }.count == 3)
    #expect(outcome.code == 65)
  }

  @Test("more than a hundred errors are counted")
  func manyFaults() throws {
    let runner = try Walk.emptyRunner()
    let rows = (0..<150).map { "2025-03-10T08:00:00Z,zero,\($0)\n" }.joined()
    try runner.write("bad.csv", "time,latitude,longitude\n" + rows)
    let outcome = try runner.waymark("replay bad.csv --format jsonl".words)
    let said = outcome.errors.split(separator: "\n")
    #expect(outcome.output.split(separator: "\n").count == 100)
    #expect(said.filter { $0.contains("latitude is \"zero\"") }.count == 100)
    #expect(said.contains("waymark: bad.csv: 50 more problems like these"))
    #expect(
      said.last == "waymark: 150 problems in the input; all that could be read was played")
    #expect(outcome.code == 65)
    let info = try runner.waymark("info bad.csv".words)
    #expect(
      info.output.contains("\n  problem      150 errors in the file, the first 100 reported on "))
    #expect(info.code == 65)
  }
}
