import Foundation
import TestSupport
import Testing

/// Several sources in one watch.
@Suite("Several sources", .timeLimit(.minutes(90)))
struct SourcesTests {
  private let runner: CommandRunner
  private let van: ScriptedGPSD
  private let boat: ScriptedGPSD

  init() throws {
    runner = try CommandRunner()
    van = try ScriptedGPSD()
    boat = try ScriptedGPSD()
    try runner.write(
      "both.yaml",
      """
      sources:
        - {gpsd: \(van.address), device: van}
        - {gpsd: \(boat.address), device: boat}
      fences: [{id: gate, center: [0, 0], radius: 150 m}]
      """)
  }

  private static let kinds = ["fix", "enter", "exit", "state", "status"].flatMap {
    ["--include", $0]
  }

  private func watch(_ arguments: [String] = []) throws -> CommandRunner.Running {
    try runner.start(
      ["watch", "--config", "both.yaml", "--output", "events", "--format", "jsonl"] + Self.kinds
        + arguments, errors: "errors")
  }

  /// Both drive through the gate, a second of one and a second of the other.
  private func drive(
    _ clients: [ScriptedGPSD.Client], _ seconds: Range<Int>
  ) throws {
    for second in seconds { for client in clients { client.say(GateDrive.report(second)) } }
    try blockUntil("the last fixes in the log") {
      let fixes = ((try? runner.read("events")) ?? "").split(separator: "\n").filter {
        $0.hasPrefix(#"{"type":"fix""#)
      }
      return ["van", "boat"].allSatisfy { device in
        fixes.last { $0.contains("\"device\":\"\(device)\"") }.map {
          GateDrive.lastFix(String($0) + "\n") == seconds.upperBound - 1
        } ?? false
      }
    }
  }

  private func events(of device: String) throws -> [String] {
    try runner.read("events").split(separator: "\n").filter {
      $0.contains("\"device\":\"\(device)\"")
    }.map(String.init)
  }

  @Test("each source is a device; the recording of both replays to the log, byte for byte")
  func replay() throws {
    let watch = try watch(["--record", "trip.jsonl", "--status", "status"])
    let clients = [try van.client(), try boat.client()]
    try drive(clients, 0..<400)
    try runner.wait(for: #"{"sources":[{"status":"fix","device":"van","#, in: "status")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let log = try runner.read("events")
    for device in ["van", "boat"] {
      #expect(
        try events(of: device).filter { $0.contains(#""fence":"gate""#) }.count >= 2, "\(device)")
    }
    let replay = try runner.waymark(
      ["replay", "trip.jsonl", "--fence", "gate=0,0,150", "--format", "jsonl"] + Self.kinds)
    #expect(replay.code == 0)
    #expect(replay.output == log)
    let errors = try runner.read("errors")
    #expect(errors.contains("waymark: van: connected to gpsd 3.22 at \(van.address)\n"))
    #expect(errors.contains("waymark: boat: fix: "))
    #expect(errors.contains("2 devices, 800 fixes, 800 used"))
    let status = try JSONSerialization.jsonObject(with: Data(runner.read("status").utf8))
    let sources = (status as? [String: Any])?["sources"] as? [[String: Any]]
    #expect(sources?.map { $0["device"] as? String } == ["van", "boat"])
    #expect(sources?.map { $0["status"] as? String } == ["stopped", "stopped"])
    #expect(sources?.map { $0["source"] as? String } == [van.address, boat.address])
  }

  @Test("a source that hangs, one that is away and one that comes late delay no other")
  func hanging() throws {
    let watch = try watch()
    // The van's gpsd accepts and says nothing, the boat's reports.
    let client = try boat.client()
    for second in 0..<400 { client.say(GateDrive.report(second)) }
    try runner.wait(for: #""type":"exit""#, in: "events")
    #expect(try events(of: "van").isEmpty)
    let late = try van.client()
    for second in 0..<400 { late.say(GateDrive.report(second)) }
    try blockUntil("the van's exit") {
      ((try? events(of: "van")) ?? []).contains { $0.hasPrefix(#"{"type":"exit""#) }
    }
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
  }

  @Test("after kill -9 the state of every device goes on, and no event is lost or repeated")
  func kill() throws {
    func run(_ cuts: [Int]) throws -> [String: [String]] {
      let stand = try SourcesTests()
      for (from, to) in zip([0] + cuts, cuts + [400]) {
        let watch = try stand.watch(["--state", "state"])
        let clients = [try stand.van.client(), try stand.boat.client()]
        try stand.drive(clients, from..<to)
        watch.send(to == 400 ? SIGTERM : SIGKILL)
        #expect(try watch.finish().code == (to == 400 ? 0 : 128 + SIGKILL))
      }
      return try Dictionary(
        uniqueKeysWithValues: ["van", "boat"].map { device in
          (device, try stand.events(of: device).filter { !$0.contains(#""type":"status""#) })
        })
    }
    let whole = try run([])
    #expect(try run([57, 120, 301]) == whole)
  }

  @Test("a source that is gone, or new, or in another place keeps the state of the others")
  func changedSources() throws {
    let first = try watch(["--state", "state"])
    do {
      let clients = [try van.client(), try boat.client()]
      try drive(clients, 0..<120)
      first.send(SIGKILL)
      #expect(try first.finish().code == 128 + SIGKILL)
    }
    try van.dismissAll()
    try boat.dismissAll()
    let known = try events(of: "boat")
    let other = try ScriptedGPSD()
    try runner.write(
      "both.yaml",
      """
      sources:
        - {gpsd: \(boat.address), device: boat}
        - {gpsd: \(other.address), device: car}
      fences: [{id: gate, center: [0, 0], radius: 150 m}]
      """)
    let second = try watch(["--state", "state"])
    let client = try boat.client()
    for second in 120..<400 { client.say(GateDrive.report(second)) }
    try blockUntil("the boat's last fix") {
      GateDrive.lastFix(((try? events(of: "boat")) ?? []).joined(separator: "\n") + "\n") == 399
    }
    second.send(SIGTERM)
    #expect(try second.finish().code == 0)
    #expect(
      try runner.read("errors").contains(
        "waymark: the state of device 'van' is dropped: no source has its name\n"))
    let fresh = try SourcesTests()
    let undisturbed = try fresh.watch()
    let clients = [try fresh.van.client(), try fresh.boat.client()]
    try fresh.drive(clients, 0..<400)
    undisturbed.send(SIGTERM)
    #expect(try undisturbed.finish().code == 0)
    let (found, expected) = (try events(of: "boat"), try fresh.events(of: "boat"))
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "\(difference?.0 ?? "") against \(difference?.1 ?? "")")
    #expect(found.count == expected.count)
    #expect(try events(of: "boat").starts(with: known))
  }

  @Test("record takes both in one file, which replays as two devices")
  func record() throws {
    let record = try runner.start(
      ["record", "--config", "both.yaml", "--output", "trip.jsonl"], errors: "errors")
    let clients = [try van.client(), try boat.client()]
    for second in 0..<400 { for client in clients { client.say(GateDrive.report(second)) } }
    try blockUntil("both in the file") {
      ((try? runner.read("trip.jsonl")) ?? "").components(separatedBy: #"{"class":"TPV""#).count
        == 801
    }
    record.send(SIGTERM)
    #expect(try record.finish().code == 0)
    let replay = try runner.waymark([
      "replay", "trip.jsonl", "--fence", "gate=0,0,150", "--format", "jsonl",
    ])
    #expect(replay.code == 0)
    for device in ["van", "boat"] {
      #expect(replay.output.contains("{\"type\":\"exit\""))
      #expect(replay.output.contains("\"device\":\"\(device)\""))
    }
  }

  @Test("with --no-reconnect watch ends, with 69, when the last source is gone")
  func unavailable() throws {
    let watch = try watch(["--no-reconnect"])
    var clients = [try van.client()]
    do { _ = try boat.client() }
    try runner.wait(for: "boat: \(boat.address) is unavailable", in: "errors")
    clients[0].say(GateDrive.report(0))
    try runner.wait(for: #""device":"van""#, in: "events")
    clients.removeAll()
    #expect(try watch.finish().code == 69)
  }

  @Test(
    "what does not go together is a usage error",
    arguments: [
      (["gpsd://a", "gpsd://a:2947"], "gpsd://a:2947 is named twice"),
      (["gpsd://a", "gpsd://b", "--device", "van"], "'van' names one device, but there are 2"),
      (
        ["gpsd://a", "gpsd://b", "--fence", "anchor=here,40m"],
        "the fence 'anchor' has center: here, which is where one device is, but there are 2 sources"
      ),
    ])
  func usage(arguments: [String], message: String) throws {
    let outcome = try runner.waymark(["watch"] + arguments)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }
}
