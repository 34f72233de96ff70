import Testing

@Suite("waymark pipe", .timeLimit(.minutes(90)))
struct PipeCommandTests {
  static let csv = ["pipe", "--in", "csv", "--config", "here.yaml"]

  @Test("turns fixes into events, and prints the totals last")
  func filters() throws {
    let outcome = try Walk.runner().waymark(Self.csv, input: Walk.csv)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix(#"{"type":"state","id":""#))
    #expect(
      lines[1].contains(#""device":"stdin","fence":"here","time":"2025-03-10T08:01:39.152Z""#))
    #expect(
      outcome.errors == """
        {"type":"trailer","lines":7,"fixes":6,"resumed":0,"used":6,"waiting":0,"dropped":{},\
        "reordered":0,"cleaned":0,"teleports":0,"clockJumps":0,"others":0,"problems":0,\
        "devices":1,"events":{"enter":1,"exit":1,"state":1}}

        """)
    #expect(outcome.code == 0)
  }

  @Test("writes totals and events as requested")
  func options() throws {
    let runner = try Walk.runner()
    let options = ["--trailer", "--include", "exit", "--device", "van", "--threads", "2"]
    let outcome = try runner.waymark(Self.csv + options, input: Walk.csv)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(#""device":"van""#))
    #expect(lines[1].hasPrefix(#"{"type":"trailer","lines":7,"#))
    #expect(lines[1].hasSuffix(#","checksum":"\#(Self.checksum(lines[0] + "\n"))"}"#))
    #expect(outcome.errors == "" && outcome.code == 0)
    let table = try runner.waymark(Self.csv + ["--format", "csv"], input: Walk.csv)
    #expect(table.output.hasPrefix("type,id,device,fence,"))
    #expect(table.output.split(separator: "\n").count == 4)
  }

  /// The FNV-1a hash of a text, as its consumers compute it.
  private static func checksum(_ text: some StringProtocol) -> String {
    let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test("takes Arrow streams with the options that they can have")
  func arrow() throws {
    let runner = try Walk.runner()
    let (csv, stream) = (Self.csv + ["--format", "arrow"], ["pipe", "--in", "arrow"])
    let refusals = [
      (csv + ["--trailer"], "--trailer is a line of JSON, so --format must be jsonl"),
      (csv + ["--include", "fix"], "--include fix is no event, and --format arrow has"),
      (stream + ["--state", "inband"], "so --in must be ndjson and --format jsonl"),
      (stream + ["--csv-time-zone", "UTC"], "--csv-time-zone is for times as text"),
      (stream + ["--columns", "time=ts"], "so --in must be csv"),
    ]
    for (arguments, reason) in refusals {
      let outcome = try runner.waymark(arguments, input: Walk.csv)
      #expect(outcome.code == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
    }
    let text = try runner.waymark(stream, input: Walk.csv)
    #expect(text.code == 65)
    #expect(
      text.errors.hasPrefix(
        "waymark: -:1:1: the input is no Arrow stream; --in ndjson or csv reads text\n"))
    // The mark of the end of a stream.
    let events = try runner.shell(
      "$waymark \(csv.joined(separator: " ")) <walk.csv | tail -c 8 | od -An -tx1")
    #expect(events.output == " ff ff ff ff 00 00 00 00\n" && events.code == 0)
  }

  @Test("gives the events of a replay of the same fixes", arguments: ["fleet", "late-fixes"])
  func story(_ name: String) throws {
    let runner = try CommandRunner()
    let config = ["--config", "traces/\(name)/waymark.yaml"]
    let track = "traces/\(name)/track.csv"
    let order = ["--order", "trust", "--device", "maia"]
    let piped = try runner.waymark(
      ["pipe", "--in", "csv"] + order + config, input: try runner.read(track))
    let replayed = try runner.waymark(["replay", track, "--format", "jsonl"] + config)
    #expect(
      piped.output.split(separator: "\n").sorted()
        == replayed.output.split(separator: "\n").sorted())
    #expect(!piped.output.isEmpty && piped.code == 0)
  }

  @Test("exits with 65 when input is out of order or unreadable, and uses the rest")
  func faults() throws {
    let runner = try Walk.runner()
    let rows = Walk.csv.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var swapped = rows
    swapped.swapAt(1, 2)
    let text = swapped.joined(separator: "\n") + "no row\n"
    let checked = try runner.waymark(Self.csv, input: text)
    #expect(checked.code == 65)
    #expect(checked.errors.contains("waymark: -:3:1: \"stdin\" has a fix of 2025-03-10T08:00:00"))
    #expect(checked.errors.contains("waymark: -:8:1: found 1 cells"))
    #expect(checked.output.contains(#"{"type":"exit""#))
    let sorted = try runner.waymark(
      Self.csv + ["--order", "sort"], input: swapped.joined(separator: "\n"))
    let ordered = try runner.waymark(Self.csv, input: Walk.csv)
    #expect(sorted == ordered)
  }

  @Test("reads a table as the options and the config say")
  func tables() throws {
    let runner = try CommandRunner()
    try runner.write(
      "local.yaml", "csv: {columns: {time: zeit}, time-zone: Europe/Berlin}\n")
    let text = "zeit,lat,lon\n2026-05-04 10:00:00,52.5,13.4\n"
    let pipe = ["pipe", "--in", "csv", "--include", "fix"]
    let configured = try runner.waymark(pipe + ["--config", "local.yaml"], input: text)
    #expect(configured.code == 0)
    #expect(configured.output.contains(#""time":"2026-05-04T08:00:00"#))
    let options = ["--columns", "time=zeit", "--csv-time-zone", "Europe/Berlin"]
    let chosen = try runner.waymark(pipe + options, input: text)
    #expect(chosen == configured)
    let lines = try runner.waymark(["pipe", "--columns", "time=zeit"], input: text)
    #expect(lines.code == 64 && lines.errors.contains("--in must be csv"))
  }

  @Test("reads gzip, and reports damage")
  func packed() throws {
    let runner = try Walk.runner()
    let whole = try runner.shell(
      "gzip -c walk.csv | $waymark pipe --in csv --config here.yaml 2>/dev/null")
    #expect(
      whole == (try runner.shell("$waymark pipe --in csv --config here.yaml <walk.csv 2>/dev/null"))
    )
    let cut = try runner.shell(
      "gzip -c walk.csv | head -c 80 | $waymark pipe --in csv --config here.yaml")
    #expect(cut.code == 65 && cut.errors.contains("everything before it was read"))
  }

  @Test("writes the events of a line before more input is awaited", arguments: [1, 2])
  func silentPipe(threads: Int) throws {
    let outcome = try Walk.runner().shell(
      """
      mkfifo in out
      $waymark pipe --in csv --config here.yaml --threads \(threads) <in >out 2>errors &
      exec 3>in 4<out
      head -n 4 walk.csv >&3
      timeout 300 head -n 2 <&4 | cut -c1-15
      exec 3>&-
      cat <&4
      wait
      cut -c1-38 errors
      """)
    #expect(
      outcome.output == """
        {"type":"state"
        {"type":"enter"
        {"type":"trailer","lines":4,"fixes":3,

        """)
  }

  @Test("a reader that closes is not an error")
  func goneAtOnce() throws {
    let outcome = try Walk.runner().shell(
      """
      mkfifo gate
      { cat gate; $waymark pipe --in csv --config here.yaml <walk.csv 2>errors; echo $? >code; } \
        | { exec <&-; : >gate; }
      cat errors code
      """)
    #expect(outcome.output == "0\n")
  }

  @Test(
    "invalid requests are reported",
    arguments: [
      (
        "--format text",
        "Error: The value 'text' is invalid for '--format <format>'. "
          + "Please provide one of 'jsonl', 'csv' or 'arrow'."
      ),
      (
        "--format csv --trailer",
        "Error: --trailer is a line of JSON, so --format must be jsonl"
      ),
      (
        "--in csv --state inband",
        "Error: --state inband reads and writes lines of JSON, so --in must be ndjson and "
          + "--format jsonl"
      ),
      ("--threads 0", "Error: --threads is 0, expected a number from 1 to 256"),
      ("--in gpx", "Error: The value 'gpx' is invalid for '--in <in>'."),
      ("--order none", "Error: The value 'none' is invalid for '--order <order>'."),
    ])
  func usage(options: String, says: String) throws {
    let outcome = try CommandRunner().waymark(["pipe"] + options.words)
    #expect(outcome.errors.hasPrefix(says))
    #expect(outcome.code == 64 && outcome.output == "")
  }
}
