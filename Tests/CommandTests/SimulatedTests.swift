import Foundation
import TestSupport
import Testing

/// Positions that a receiver calls simulated, and the other kinds of solutions.
@Suite("How receivers found positions", .timeLimit(.minutes(90)))
struct SimulatedTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let engine =
    ["--device", "boat", "--fence", "gate=0,0,150", "--format", "jsonl"]
    + ["fix", "enter", "exit", "state", "status"].flatMap { ["--include", $0] }

  /// A report of the drive, with a status of gpsd.
  private static func report(_ second: Int, status: Int?) -> String {
    let report = GateDrive.report(second)
    guard let status else { return report }
    return report.replacing(#","mode":3"#, with: #","status":\#(status),"mode":3"#)
  }

  private func writeLog(_ status: (Int) -> Int?) throws {
    let lines = (0..<300).map { Self.report($0, status: status($0)) }
    try runner.write("gpsd.log", lines.joined(separator: "\n") + "\n")
  }

  private static func stamp(_ second: Int) -> String {
    Date(timeIntervalSince1970: GateDrive.start + Double(second)).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  @Test("a log of a simulator gives no event without --allow-simulated, and the summary says so")
  func replay() throws {
    try writeLog { _ in 8 }
    let refused = try runner.waymark(["replay", "gpsd.log"] + Self.engine)
    #expect(refused.code == 0 && !refused.output.contains(#""type":"fix""#))
    #expect(!refused.output.contains(#""type":"enter""#))
    #expect(
      refused.output.contains(
        #""state":"ignoring","message":"the positions are simulated; --allow-simulated uses them""#),
      "\(refused)")
    let remark = "300 simulated positions not played; --allow-simulated uses them"
    #expect(refused.errors.contains(remark), "\(refused.errors)")
    let used = try runner.waymark(["replay", "gpsd.log", "--allow-simulated"] + Self.engine)
    #expect(used.output.split(separator: "\n").count { $0.hasPrefix(#"{"type":"fix""#) } == 300)
    #expect(used.output.contains(#""type":"enter""#) && !used.errors.contains("simulated"))
  }

  @Test("info counts each kind of solution, and what is refused")
  func info() throws {
    try writeLog { second in [nil, 2, 3, 3, 4, 5, 8][second % 7] }
    let text = try runner.waymark("info gpsd.log".words)
    #expect(text.output.contains("\n  points       258\n"))
    #expect(
      text.output.contains(
        "\n  refused      42 simulated positions; --allow-simulated uses them\n"),
      "\(text.output)")
    #expect(
      text.output.contains(
        "\n  solutions    43 differential, 86 RTK fixed, 43 RTK float, 43 dead reckoning\n"))
    let json = try runner.waymark("info gpsd.log --allow-simulated --format jsonl".words)
    #expect(json.output.contains(#""simulatedFixes":0,"#))
    #expect(
      json.output.contains(
        #""solutions":{"differential":43,"rtk-fixed":86,"rtk-float":43,"dead-reckoning":43,"#
          + #""simulated":42}"#), "\(json.output)")
  }

  @Test("explain says that the positions that it does not explain were refused")
  func explain() throws {
    try writeLog { _ in 8 }
    let question = "explain gpsd.log --fence gate=0,0,50 --why-not gate --from"
    let refused = try runner.waymark(question.words + [Self.stamp(0)])
    #expect(refused.code == 64)
    #expect(
      refused.errors.contains(
        "300 simulated positions not used; --allow-simulated uses them"), "\(refused.errors)")
  }

  @Test("convert writes simulated positions only when they are allowed")
  func convert() throws {
    try writeLog { $0 < 20 ? 8 : nil }
    let refused = try runner.waymark("convert gpsd.log -o track.gpx".words)
    #expect(refused.code == 0)
    #expect(
      refused.errors.contains(
        "20 simulated positions not written; --allow-simulated uses them"), "\(refused.errors)")
    #expect(try runner.read("track.gpx").components(separatedBy: "<trkpt").count == 281)
    let used = try runner.waymark("convert gpsd.log --allow-simulated -o all.gpx".words)
    #expect(used.code == 0)
    #expect(try runner.read("all.gpx").components(separatedBy: "<trkpt").count == 301)
  }

  @Test(
    "feed says of a solution what the recording said, and never that a track was simulated")
  func feed() throws {
    try writeLog { second in [nil, 3, 4, 5, 8][second % 5] }
    try runner.write("plain.csv", "time,latitude,longitude\n2025-03-10T08:00:00Z,1,2\n")
    func statuses(_ arguments: [String]) throws -> [String] {
      let runner = try CommandRunner()
      for name in ["gpsd.log", "plain.csv"] { try runner.write(name, try self.runner.read(name)) }
      let feed = try runner.start(
        ["feed"] + arguments + ["--speed", "max", "--listen", "127.0.0.1:0"], errors: "feed")
      try runner.wait(for: "gpsd://127.0.0.1:", in: "feed")
      let address = try #require(
        try runner.read("feed").firstMatch(of: /gpsd:\/\/127\.0\.0\.1:\d+/)?.output)
      let record = try runner.start(
        ["record", String(address), "--output", "heard", "--no-reconnect"], errors: "record")
      _ = try feed.finish()
      _ = try record.finish()
      let heard = try runner.read("heard").split(whereSeparator: \.isNewline)
        .filter { $0.contains(#""class":"TPV""#) }
      return heard.map { $0.firstMatch(of: /"status":(\d)/).map { String($0.1) } ?? "-" }
    }
    let all = try statuses(["gpsd.log", "--allow-simulated"])
    #expect(all == (0..<300).map { ["-", "3", "4", "5", "8"][$0 % 5] })
    let real = try statuses(["gpsd.log"])
    #expect(real == (0..<240).map { ["-", "3", "4", "5"][$0 % 4] })
    #expect(try statuses(["plain.csv"]) == ["-"])
  }

  @Test(
    "watch refuses simulated positions until they are allowed, and its recording replays to its log",
    arguments: [[], ["--allow-simulated"], ["--config", "boat.yaml"]])
  func watch(options: [String]) throws {
    let gpsd = try ScriptedGPSD()
    try runner.write(
      "boat.yaml", "sources: [{gpsd: \(gpsd.address), device: boat, allow-simulated: true}]\n")
    let sources = options.first == "--config" ? options : [gpsd.address] + options
    let watch = try runner.start(
      ["watch"] + sources + Self.engine
        + ["--output", "events", "--record", "trip.jsonl", "--status", "status"],
      errors: "errors")
    let client = try gpsd.client()
    for second in 0..<200 { client.say(Self.report(second, status: second < 120 ? 8 : 3)) }
    try runner.wait(
      for: #"{"type":"fix","device":"boat","time":"\#(Self.stamp(199))""#, in: "events")
    try runner.wait(for: #""solution":"rtk-fixed""#, in: "status")
    for second in 200..<210 { client.say(Self.report(second, status: 8)) }
    if options.isEmpty {
      try runner.wait(for: #"{"status":"ignoring","#, in: "status")
      try runner.wait(
        for: "ignoring fixes: the positions are simulated; --allow-simulated uses them",
        in: "errors")
    } else {
      try runner.wait(for: #""solution":"simulated""#, in: "status")
    }
    // Everything before it has been read when it is there.
    client.say(Self.report(210, status: nil))
    try runner.wait(
      for: #"{"type":"fix","device":"boat","time":"\#(Self.stamp(210))""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let log = try runner.read("events")
    let fixes = log.split(separator: "\n").count { $0.hasPrefix(#"{"type":"fix""#) }
    #expect(fixes == (options.isEmpty ? 81 : 211))
    #expect(log.contains(#""state":"ignoring""#) == options.isEmpty)
    let errors = try runner.read("errors")
    #expect(
      errors.contains("130 simulated positions not played; --allow-simulated uses them")
        == options.isEmpty, "\(errors)")
    #expect(try runner.waymark(["replay", "trip.jsonl"] + Self.engine).output == log)
  }

  @Test("doctor says that the positions are simulated, and what to do")
  func doctor() throws {
    let gpsd = try ScriptedGPSD()
    let output = Pipe()
    let doctor = try runner.start(["doctor", gpsd.address, "--wait", "1h"], output: output)
    let client = try gpsd.client()
    client.say(Self.report(0, status: 8))
    #expect(try doctor.finish().code == 0)
    let found = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(
      found.contains(
        "a receiver whose positions are simulated; use --allow-simulated, or allow-simulated: true "
      ),
      "\(found)")
  }
}
