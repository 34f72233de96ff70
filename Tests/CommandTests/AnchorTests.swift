import Foundation
import TestSupport
import Testing

@Suite("anchor", .timeLimit(.minutes(90)))
struct AnchorTests {
  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
  }

  /// A boat at so many metres to the east of 0.5, 0.
  private func lie(
    _ client: ScriptedGPSD.Client, _ seconds: Range<Int>, at metres: (Int) -> Double = { _ in 0 }
  ) {
    for second in seconds {
      let stamp = String(format: "2025-03-10T08:%02d:%02d.000Z", second / 60, second % 60)
      client.say(
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp)","lat":0.5,"#
          + #""lon":\#(metres(second) / 111_319.49),"altMSL":1.0,"eph":5.0,"speed":0.2}"#)
    }
  }

  private func watch(_ arguments: [String] = []) throws -> CommandRunner.Running {
    try runner.start(
      [
        "watch", gpsd.address, "--fence", "anchor=here,40m", "--device", "boat", "--output",
        "events",
        "--format", "jsonl", "--state", "boat.state", "--record", "trip.jsonl",
      ] + arguments, errors: "errors")
  }

  private func types() throws -> [String] {
    try runner.read("events").split(separator: "\n").filter { $0.contains(#""fence":"anchor""#) }
      .map { $0.components(separatedBy: "\"")[3] }
  }

  @Test(
    "the first fixes set it, commands and SIGUSR1 change it, and the recording replays all of it")
  func commands() throws {
    let watch = try watch()
    let client = try gpsd.client()
    lie(client, 0..<40)
    try runner.wait(
      for: "waymark: anchor: set: 0.5000000,0.0000000, radius 40 m, from 31 fixes\n", in: "errors")
    try runner.wait(for: #""type":"state""#, in: "events")
    let moved = try runner.waymark([
      "anchor", "move", "--state", "boat.state", "--bearing", "90", "--distance", "200m",
    ])
    #expect(
      moved
        == CommandRunner.Outcome(
          output: "anchor: moved: 0.5000000,0.0017967, radius 40 m\n", errors: "", code: 0))
    lie(client, 40..<80)
    try runner.wait(for: #""state":"outside""#, in: "events")
    watch.send(SIGUSR1)
    try runner.wait(for: "waymark: anchor: is being set", in: "errors")
    lie(client, 80..<130)
    try runner.wait(for: "place it\nwaymark: anchor: set: 0.5", in: "errors")
    lie(client, 130..<330) { 0.4 * Double($0 - 130) }
    try runner.wait(for: #""type":"exit""#, in: "events")
    let unknown = try runner.waymark(["anchor", "up", "--state", "boat.state", "--fence", "home"])
    #expect(unknown.code == 65)
    #expect(
      unknown.errors == "waymark: this watch has no fence 'home' with center: here\n")
    let up = try runner.waymark(["anchor", "up", "--state", "boat.state"])
    #expect(up == CommandRunner.Outcome(output: "anchor: up\n", errors: "", code: 0))
    let nothing = try runner.waymark(["anchor", "move", "--state", "boat.state", "--radius", "9m"])
    #expect(nothing.code == 65)
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    #expect(try types() == ["state", "state", "state", "exit"])
    #expect(!runner.exists("boat.state.control"))
    let replay = try runner.waymark([
      "replay", "trip.jsonl", "--fence", "anchor=here,40m", "--format", "jsonl", "--with-status",
    ])
    #expect(replay.code == 0)
    #expect(replay.output == (try runner.read("events")))
    #expect(replay.errors.contains("waymark: anchor: up\n"))
  }

  @Test("it survives a kill, and a changed radius does not lose its place")
  func kill() throws {
    try runner.write(
      "boat.yaml",
      "fences: [{id: anchor, center: here, radius: 40 m, settle: 20 s, under-way: {for: 3 min}}]\n")
    let arguments = [
      "watch", gpsd.address, "--config", "boat.yaml", "--device", "boat", "--output", "events",
      "--format", "jsonl", "--state", "boat.state",
    ]
    var watch = try runner.start(arguments, errors: "errors")
    let first = try gpsd.client()
    lie(first, 0..<40)
    try runner.wait(for: #""type":"state""#, in: "events")
    watch.send(SIGKILL)
    _ = try watch.finish()
    try runner.write(
      "boat.yaml", "fences: [{id: anchor, center: here, radius: 60 m, settle: 20 s}]\n")
    watch = try runner.start(arguments, errors: "errors")
    let second = try gpsd.client()
    lie(second, 40..<300) { 0.4 * Double($0 - 40) }
    try runner.wait(for: #""type":"exit""#, in: "events")
    watch.send(SIGHUP)
    try runner.wait(for: "configuration reloaded: 1 fence\n", in: "errors")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    #expect(try types() == ["state", "state", "exit"])
    #expect(!(try runner.read("errors")).contains("anchor: set"))
  }

  @Test("a watch that it cannot reach, as the path of its state is too long, gets SIGUSR1")
  func unreachable() throws {
    // Short enough from here.
    let state = String(repeating: "d", count: 75) + "/boat.state"
    _ = try runner.shell("mkdir -m 700 \(String(repeating: "d", count: 75))")
    let watch = try runner.start(
      [
        "watch", gpsd.address, "--fence", "anchor=here,40m", "--device", "boat", "--output",
        "events", "--format", "jsonl", "--state", "\(runner.folder.path)/\(state)",
      ], errors: "errors")
    let client = try gpsd.client()
    lie(client, 0..<5)
    try runner.wait(for: "cannot reach this watch; SIGUSR1 can\n", in: "errors")
    let up = try runner.waymark(["anchor", "up", "--state", state])
    #expect(up.code == 69)
    #expect(
      up.errors
        == "waymark: \(state): `waymark anchor` cannot reach its watch, as the path of the state with "
        + ".control has more than 107 bytes; send it SIGUSR1, or start it with a shorter --state\n")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
  }

  @Test("without a watch it says so, and other commands refuse a fence without a place")
  func refused() throws {
    let none = try runner.waymark(["anchor", "set", "--state", "boat.state"])
    #expect(none.code == 69)
    #expect(
      none.errors
        == "waymark: boat.state: no watch with this --state has a fence with `center: here`; start one, "
        + "or name its --state\n")
    #expect(try runner.waymark(["anchor", "move", "--state", "x"]).code == 64)
    #expect(try runner.waymark(["anchor", "up", "--state", "x", "--at", "1,2"]).code == 64)
    #expect(try runner.waymark(["anchor", "set", "--state", "x", "--at", "99,2"]).code == 64)
    try runner.write("boat.yaml", "fences: [{id: anchor, center: here, radius: 40 m}]\n")
    let convert = try runner.waymark([
      "report", "traces/commute/track.gpx", "--config", "boat.yaml", "-o", "page.html",
    ])
    #expect(convert.code == 78)
    #expect(
      convert.errors
        == "waymark: boat.yaml:1:31: fences[0].center: found 'here', expected [latitude, longitude] in "
        + "degrees such as [52.5163, 13.3777]; only watch and replay place a fence where the device "
        + "is\n")
    let option = try runner.waymark([
      "pipe", "--fence", "anchor=here,40m", "--config", "traces/commute/waymark.yaml",
    ])
    #expect(option.code == 64)
    #expect(option.errors.contains("only watch and replay place a fence where the device is"))
    let hindsight = try runner.waymark([
      "replay", "traces/commute/track.gpx", "--config", "boat.yaml", "--hindsight",
    ])
    #expect(hindsight.code == 64)
    let twice = try runner.waymark([
      "replay", "traces/commute/track.gpx", "--config", "boat.yaml", "--fence", "anchor=1,2,3",
    ])
    #expect(twice.code == 64)
    #expect(
      try runner.waymark(["check", "boat.yaml"]).output.contains("placed by fixes: anchor (40 m)"))
  }
}
