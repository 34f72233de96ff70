import Foundation
import TestSupport
import Testing

@Suite("test", .timeLimit(.minutes(90)))
struct FenceTestCommandTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let stories =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Built.package("traces").path))?.filter {
      FileManager.default.fileExists(
        atPath: Built.package("traces").appendingPathComponent("\($0)/waymark.yaml").path)
    }.sorted()

  @Test("every story has tests, and passes them", arguments: stories ?? [])
  func story(_ name: String) throws {
    let outcome = try runner.waymark(["test", "traces/\(name)/waymark-test.yaml"])
    #expect(outcome.output == "")
    // The tracks of two stories have errors on purpose.
    #expect(outcome.code == (["ferry-nmea", "truncated"].contains(name) ? 65 : 0), "\(outcome)")
    #expect(outcome.errors.contains("all passed\n"))
  }

  /// A file with tests of a path of 1 km through a fence.
  private func write(_ tests: String, _ name: String = "test.yaml") throws {
    try runner.write(
      "w.yaml", "fences: [{id: gate, center: [0.0045, 1], radius: 100 m}]\nvisits: false\n")
    try runner.write(name, "config: w.yaml\ntests:\n\(tests)")
  }

  private static let path = "path: {points: [[0, 1], [0.009, 1]], speed: 5 m/s}"
  private static let good = "  - {name: good, \(path), expect: [{enter: gate}, {exit: gate}]}\n"
  private static let bad =
    "  - {name: bad, \(path), expect: [{enter: gate, at: 2026-01-01T00:00:00Z}]}\n"

  @Test("ends with 0, 1, 65, 66 or 78: the worst that happened")
  func codes() throws {
    let lost = "  - {name: lost, track: lost.gpx, only: true}\n"
    let faulty = "  - {name: faulty, track: faulty.csv, never: [{enter: gate}]}\n"
    try runner.write("faulty.csv", "time,latitude,longitude\nx,1,1\n2026-01-01T00:00:00Z,1,1\n")
    for (tests, code) in [
      (Self.good, 0), (Self.good + Self.bad, 1), (Self.bad + faulty, 65),
      (faulty + Self.bad + lost, 66), (faulty + lost + "  - {nam: x}\n", 78),
    ] {
      try write(tests)
      let outcome = try runner.waymark(["test", "test.yaml"])
      #expect(outcome.code == code, "\(tests)\(outcome)")
      if code == 78 { #expect(outcome.output == "") }
    }
    #expect(try runner.waymark(["test", "no.yaml"]).code == 66)
    try write("  - {nam: x}\n", "worse.yaml")
    let outcome = try runner.waymark(["test", "no.yaml", "worse.yaml", "test.yaml"])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("waymark: no.yaml: found no such file"))
    #expect(outcome.errors.contains("waymark: worse.yaml:3:6: "))
    #expect(outcome.errors.contains("waymark: test.yaml:5:6: "))
  }

  @Test("runs the tests that --run names, and refuses a name that none has")
  func chosen() throws {
    try write(Self.good + Self.bad)
    #expect(try runner.waymark(["test", "test.yaml", "--run", "^go+d$"]).code == 0)
    let none = try runner.waymark(["test", "test.yaml", "--run", "goood"])
    #expect(none.code == 64)
    #expect(none.errors.contains("no test has a name with a match of 'goood'"))
    let wrong = try runner.waymark(["test", "test.yaml", "--run", "("])
    #expect(wrong.code == 64)
    #expect(wrong.errors.hasPrefix("Error: --run: '(' is not a regular expression"))
  }

  @Test("--update replaces the file, keeps its permissions, and shows what changes")
  func update() throws {
    try write("  # why\n" + Self.bad)
    let path = runner.folder.appendingPathComponent("test.yaml").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let outcome = try runner.waymark(["test", "test.yaml", "--update"])
    #expect(outcome.code == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "test.yaml:4")
    #expect(lines.count == 3)
    #expect(try runner.read("test.yaml").contains("  # why\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try runner.waymark(["test", "test.yaml"]).code == 0)
    #expect(try runner.waymark(["test", "test.yaml", "--update", "--seeds", "2"]).code == 64)
  }

  @Test("writes JUnit's XML beside any format, and the summary on standard error")
  func junit() throws {
    try write(Self.good + Self.bad)
    for format in ["text", "json", "tap", "junit", "github"] {
      let outcome = try runner.waymark(
        ["test", "test.yaml", "--format", format, "--junit", "\(format).xml"])
      #expect(outcome.code == 1)
      #expect(outcome.errors == "waymark: 2 tests, 1 failed\n")
      #expect(try runner.read("\(format).xml") == runner.read("text.xml"))
      if format == "junit" { #expect(try outcome.output == runner.read("text.xml")) }
    }
    #expect(try runner.waymark(["test", "test.yaml", "--junit", "test.yaml"]).code == 64)
  }

  @Test(
    "refuses to write a file that the tests read, and leaves it as it is",
    arguments: [
      ("w.yaml", "the config of 'test.yaml'"), ("f.geojson", "an include of the config"),
      ("places.json", "the geocoder of the config"), ("day.csv", "the input 'day.csv'"),
      ("link.csv", "the input 'day.csv'"),
    ])
  func inputs(_ output: String, _ use: String) throws {
    try writeInputs()
    let before = try runner.read(output)
    let outcome = try runner.waymark(["test", "test.yaml", "--junit", output])
    #expect(outcome.code == 64)
    #expect(
      outcome.errors.hasPrefix("waymark: \(use) and --junit both use "), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("name another file\n"), "\(outcome.errors)")
    #expect(try runner.read(output) == before)
    #expect(try runner.waymark(["test", "test.yaml"]).code == 0)
  }

  /// Tests of a config with an included fence and a table of places, and a link to their track.
  private func writeInputs(track: String = "day.csv") throws {
    try runner.write(
      "w.yaml",
      """
      fences: [{include: f.geojson}]
      geocoder: {provider: stub, table: places.json}
      visits: false

      """)
    try runner.write(
      "f.geojson",
      """
      {"type":"Feature","id":"gate","properties":{"radius":100},
      "geometry":{"type":"Point","coordinates":[1,0.0045]}}
      """)
    try runner.write("places.json", "[]\n")
    try runner.write(track, "time,latitude,longitude\n2026-01-01T00:00:00Z,1,1\n")
    try runner.write(
      "test.yaml",
      "config: w.yaml\ntests:\n  - {name: a, track: \(track), never: [{enter: gate}]}\n")
    try FileManager.default.createSymbolicLink(
      atPath: runner.folder.appendingPathComponent("link.csv").path,
      withDestinationPath: track)
  }

  @Test("--update keeps a track that has the name of its new file")
  func draft() throws {
    try writeInputs(track: "test.yaml.new")
    let before = try runner.read("test.yaml.new")
    let outcome = try runner.waymark(["test", "test.yaml", "--update"])
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("the new file of --update both use "), "\(outcome.errors)")
    #expect(try runner.read("test.yaml.new") == before)
  }

  @Test("--update through a symbolic link writes the file behind it, and keeps the link")
  func link() throws {
    try write(Self.bad, "real.yaml")
    let link = runner.folder.appendingPathComponent("link.yaml").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.yaml")
    #expect(try runner.waymark(["test", "link.yaml", "--update"]).code == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.yaml")
    #expect(try runner.waymark(["test", "real.yaml"]).code == 0)
  }
}
