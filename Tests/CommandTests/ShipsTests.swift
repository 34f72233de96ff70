import Foundation
import TestSupport
import Testing

/// Ships that a gpsd reports by AIS, as devices of `watch` and `replay`.
@Suite("Ships that gpsd reports", .timeLimit(.minutes(90)))
struct ShipsTests {
  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
    try write("ais: true")
  }

  private func write(_ ais: String) throws {
    try runner.write(
      "harbour.yaml",
      """
      sources:
        - {gpsd: \(gpsd.address), device: boat, \(ais)}
      fences: [{id: gate, center: [0, 0], radius: 150 m, notify: [enter, exit, dwell], dwell: 5 min}]
      """)
  }

  private static let kinds = ["fix", "enter", "exit", "dwell", "state", "visit"].flatMap {
    ["--include", $0]
  }

  private func watch(_ number: Int, _ arguments: [String] = []) throws -> CommandRunner.Running {
    try runner.start(
      [
        "watch", "--config", "harbour.yaml", "--output", "events", "--format", "jsonl", "--record",
        "trip.jsonl", "--status", "status",
      ] + Self.kinds + arguments, errors: "errors\(number)")
  }

  private func replay(_ file: String, _ arguments: [String] = []) throws -> CommandRunner.Outcome {
    try runner.waymark(
      ["replay", file, "--config", "harbour.yaml", "--format", "jsonl"] + Self.kinds + arguments)
  }

  /// What the gpsd says in a second: the boat, and the ships around it.
  ///
  /// One of class A goes through the gate as the boat does, one of class B comes and stays, and one is heard by
  /// two stations.
  private static func lines(_ second: Int, isScaled: Bool) -> [String] {
    var lines = [GateDrive.report(second)]
    func add(_ type: Int, _ mmsi: Int, _ longitude: Double, _ change: (inout ShipMessage) -> Void) {
      var message = ShipMessage(type, mmsi: mmsi, isScaled: isScaled)
      (message.latitude, message.longitude, message.second) = (0.000_1, longitude, second % 60)
      change(&message)
      lines.append(message.line)
    }
    let phase = Double((second + 100) % 600)
    let through = ((phase < 300 ? phase : 600 - phase) / 300 - 0.5) * 0.02
    if second % 10 == 3 {
      add(second % 3 + 1, 211_000_001, through) { ($0.speed, $0.isPrecise) = (14.4, true) }
    }
    if second % 30 == 7 {
      add(18, 211_000_002, min(0, Double(second) / 200 * 0.01 - 0.01)) { $0.second = 60 }
    }
    if second % 20 == 11 {
      add(19, 211_000_003, -through) { $0.name = "SEA GULL" }
      lines.append(lines[lines.count - 1].replacing("/dev/ttyAIS", with: "udp://0.0.0.0:4000"))
    }
    if second % 50 == 13 { add(5, 211_000_001, 0) { $0.name = "ELBE FERRY" } }
    if second % 60 == 17 { add(27, 211_000_004, 0.5) { _ in } }
    return lines
  }

  private func say(_ seconds: Range<Int>, isScaled: Bool, to client: ScriptedGPSD.Client) throws {
    for second in seconds {
      for line in Self.lines(second, isScaled: isScaled) { client.say(line) }
    }
    let last = GateDrive.start + Double(seconds.upperBound - 1)
    let stamp = Date(timeIntervalSince1970: last).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    try runner.wait(for: #"{"type":"fix","device":"boat","time":"\#(stamp)""#, in: "events")
  }

  @Test(
    "each ship is a device, and the recording and gpsd's own log replay to the log, byte for byte",
    arguments: [false, true])
  func replays(isScaled: Bool) throws {
    let watch = try watch(0)
    let client = try gpsd.client()
    try say(0..<700, isScaled: isScaled, to: client)
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let log = try runner.read("events")
    let events = log.split(separator: "\n").filter { !$0.hasPrefix(#"{"type":"fix""#) }
    func kinds(_ device: String) -> [Substring] {
      events.filter { $0.contains("\"device\":\"\(device)\"") && $0.contains(#""fence":"gate""#) }
        .compactMap { $0.firstMatch(of: /"type":"(\w+)"/)?.1 }
    }
    #expect(kinds("boat") == ["state", "enter", "exit", "enter", "exit"])
    #expect(kinds("ship-211000001").starts(with: ["state", "enter", "exit"]))
    #expect(kinds("ship-211000002") == ["state", "enter", "dwell"])
    #expect(kinds("ship-211000003").starts(with: ["state", "enter", "exit"]))
    #expect(kinds("ship-211000004") == ["state"])
    for threads in ["1", "3"] {
      #expect(try replay("trip.jsonl", ["--threads", threads]).output == log)
    }
    // What a program that knows nothing of ships has recorded.
    let own = try runner.read("trip.jsonl").split(separator: "\n")
      .filter { !$0.contains(#""class":"WAYMARK""#) }.joined(separator: "\n")
    try runner.write("gpsd.log", own + "\n")
    #expect(try replay("gpsd.log", ["--ais", "--device", "boat"]).output == log)
    let without = try replay("gpsd.log", ["--device", "boat"])
    #expect(without.code == 0 && !without.output.contains("ship-"))
    #expect(try runner.read("errors0").contains("dropped 35 fixes: same time and place"))
  }

  @Test("kill -9 loses and repeats nothing, and ships go on where they were")
  func kill() throws {
    func run(_ cuts: [Int]) throws -> String {
      let stand = try ShipsTests()
      for (number, (from, to)) in zip([0] + cuts, cuts + [400]).enumerated() {
        let watch = try stand.watch(number, ["--state", "state"])
        let client = try stand.gpsd.client()
        try stand.say(from..<to, isScaled: false, to: client)
        watch.send(to == 400 ? SIGTERM : SIGKILL)
        #expect(try watch.finish().code == (to == 400 ? 0 : 128 + SIGKILL))
      }
      let log = try stand.runner.read("events")
      #expect(try stand.replay("trip.jsonl").output == log)
      return log
    }
    #expect(try run([95, 160, 333]) == run([]))
  }

  @Test("a state with ships that is resumed without them says so in one line")
  func withoutShips() throws {
    let first = try watch(0, ["--state", "state"])
    let client = try gpsd.client()
    try say(0..<80, isScaled: false, to: client)
    first.send(SIGTERM)
    #expect(try first.finish().code == 0)
    try write("ais: false")
    let second = try watch(1, ["--state", "state"])
    let next = try gpsd.client()
    try say(80..<90, isScaled: false, to: next)
    second.send(SIGTERM)
    #expect(try second.finish().code == 0)
    let errors = try runner.read("errors1")
    #expect(
      errors.contains(
        "waymark: the states of 4 devices, such as 'ship-211000001', are dropped: no source has their "
          + "names; --ais watches ships\n"), "\(errors)")
    #expect(errors.components(separatedBy: "dropped: no source").count == 2)
  }

  @Test("beyond the most, the ship heard least recently is forgotten and counted, and it replays")
  func forgotten() throws {
    try write("ais: true, most: 2")
    let watch = try watch(0)
    let client = try gpsd.client()
    for (minute, number) in [1, 2, 1, 3, 2, 1, 1, 3].enumerated() {
      client.say(GateDrive.report(60 * minute))
      var message = ShipMessage(3, mmsi: 211_000_000 + number)
      (message.latitude, message.longitude, message.second) = (0, 0.000_1, 1)
      client.say(message.line)
    }
    try say(480..<481, isScaled: false, to: client)
    try runner.wait(for: #""forgotten":4"#, in: "status")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let log = try runner.read("events")
    #expect(try replay("trip.jsonl").output == log)
    let states = log.split(separator: "\n").filter { $0.hasPrefix(#"{"type":"state""#) }
      .compactMap { $0.firstMatch(of: /"device":"ship-21100000(\d)"/)?.1 }
    // The third one has 2's place, the fourth 1's, the fifth 3's, the sixth 2's.
    #expect(states == ["1", "2", "3", "2", "1", "3"])
    let message = "waymark: ship-211000002 is forgotten: there are more than 2 devices\n"
    #expect(try runner.read("errors0").contains(message))
  }

  @Test("the status has the names of ships, and how many there are; bad lines are reported")
  func status() throws {
    let watch = try watch(0)
    let client = try gpsd.client()
    client.say(#"{"class":"AIS","device":"/dev/ttyAIS","type":1,"mmsi":0,"scaled":false}"#)
    try say(0..<80, isScaled: false, to: client)
    try runner.wait(
      for: #"{"status":"fix","device":"ship-211000001","name":"ELBE FERRY","source":"gpsd://"#,
      in: "status")
    try runner.wait(for: #""devices":4,"messages":"#, in: "status")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let errors = try runner.read("errors0")
    #expect(errors.contains("mmsi is 0, expected 1 to 999999999"))
    #expect(errors.contains("1 problem in the input"))
    #expect(errors.contains("5 devices, "))
  }

  @Test("feed plays a recording with ships to watch, which reports what replay does")
  func feed() throws {
    var log: [String] = []
    for second in 0..<200 { log += Self.lines(second, isScaled: true) }
    try runner.write("gpsd.log", log.joined(separator: "\n") + "\n")
    let feed = try runner.start(
      ["feed", "gpsd.log", "--verbatim", "--speed", "max", "--listen", "127.0.0.1:0"],
      errors: "feed")
    try runner.wait(for: "gpsd://127.0.0.1:", in: "feed")
    let address = try #require(
      try runner.read("feed").firstMatch(of: /gpsd:\/\/127\.0\.0\.1:\d+/)?.output)
    let watch = try runner.start(
      ["watch", String(address), "--ais", "--device", "boat", "--fence", "gate=0,0,150"]
        + ["--output", "events", "--format", "jsonl"] + Self.kinds, errors: "errors")
    let stamp = Date(timeIntervalSince1970: GateDrive.start + 199).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    try runner.wait(for: #"{"type":"fix","device":"boat","time":"\#(stamp)""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    feed.send(SIGTERM)
    _ = try feed.finish()
    let replay = try runner.waymark(
      ["replay", "gpsd.log", "--ais", "--device", "boat", "--fence", "gate=0,0,150"]
        + ["--format", "jsonl"] + Self.kinds)
    #expect(try runner.read("events") == replay.output)
    #expect(replay.output.contains(#""device":"ship-211000001""#))
  }

  @Test("anchors and the name of a ship are refused")
  func limits() throws {
    let anchor = try runner.waymark("watch --ais --fence anchor=here,40m".words)
    #expect(anchor.code == 64 && anchor.errors.contains("but its ships are several"))
    let name = try runner.waymark("watch --ais --device ship-211234560".words)
    #expect(name.code == 64)
    #expect(name.errors.contains("'ship-211234560' is the device of a ship that reports by AIS"))
  }
}
