import Foundation
import TestSupport
import Testing

/// A gpsd and a folder that give `watch` and `record` trouble.
@Suite("watch and record in trouble", .timeLimit(.minutes(90)))
struct LiveTroubleTests {
  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
  }

  private static let engine = [
    "--fence", "gate=0,0,80", "--device", "van", "--format", "jsonl", "--include", "fix",
    "--include", "state", "--include", "enter", "--include", "exit",
  ]

  /// A report on the equator, `second` seconds after eight.
  private static func report(_ second: Int, mode: Int = 3) -> String {
    let stamp = String(
      format: "2025-03-10T%02d:%02d:%02d.000Z", 8 + second / 3_600, second / 60 % 60, second % 60)
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":\#(mode),"time":"\#(stamp)","lat":0.0,"#
      + #""lon":\#(Double(second - 60) * 1e-4),"altMSL":34.0,"eph":9.5,"speed":11.1,"track":90.0}"#
  }

  private func start(
    _ arguments: [String], errors: String = "errors", output: Pipe? = nil
  ) throws -> CommandRunner.Running {
    try runner.start(arguments, errors: errors, output: output)
  }

  /// What replay says of the reports of these seconds.
  private func replay(_ seconds: Range<Int>) throws -> String {
    let lines = seconds.map { Self.report($0) + "\n" }
    try runner.write("van.jsonl", lines.joined())
    return try runner.waymark(["replay", "van.jsonl"] + Self.engine).output
  }

  private func size(_ file: String) throws -> Int { try runner.read(file).utf8.count }

  @Test("a full disk for the events loses none of them, and is reported")
  func fullOutput() throws {
    let watch = try start(["watch", gpsd.address, "--output", "events"] + Self.engine)
    let client = try gpsd.client()
    for second in 0..<20 { client.say(Self.report(second)) }
    try runner.wait(for: "08:00:19.000Z", in: "events")
    // The last event that fits is cut.
    try watch.limitFiles(to: try size("events") + 50)
    for second in 20..<120 { client.say(Self.report(second)) }
    try runner.wait(
      for: "events: cannot write events: file too large; they are buffered", in: "errors")
    try watch.limitFiles(to: nil)
    try runner.wait(for: "events: writing events again", in: "errors")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    #expect(try runner.read("events") == (try replay(0..<120)))
  }

  @Test("a full disk for the state is reported at once, and the state is saved again after it")
  func fullState() throws {
    let arguments = ["watch", gpsd.address, "--output", "events", "--state", "state"] + Self.engine
    let first = try start(arguments)
    var client = try gpsd.client()
    for second in 0..<100 { client.say(Self.report(second)) }
    try runner.wait(for: "08:01:39.000Z", in: "events")
    // The journal and the events are longer than that.
    try first.limitFiles(to: 4_000)
    for second in 100..<105 { client.say(Self.report(second)) }
    try runner.wait(for: "state: cannot save the state: file too large", in: "errors")
    try first.limitFiles(to: nil)
    try runner.wait(for: "08:01:44.000Z", in: "events")
    first.send(SIGHUP)
    try runner.wait(for: "saving the state again", in: "errors")
    first.send(SIGKILL)
    #expect(try first.finish().code == 128 + SIGKILL)
    let second = try start(arguments, errors: "errors.2")
    client = try gpsd.client()
    for second in 105..<120 { client.say(Self.report(second)) }
    try runner.wait(for: "08:01:59.000Z", in: "events")
    second.send(SIGTERM)
    #expect(try second.finish().code == 0)
    #expect(try runner.read("events") == (try replay(0..<120)))
  }

  @Test("a state that cannot be saved at the end is exit code 74")
  func unsavedState() throws {
    let watch = try start(["watch", gpsd.address, "--state", "state"] + Self.engine)
    let client = try gpsd.client()
    for second in 0..<20 { client.say(Self.report(second)) }
    try blockUntil("a long journal") { try size("state.journal") > 2_000 }
    // Longer than the messages, shorter than the journal.
    try watch.limitFiles(to: 1_000)
    for second in 20..<30 { client.say(Self.report(second)) }
    try runner.wait(for: "state: cannot save the state: file too large", in: "errors")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 74)
  }

  @Test("a full disk for the recording loses only lines that are counted")
  func fullRecording() throws {
    let record = try start(
      ["record", gpsd.address, "--output", "trip.jsonl", "--device", "van"])
    let client = try gpsd.client()
    for second in 0..<20 { client.say(Self.report(second)) }
    try runner.wait(for: Self.report(19), in: "trip.jsonl")
    try record.limitFiles(to: try size("trip.jsonl") + 100)
    for second in 20..<40 { client.say(Self.report(second)) }
    try runner.wait(for: "lines are lost until writing succeeds", in: "errors")
    try record.limitFiles(to: nil)
    for second in 40..<60 { client.say(Self.report(second)) }
    try runner.wait(for: Self.report(59), in: "trip.jsonl")
    record.send(SIGTERM)
    #expect(try record.finish().code == 74)
    let lines = try runner.read("trip.jsonl").split(whereSeparator: \.isNewline)
    let gaps = lines.compactMap { $0.wholeMatch(of: /\{"class":"WAYMARK","lost":(\d+)\}/)?.1 }
    let lost = gaps.compactMap { Int($0) }.reduce(0, +)
    #expect(lost > 0)
    let reports = lines.filter { $0.contains(#""class":"TPV""#) }.map(String.init)
    #expect(reports.count + lost == 60)
    let all = (0..<60).map { Self.report($0) }
    #expect(reports == all.filter(Set(reports).contains))
    #expect(try runner.read("errors").contains("writing again; \(lost) lines were lost"))
  }

  @Test("a reader that stalls stops nothing, and dropped events are reported")
  func slowReader() throws {
    let pipe = Pipe()
    let watch = try start(
      ["watch", gpsd.address, "--status", "status"] + Self.engine, output: pipe)
    try pipe.fileHandleForWriting.close()
    let client = try gpsd.client()
    let count = 40_000
    for second in 0..<count { client.say(Self.report(second)) }
    try runner.wait(for: "dropping events: too many wait", in: "errors")
    // All of it was read when this is known.
    client.say(Self.report(count, mode: 1))
    try runner.wait(for: #"{"status":"no-fix""#, in: "status")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 74)
    let errors = try runner.read("errors")
    let dropped = try #require(errors.firstMatch(of: /: (\d+) events were dropped/)?.1)
    let unwritten = try #require(errors.firstMatch(of: /: (\d+) events could not be written/)?.1)
    let taken = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let whole = taken.count { $0 == "\n" }
    // A fix for each report, and the fence's state, enter and exit.
    #expect(whole + (Int(dropped) ?? 0) + (Int(unwritten) ?? 0) == count + 1 + 3)
    #expect(errors.contains("\(count + 1) fixes, \(count) used"))
  }

  @Test("split, long and invalid lines, and a reset, lose no complete line")
  func rough() throws {
    let watch = try start(["watch", gpsd.address, "--output", "events"] + Self.engine)
    var client: ScriptedGPSD.Client? = try gpsd.client()
    for second in 0..<60 {
      let line = Self.report(second)
      switch second % 4 {
      case 0:
        client?.send(String(line.prefix(second)))
        client?.send(line.dropFirst(second) + "\r\n")
      case 1:
        client?.say(line.dropLast() + #","x":""# + String(repeating: "x", count: 20_000) + #""}"#)
      case 2:
        client?.say("\u{1}\u{2}junk")
        client?.say(line)
      default: client?.say(line)
      }
    }
    try runner.wait(for: "08:00:59.000Z", in: "events")
    client?.breakOff()
    client = nil
    try runner.wait(for: " is unavailable: ", in: "errors")
    client = try gpsd.client()
    for second in 60..<120 { client?.say(Self.report(second)) }
    try runner.wait(for: "08:01:59.000Z", in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    #expect(try runner.read("events") == (try replay(0..<120)))
    #expect(try runner.read("errors").contains(#"6 bytes that are no text ("??junk")"#))
  }
}
