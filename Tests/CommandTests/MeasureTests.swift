import Foundation
import Testing

/// `simulate`, `replay` and `score`, one after the other as a user runs them.
@Suite("Measuring against truth", .timeLimit(.minutes(90)))
struct MeasureTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
  }

  private func simulate(_ folder: String, _ options: [String] = []) throws -> CommandRunner.Outcome
  {
    let size = ["--devices", "2", "--profile", "homebody", "--interval", "60", "--format", "csv"]
    return try runner.waymark(["simulate", "--out", folder] + size + options)
  }

  @Test("a world is made, replayed and scored")
  func measure() throws {
    let made = try simulate("deep/world")
    #expect(made.code == 0)
    #expect(made.output.isEmpty)
    #expect(made.errors.hasPrefix("waymark: 2 devices, 2 days, "))
    let loop = """
      for f in deep/world/fixes/*.csv; do d=$(basename $f .csv); \
      $waymark replay $f --config deep/world/config/$d.yaml --format jsonl; done > events.jsonl
      """
    #expect(try runner.shell(loop).code == 0)
    let score = try runner.waymark([
      "score", "--truth", "deep/world", "--events", "events.jsonl", "--svg", "charts",
    ])
    #expect(score.code == 0)
    #expect(score.output.hasPrefix("fences "))
    #expect(score.output.contains("\nF1 "))
    #expect(score.errors.isEmpty)
    #expect(try runner.read("charts/calibration.svg").hasSuffix("</svg>\n"))
    #expect(try runner.read("charts/time-error.svg").hasSuffix("</svg>\n"))
  }

  @Test("without noise every crossing is found")
  func perfect() throws {
    #expect(try simulate("world", ["--noise", "none", "--interval", "10"]).code == 0)
    let loop = """
      for f in world/fixes/*.csv; do d=$(basename $f .csv); \
      $waymark replay $f --config world/config/$d.yaml --format jsonl; done > events.jsonl
      """
    #expect(try runner.shell(loop).code == 0)
    let score = try runner.waymark(["score", "--truth", "world", "--events", "events.jsonl"])
    #expect(score.output.contains("\nR                          1.0000\n"))
  }

  @Test("the same seed gives the same files")
  func determinism() throws {
    #expect(try simulate("a").code == 0)
    #expect(try simulate("b").code == 0)
    #expect(try simulate("c", ["--seed", "8"]).code == 0)
    #expect(try runner.shell("diff -r a b").code == 0)
    #expect(try runner.shell("diff -r a c").code == 1)
  }

  @Test(
    "a world of every kind of device is made, replayed and scored",
    arguments: ["phone", "duty-cycled", "collar", "boat", "network", "stale"])
  func devices(kind: String) throws {
    let made = try runner.waymark(
      ["simulate", "--out", "world", "--device", kind, "--devices", "2", "--format", "csv"])
    #expect(made.code == 0)
    let readme = try runner.read("world/README.md")
    #expect(readme.contains("Regime: `\(kind)`. "))
    let line = try #require(readme.firstMatch(of: /waymark (simulate --out DIR .*)/)?.1)
    let again = try runner.waymark(String(line).replacing("DIR", with: "again").words)
    #expect(again.code == 0)
    #expect(try runner.shell("diff -r world again").code == 0)
    let loop = """
      for f in world/fixes/*.csv; do d=$(basename $f .csv); \
      $waymark replay $f --config world/config/$d.yaml --format jsonl; done > events.jsonl
      """
    #expect(try runner.shell(loop).code == 0)
    let score = try runner.waymark([
      "score", "--truth", "world", "--events", "events.jsonl", "--by", "regime",
    ])
    #expect(score.code == 0)
    #expect(score.output.contains("\nF1 "))
    #expect(kind == "phone" || score.output.split(separator: "\n")[0].contains(kind))
  }

  @Test("fields are left out, and the README says so")
  func without() throws {
    let options = ["--without", "accuracy", "--without", "speed,course"]
    #expect(try simulate("world", options).code == 0)
    let row = try runner.shell("head -qn 2 world/fixes/*.csv | tail -n 1").output
    #expect(row.contains(/,,,,[0-9.]+\n$/))
    let readme = try runner.read("world/README.md")
    #expect(readme.contains("\nThe fixes do not state: accuracy, speed, course.\n"))
    #expect(readme.contains(" --without accuracy,speed,course "))
  }

  @Test("one device and one day are counted in the singular")
  func singular() throws {
    let made = try runner.waymark(["simulate", "--out", "one", "--devices", "1", "--seed", "7"])
    #expect(made.errors.hasPrefix("waymark: 1 device, 1 day, "))
  }

  @Test("a missing folder is 66")
  func noTruth() throws {
    try runner.write("events.jsonl", "")
    let score = try runner.waymark(["score", "--truth", "nowhere", "--events", "events.jsonl"])
    #expect(score.code == 66)
    #expect(score.errors == "waymark: nowhere/devices.json: no such file\n")
  }

  @Test("an unreadable line is 65, with file and line")
  func badLine() throws {
    #expect(try simulate("world").code == 0)
    try runner.write(
      "events.jsonl", "{\"type\":\"state\"}\n{\"type\":\"enter\",\"device\":\"a\"}\n")
    let score = try runner.waymark(["score", "--truth", "world", "--events", "events.jsonl"])
    #expect(score.code == 65)
    #expect(
      score.errors == "waymark: events.jsonl:2: expected a string as fence here, found none\n")
    try runner.write("world/truth/visits.jsonl", "\n[]\n")
    let truth = try runner.waymark(["score", "--truth", "world", "--events", "events.jsonl"])
    #expect(truth.code == 65)
    #expect(truth.errors.hasPrefix("waymark: world/truth/visits.jsonl:2: "))
  }

  @Test(
    "wrong options are 64",
    arguments: [
      "simulate", "simulate --out w --devices 0", "simulate --out w --days 101",
      "simulate --out w --profile pirate", "simulate --out w --interval 7",
      "simulate --out w --seed -1", "simulate --out w --device fax",
      "simulate --out w --without time", "simulate --out w --without accuracy,",
      "simulate --out w --device boat --profile bus",
      "simulate --out w --device collar --interval 1",
      "simulate --out w --device network --interval 60",
      "simulate --out w --device boat --interval adaptive", "score --truth w",
      "score --truth w --events e --by moon",
      "score --truth w --events e --what visits --by why", "score --truth w --events e --color",
      "score --truth w --events e --distance 0", "score --truth w --events e --distance 5s",
      "score --truth w --events e --min-interval 5m",
    ])
  func usage(line: String) throws {
    #expect(try runner.waymark(line.split(separator: " ").map(String.init)).code == 64)
  }

  @Test("a folder with a world is refused, and stays as it is")
  func olderWorld() throws {
    #expect(try simulate("world").code == 0)
    _ = try runner.shell("cp -r world before")
    let again = try simulate("world", ["--seed", "8"])
    #expect(again.code == 64)
    #expect(
      again.errors
        == "waymark: 'world/fixes' exists; a world is written once: name another folder, "
        + "or remove this one\n")
    #expect(try runner.shell("diff -r world before").code == 0)
    try runner.write("notes/read.me", "")
    #expect(try simulate("notes").code == 0)
  }

  @Test("events of unknown fences and lines of unknown types are reported, and left out")
  func strangers() throws {
    #expect(try simulate("world").code == 0)
    let device = try #require(
      try runner.shell("ls world/config").output.split(separator: "\n").first?.split(separator: ".")
        .first)
    let line = { (type: String) in
      #"{"type":"\#(type)","device":"\#(device)","fence":"my-home","time":"2025-03-10T08:00:00Z"}"#
    }
    try runner.write(
      "events.jsonl", ["enter", "exit", "leave"].map(line).joined(separator: "\n"))
    let score = ["score", "--truth", "world", "--events", "events.jsonl"]
    let outcome = try runner.waymark(score)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == """
        waymark: the log has 1 line of an unknown type, such as 'leave'; left out (scored are enter, \
        exit, visit and significant-change)
        waymark: the log has 1 fence that world does not have, such as 'my-home' of '\(device)'; \
        2 events left out (name fences as fences/DEVICE.json does)

        """)
    #expect(try !runner.waymark(score + ["--what", "visits"]).errors.contains("fence"))
  }

  @Test("a file in the way of the folder is 74")
  func inTheWay() throws {
    try runner.write("world", "")
    let made = try simulate("world")
    #expect(made.code == 74)
    #expect(made.errors.hasPrefix("waymark: world: "))
  }
}
