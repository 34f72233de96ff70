import Foundation
import TestSupport
import Testing

/// Folders and archives of tracks, as every command reads them.
@Suite("Folders and archives", .timeLimit(.minutes(90)))
struct InputsTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    try runner.write("trips/b.csv", Self.table(8))
    try runner.write("trips/may/a.csv", Self.table(9))
    try runner.write("trips/notes.txt", "Hello")
    try runner.write("one/trips.csv", Self.table(8) + Self.rows(9))
    let zip = ZipText([
      .init("b.csv", Self.table(8)), .init("../a.csv", Self.table(9)), .init("notes.txt", "Hello"),
    ])
    try Data(zip.bytes).write(to: runner.folder.appendingPathComponent("trips.zip"))
  }

  private static func table(_ hour: Int) -> String { "time,latitude,longitude\n" + rows(hour) }

  /// A fix a minute, a hundred metres apart.
  private static func rows(_ hour: Int) -> String {
    (10..<60).map { "2026-05-04T0\(hour):\($0):00Z,52.5,13.\(300 + 2 * $0)\n" }.joined()
  }

  private func waymark(_ line: String, code: Int32 = 0) throws -> CommandRunner.Outcome {
    let run = try runner.waymark(line.words)
    #expect(run.code == code, "\(line)\n\(run.errors)")
    return run
  }

  @Test(
    "replay, convert and report give what they give for one file",
    arguments: ["trips", "trips.zip"])
  func same(_ input: String) throws {
    for line in [
      "replay % --fence a=52.5,13.36,200 --format jsonl", "convert % -o - --format ndjson",
      "convert % -o - --format geojson --events --fence a=52.5,13.36,200",
    ] {
      let wanted = try waymark(line.replacing("%", with: "one/trips.csv"))
      let found = try waymark(line.replacing("%", with: input))
      #expect(!wanted.output.isEmpty)
      #expect(found.output == wanted.output)
      #expect(
        found.errors.hasPrefix(
          "waymark: 1 file in \(input) skipped: not a track: \(input)/notes.txt\n"))
    }
    _ = try waymark("report \(input) -o a.html")
    #expect(try runner.read("a.html").contains("trips"))
  }

  @Test(
    "an event log beside its track changes no event", arguments: ["csv", "geojson", "kml", "jsonl"])
  func log(_ format: String) throws {
    let track = "replay one --fence a=52.5,13.36,200"
    _ = try waymark("\(track) --format \(format) --output log.\(format)")
    let before = try waymark("\(track) --format jsonl")
    try runner.write("one/log.\(format)", try runner.read("log.\(format)"))
    let after = try waymark("\(track) --format jsonl")
    #expect(after.output == before.output)
    #expect(after.errors.contains("records of other kinds skipped"), "\(after.errors)")
  }

  @Test("info describes each track, the earliest first")
  func info() throws {
    let rows = try waymark("info trips").output.split(separator: "\n")
    #expect(rows.map { $0.prefix { $0 != " " } } == ["file", "trips/b.csv", "trips/may/a.csv"])
    let objects = try waymark("info trips --format jsonl").output
    #expect(objects.components(separatedBy: #""devices":["trips"]"#).count == 3)
  }

  @Test("a web page among tracks is exit code 65, and the tracks are played")
  func webPage() throws {
    let options = "--fence a=52.5,13.36,200 --format jsonl"
    let wanted = try waymark("replay trips \(options)")
    try runner.write("trips/login.gpx", "<!doctype html>\n<html lang=en><p>Log in<br>\n")
    let found = try waymark("replay trips \(options)", code: 65)
    #expect(
      found.errors.contains(
        "waymark: trips/login.gpx:1:1: a web page cannot be read; it may be a login page that was "
          + "saved in the place of the track: download the track again\n"))
    let lines = found.output.split(separator: "\n")
    #expect(lines.filter { !$0.contains("\"problem\"") } == wanted.output.split(separator: "\n"))
    #expect(lines.count { $0.contains("trips/login.gpx:1:1: a web page") } == 1)
    let files = try waymark("replay trips/b.csv trips/login.gpx \(options)", code: 65)
    #expect(files.output.contains(#""type":"enter""#))
    #expect(files.errors.contains("waymark: trips/login.gpx:1:1: a web page cannot be read;"))
  }

  @Test("explain reads them too")
  func explain() throws {
    let line = "explain % --fence a=52.5,13.36,200 --why-not a --at 2026-05-04T08:30:00Z"
    let wanted = try waymark(line.replacing("%", with: "one/trips.csv"))
    #expect(try waymark(line.replacing("%", with: "trips.zip")).output == wanted.output)
  }

  @Test("--device-from names devices by their paths, and a bad pattern says what is expected")
  func pattern() throws {
    let run = try runner.waymark(
      ["convert", "trips", "-o", "-", "--format", "csv", "--device-from", "{device}.csv"])
    #expect(run.code == 0)
    let devices = Set(
      run.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[0] })
    #expect(devices == ["a", "b"])
    let bad = try waymark("replay trips --device-from *.csv", code: 64)
    #expect(
      bad.errors.hasPrefix(
        "Error: The value '*.csv' is invalid for '--device-from <pattern>': '*.csv' has no {device}; expected a pattern such as '{device}/*' or "
          + "'{device}-*.gpx'"))
  }

  @Test("convert writes a fix that several files have once, whatever overlaps")
  func duplicates() throws {
    try runner.write("trips/may/both.csv", Self.table(8) + Self.rows(9))
    try runner.write(
      "trips/may/bus.csv", "device," + Self.table(8).replacing("2026", with: "bus,2026"))
    let run = try waymark("convert trips -o - --format csv --device trips")
    #expect(run.errors.contains("waymark: 100 duplicate fixes in several files, used once\n"))
    #expect(run.output.split(separator: "\n").count == 151)
    #expect(Set(run.output.split(separator: "\n")).count == 151)
    let explained = try runner.waymark(
      "explain trips --device trips --fence a=52.5,13.36,200 --why-not a --at 2026-05-04T08:30:00Z"
        .words)
    #expect(
      explained.errors.contains("waymark: 100 duplicate fixes in several files, used once\n"))
  }

  @Test("an archive that cannot be read in part is exit code 65, with its reason")
  func problems() throws {
    var secret = ZipText.Entry("secret.csv", Self.table(8))
    secret.flags = 1
    let zip = ZipText([secret, .init("a.csv", Self.table(9))])
    try Data(zip.bytes).write(to: runner.folder.appendingPathComponent("half.zip"))
    let reason =
      "waymark: half.zip:1:1: a file in it is encrypted: secret.csv; unpack the archive with its "
      + "password\n"
    for line in ["replay half.zip", "info half.zip", "convert half.zip -o a.csv"] {
      let run = try waymark(line, code: 65)
      #expect(run.errors.hasPrefix(reason), "\(line)")
    }
    #expect(try waymark("info half.zip", code: 65).output.contains("points       50\n"))
    try runner.write("cut.zip", String(decoding: [0x50, 0x4B, 3, 4] as [UInt8], as: UTF8.self))
    #expect(
      try waymark("replay cut.zip", code: 65).errors.hasPrefix(
        "waymark: cut.zip:1:1: the archive is damaged, or its end is missing;"))
  }

  @Test("an archive on standard input is refused in a line")
  func standardInput() throws {
    let run = try runner.shell("cat trips.zip | $waymark replay -")
    #expect(
      run.errors
        == "waymark: standard input:1:1: a ZIP archive can be read from a file of its own "
        + "alone, not from a pipe or another archive; unpack it first\n")
    #expect(run.code == 65)
  }

  @Test("an output in a folder that is read is refused")
  func output() throws {
    let run = try waymark("convert trips -o trips/may/a.csv", code: 64)
    #expect(
      run.errors.hasPrefix(
        "Error: the input 'trips' and --output both use 'trips/may/a.csv'; name another file"))
  }
}
