import Foundation
import TestSupport
import Testing

@Suite("watch", .timeLimit(.minutes(90)))
struct WatchTests {
  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
  }

  /// A report on the equator, `second` seconds after eight.
  private static func report(_ second: Int, longitude: Double) -> String {
    let stamp = String(format: "2025-03-10T08:%02d:%02d.000Z", second / 60, second % 60)
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp)","lat":0.0,"#
      + #""lon":\#(longitude),"altMSL":34.0,"eph":9.5,"speed":11.1,"track":90.0}"#
  }

  private func watch(_ arguments: [String], errors: String = "errors") throws
    -> CommandRunner.Running
  {
    try runner.start(
      ["watch", gpsd.address, "--output", "events", "--format", "jsonl"] + arguments,
      errors: errors)
  }

  private func drive(_ client: ScriptedGPSD.Client, _ seconds: Range<Int>) {
    for second in seconds {
      client.say(Self.report(second, longitude: Double(second - 60) * 1e-4))
    }
  }

  /// The kinds of the events that name a fence.
  private func types(_ file: String = "events") throws -> [String] {
    try runner.read(file).split(separator: "\n").filter { $0.contains(#""fence":"#) }.map {
      $0.components(separatedBy: "\"")[3]
    }
  }

  @Test("a drive through a fence, until a signal", arguments: [SIGINT, SIGTERM])
  func drive(_ signal: Int32) throws {
    let watch = try watch(["--fence", "gate=0,0,80", "--device", "van", "--status", "status"])
    let client = try gpsd.client()
    drive(client, 0..<120)
    try runner.wait(for: #""type":"exit""#, in: "events")
    try runner.wait(for: #"{"status":"fix","device":"van","#, in: "status")
    watch.send(signal)
    #expect(try watch.finish().code == 0)
    #expect(try runner.read("status").hasPrefix(#"{"status":"stopped","device":"van","#))
    #expect(try types() == ["state", "enter", "exit"])
    let errors = try runner.read("errors")
    #expect(errors.contains("waymark: connected to gpsd 3.22 at \(gpsd.address)\n"))
    #expect(errors.contains("waymark: fix: 2025-03-10 08:0"))
    #expect(errors.contains("1 device, 120 fixes, 120 used"))
  }

  @Test("replay of the same lines gives the live events")
  func replay() throws {
    let watch = try watch(["--fence", "gate=0,0,80", "--device", "van"])
    let client = try gpsd.client()
    drive(client, 0..<120)
    try runner.wait(for: #""type":"exit""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let lines = (0..<120).map { Self.report($0, longitude: Double($0 - 60) * 1e-4) }
    try runner.write("van.jsonl", lines.joined(separator: "\n") + "\n")
    let replay = try runner.waymark([
      "replay", "van.jsonl", "--fence", "gate=0,0,80", "--device", "van", "--format", "jsonl",
    ])
    #expect(replay.code == 0)
    #expect(replay.output == (try runner.read("events")))
  }

  @Test("a recording of watch replays to its events, with the device, also over a restart of gpsd")
  func recordAndReplay() throws {
    let watch = try watch([
      "--fence", "gate=0,0,80", "--device", "van", "--record", "trip.jsonl", "--include", "fix",
      "--include", "enter", "--include", "exit", "--include", "state",
    ])
    for part in [0..<60, 61..<120] {
      let client = try gpsd.client()
      drive(client, part)
      client.say("{\"class\":\"TPV\",")
      try runner.wait(
        for: String(format: "08:%02d:%02d", (part.upperBound - 1) / 60, (part.upperBound - 1) % 60),
        in: "events")
    }
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let replay = try runner.waymark([
      "replay", "trip.jsonl", "--fence", "gate=0,0,80", "--format", "jsonl", "--include", "fix",
      "--include", "enter", "--include", "exit", "--include", "state",
    ])
    #expect(replay.code == 65)
    #expect(replay.errors.contains("trip.jsonl:"))
    #expect(replay.output == (try runner.read("events")))
    #expect(replay.output.contains(#"{"type":"exit""#))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: runner.folder.appendingPathComponent("trip.jsonl").path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test("a loss of gpsd and its return are events, which the recording replays")
  func statusEvents() throws {
    let watch = try watch(["--fence", "gate=0,0,80", "--device", "van", "--record", "trip.jsonl"])
    var client: ScriptedGPSD.Client? = try gpsd.client()
    if let client { drive(client, 0..<30) }
    try runner.wait(for: #""type":"state""#, in: "events")
    client = nil
    try runner.wait(for: #""state":"lost""#, in: "events")
    client = try gpsd.client()
    if let client { drive(client, 31..<120) }
    try runner.wait(for: #""type":"exit""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let events = try runner.read("events")
    let replay = ["replay", "trip.jsonl", "--fence", "gate=0,0,80", "--format", "jsonl"]
    #expect(try runner.waymark(replay + ["--with-status"]).output == events)
    #expect(events.contains(#""state":"fix","duration":2.000}"#))
    let quiet = try runner.waymark(replay).output
    #expect(quiet.contains(#""type":"exit""#) && !quiet.contains(#""type":"status""#))
  }

  @Test("watch follows a gpsd that restarts, and keeps its state")
  func restart() throws {
    let watch = try watch(["--fence", "gate=0,0,80", "--device", "van"])
    var client: ScriptedGPSD.Client? = try gpsd.client()
    if let client { drive(client, 0..<60) }
    try runner.wait(for: #""type":"enter""#, in: "events")
    client = nil
    try runner.wait(for: "gpsd closed the connection", in: "errors")
    client = try gpsd.client()
    if let client { drive(client, 61..<120) }
    try runner.wait(for: #""type":"exit""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    #expect(try types() == ["state", "enter", "exit"])
  }

  @Test("with --no-reconnect the end of gpsd ends watch, with code 69")
  func unavailable() throws {
    let watch = try watch(["--no-reconnect", "--fence", "gate=0,0,80"])
    do { drive(try gpsd.client(), 0..<5) }
    #expect(try watch.finish().code == 69)
    #expect(try runner.read("errors").contains("gpsd closed the connection"))
    // What came before is reported.
    #expect(try types() == ["state"])
    let refused = try runner.waymark(["watch", "gpsd://127.0.0.1:1", "--no-reconnect"])
    #expect(refused.code == 69)
    #expect(refused.errors.contains("connection refused"))
  }

  @Test("the events go to standard output as -")
  func standardOutput() throws {
    let arguments = ["watch", "gpsd://127.0.0.1:1", "--no-reconnect", "--format", "csv"]
    let outcome = try runner.waymark(arguments + ["--output", "-"])
    #expect(outcome.output.hasPrefix("type,") && !runner.exists("-"))
    // A loss before any time is known has an id of its own in each run.
    let other = try runner.waymark(arguments).output
    #expect(other != outcome.output)
    let id = /,[0-9a-f]{16},/
    #expect(other.replacing(id, with: ",,") == outcome.output.replacing(id, with: ",,"))
  }

  @Test("SIGHUP reloads the config: an unchanged fence keeps its state, a new one is watched")
  func reload() throws {
    func config(_ fences: String) -> String { "device: van\nfences:\n\(fences)" }
    let gate = "  - {id: gate, center: [0, 0], radius: 80 m}\n"
    try runner.write("waymark.yaml", config(gate))
    let watch = try watch(["--config", "waymark.yaml"])
    let client = try gpsd.client()
    drive(client, 0..<60)
    try runner.wait(for: #""type":"enter""#, in: "events")
    try runner.write(
      "waymark.yaml", config(gate + "  - {id: yard, center: [0, 0], radius: 300 m}\n"))
    watch.send(SIGHUP)
    try runner.wait(for: "configuration reloaded: 2 fences", in: "errors")
    drive(client, 60..<120)
    try runner.wait(for: #""fence":"yard""#, in: "events")
    try runner.wait(for: #""type":"exit""#, in: "events")
    // The device keeps its name until the next start.
    #expect(!(try runner.read("errors").contains("need a restart")))
    try runner.write(
      "waymark.yaml", config(gate) + "geocoder: {provider: gazetteer}\n")
    watch.send(SIGHUP)
    let changes =
      "waymark: changes of device, sources, store, deliver, geocoder, tiles and time-zone need a "
      + "restart\n"
    try runner.wait(for: changes, in: "errors")
    try runner.write("waymark.yaml", "device: boat\nfences:\n\(gate)")
    watch.send(SIGHUP)
    try blockUntil("two notices of changes") {
      ((try? runner.read("errors")) ?? "").components(separatedBy: changes).count == 3
    }
    try runner.write("waymark.yaml", "fences: [{id: gate}]\n")
    watch.send(SIGHUP)
    try runner.wait(for: "keeping the previous configuration", in: "errors")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let states = try runner.read("events").split(separator: "\n").filter {
      $0.contains(#""type":"state""#)
    }
    #expect(states.count == 2)
  }

  @Test("SIGHUP on a terminal ends watch as SIGTERM does, unless it is to reload")
  func hangUp() throws {
    let terminal = try PseudoTerminal()
    let arguments = ["watch", gpsd.address, "--fence", "gate=0,0,80", "--status", "status"]
    let watch = try runner.start(arguments, input: terminal.terminal)
    let client = try gpsd.client()
    drive(client, 0..<3)
    try runner.wait(for: #""used":3,"#, in: "status")
    watch.send(SIGHUP)
    let end = try watch.finish()
    #expect(end.code == 0 && end.errors.contains("3 used") && !end.errors.contains("reloaded"))
    let reloading = try runner.start(
      arguments + ["--reload-on-hangup"], errors: "errors", input: terminal.terminal)
    drive(try gpsd.client(), 0..<3)
    try runner.wait(for: #""used":3,"#, in: "status")
    reloading.send(SIGHUP)
    try runner.wait(for: "configuration reloaded: 1 fence", in: "errors")
    reloading.send(SIGTERM)
    #expect(try reloading.finish().code == 0)
  }

  @Test("a rotated output is reopened on SIGHUP")
  func rotatedOutput() throws {
    let watch = try watch(["--fence", "gate=0,0,80"])
    let client = try gpsd.client()
    drive(client, 0..<60)
    try runner.wait(for: #""type":"enter""#, in: "events")
    let events = runner.folder.appendingPathComponent("events")
    try FileManager.default.moveItem(at: events, to: events.appendingPathExtension("1"))
    watch.send(SIGHUP)
    try blockUntil("the new file of events") { runner.exists("events") }
    drive(client, 60..<120)
    try runner.wait(for: #""type":"exit""#, in: "events")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    #expect(try types("events.1") == ["state", "enter"])
  }

  @Test("two watches cannot share one state")
  func sharedState() throws {
    let first = try watch(["--state", "state"])
    let client = try gpsd.client()
    let second = try runner.waymark(["watch", gpsd.address, "--state", "state"])
    #expect(second.code == 74)
    #expect(second.errors.contains("state: in use by another waymark"))
    first.send(SIGTERM)
    #expect(try first.finish().code == 0)
    withExtendedLifetime(client) {}
  }

  @Test("invalid options and files are reported before anything is done")
  func usage() throws {
    let address = try runner.waymark(["watch", "localhost:2947"])
    #expect(address.code == 64)
    #expect(address.errors.contains("did you mean 'gpsd://localhost:2947'?"))
    for seconds in ["0", "soon", "100000", "nan"] {
      for command in [["watch"], ["record", "-o", "trip.jsonl"]] {
        let silence = try runner.waymark(command + ["--silence", seconds])
        #expect(silence.code == 64)
        #expect(silence.errors.contains("found '\(seconds)', expected seconds, 0.1 to 86400"))
      }
    }
    let folder = try runner.waymark(["watch", "--state", "none/state"])
    #expect(folder.code == 74)
    #expect(folder.errors.contains("none/state: cannot save the state: no such file or directory"))
    let record = try runner.waymark(["watch", "--record", "none/trip.jsonl"])
    #expect(record.code == 74)
    #expect(record.errors.contains("none/trip.jsonl"))
    try runner.write("notes.txt", "notes\n")
    for command in [["watch", "--record"], ["record", "-o"]] {
      let foreign = try runner.waymark(command + ["notes.txt"])
      #expect(foreign.code == 65)
      #expect(foreign.errors.contains("notes.txt: not a recording, so it is left as it is"))
    }
    #expect(try runner.read("notes.txt") == "notes\n")
    let rotate = try runner.waymark(["watch", "--rotate", "day"])
    #expect(rotate.code == 64)
    #expect(rotate.errors.contains("--rotate is for a recording; name its file with --record"))
    let output = try runner.waymark(["watch", "--output", "none/events"])
    #expect(output.code == 74)
    #expect(output.errors.contains("none/events: cannot be written: no such file or directory"))
  }

  @Test(
    "two options that write one file are refused",
    arguments: [
      ["--output", "x", "--record", "x"], ["--output", "./b", "--status", "b"],
      ["--config", "c", "--status", "./c"], ["--output", "./q.journal", "--state", "q"],
      ["--state", "q", "--status", "q.new"], ["--record", "link", "--status", "target"],
    ])
  func sharedFile(_ options: [String]) throws {
    let config = "device: van\n"
    try runner.write("c", config)
    _ = try runner.shell("ln -s target link")
    let outcome = try runner.waymark(["watch"] + options)
    #expect(outcome.code == 64)
    for option in [options[0], options[2], "both use", "name another file"] {
      #expect(outcome.errors.contains(option))
    }
    #expect(try runner.read("c") == config)
    #expect(!runner.exists("x") && !runner.exists("b") && !runner.exists("q"))
    let record = try runner.waymark(["record", "--config", "c", "--output", "./c"])
    #expect(record.code == 64)
    #expect(record.errors.contains("--config and --output both use './c'"))
    let pipe = try runner.waymark(["pipe", "--config", "c", "--state", "./c"])
    #expect(pipe.code == 64)
    #expect(pipe.errors.contains("--config and --state both use './c'"))
  }
}
