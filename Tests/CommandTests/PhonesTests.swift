import Foundation
import Glibc
import TestSupport
import Testing

/// Phones and trackers as sources of `watch`.
@Suite("Phones that report to watch", .timeLimit(.minutes(90)))
struct PhonesTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// The options by which the log has every kind of event, and fixes.
  static let kinds = ["fix", "enter", "exit", "dwell", "state", "visit"].flatMap {
    ["--include", $0]
  }

  /// A config with a source of phones and a fence.
  static func config(_ source: String) -> String {
    """
    sources: [\(source)]
    fences: [{id: gate, center: [0, 0], radius: 150 m, notify: [enter, exit, dwell], dwell: 5 min}]

    """
  }

  private func write(_ source: String) throws {
    try runner.write("phones.yaml", Self.config(source))
  }

  /// A run of watch, and where it takes reports.
  private func watch(_ number: Int, kinds: [String] = kinds) throws -> (
    run: CommandRunner.Running, url: String
  ) {
    let errors = "errors\(number)"
    let run = try runner.start(
      [
        "watch", "--config", "phones.yaml", "--output", "events", "--format", "jsonl",
        "--record", "trip.jsonl", "--state", "state", "--status", "status",
      ] + kinds, errors: errors)
    try runner.wait(for: "phones report to http://127.0.0.1:", in: errors)
    let url = try #require(
      try runner.read(errors).firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\//))
    return (run, String(url.0))
  }

  /// What curl prints: the body, and the status.
  private func curl(_ options: String) throws -> String {
    try runner.shell("curl -s -m 60 -w ' %{http_code}' \(options)").output
  }

  /// Where a phone is in a second of its drive through the gate.
  private static func place(_ second: Int) -> Double {
    (Double(second % 600 < 300 ? second % 600 : 600 - second % 600) / 300 - 0.5) * 0.02
  }

  private static let start = 1_770_000_000

  private static func stamp(_ second: Int) -> String {
    Date(timeIntervalSince1970: Double(start + second)).formatted(.iso8601)
  }

  /// Sends what each app sends of some seconds, and checks the answers.
  private func report(_ seconds: Range<Int>, to url: String) throws {
    for second in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 10) {
      let place = Self.place(second)
      let ownTracks =
        #"{"_type":"location","lat":0,"lon":\#(place),"tst":\#(Self.start + second),"acc":10,"tid":"x"}"#
      #expect(
        try curl("-H 'X-Limit-U: jane' -H 'X-Limit-D: phone' -d '\(ownTracks)' \(url)pub")
          == "[] 200")
      let features = (0..<10).map { more in
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(Self.place(second + more)),0]},"#
          + #""properties":{"timestamp":"\#(Self.stamp(second + more))","horizontal_accuracy":8,"#
          + #""device_id":"ola"}}"#
      }
      try runner.write("batch", #"{"locations":[\#(features.joined(separator: ","))]}"#)
      #expect(try curl("-d @batch \(url)") == #"{"result":"ok"} 200"#)
      let traccar =
        #"{"position":{"fixTime":"\#(Self.stamp(second))","valid":true,"latitude":0,"longitude":"#
        + #"\#(place),"altitude":3,"speed":14.4,"course":90,"accuracy":12},"#
        + #""device":{"name":"Van","uniqueId":"860123"}}"#
      #expect(try curl("-d '\(traccar)' \(url)") == "OK\n 200")
      let query =
        "id=walker&lat=0&lon=\(place)&timestamp=\(Self.start + second)&hdop=1.0&speed=7.4&bearing=90"
      #expect(try curl("'\(url)?\(query)'") == "OK\n 200")
    }
  }

  private func replay() throws -> String {
    try runner.waymark(
      ["replay", "trip.jsonl", "--config", "phones.yaml", "--format", "jsonl"] + Self.kinds
    ).output
  }

  @Test(
    "each phone is a device; kill -9 loses and repeats nothing, and the recording replays to the log"
  )
  func kill() throws {
    func run(_ cuts: [Int]) throws -> String {
      let stand = try PhonesTests()
      try stand.write("{http: 0}")
      for (number, (from, to)) in zip([0] + cuts, cuts + [400]).enumerated() {
        let (watch, url) = try stand.watch(number)
        // The phones repeat what they sent last: they may not have heard that it was kept.
        try stand.report(max(0, from - 10)..<to, to: url)
        watch.send(to == 400 ? SIGTERM : SIGKILL)
        #expect(try watch.finish().code == (to == 400 ? 0 : 128 + SIGKILL))
      }
      let log = try stand.runner.read("events")
      #expect(try stand.replay() == log)
      return log.split(separator: "\n").filter { !$0.hasPrefix(#"{"type":"fix""#) }
        .joined(separator: "\n")
    }
    let whole = try run([])
    for device in ["jane/phone", "ola", "860123", "walker"] {
      let events = whole.split(separator: "\n").filter { $0.contains("\"device\":\"\(device)\"") }
      #expect(events.contains { $0.hasPrefix(#"{"type":"enter""#) }, "\(device)")
      #expect(events.contains { $0.hasPrefix(#"{"type":"exit""#) }, "\(device)")
    }
    #expect(try run([60, 200, 230]) == whole)
  }

  @Test("a device beyond the most takes the place of the one heard least recently, and it replays")
  func forgotten() throws {
    func run(kills: Bool) throws -> String {
      let stand = try PhonesTests()
      try stand.write("{http: 0, most: 2}")
      var (watch, url) = try stand.watch(0)
      for (second, device) in ["a", "b", "a", "c", "b", "a", "a", "c"].enumerated() {
        let query = "id=\(device)&lat=0&lon=1e-4&timestamp=\(Self.start + 60 * second)&acc=10"
        #expect(try stand.curl("'\(url)?\(query)'") == "OK\n 200")
        guard kills, second % 3 == 2 else { continue }
        watch.send(SIGKILL)
        _ = try watch.finish()
        (watch, url) = try stand.watch(second)
      }
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
      let log = try stand.runner.read("events")
      #expect(try stand.replay() == log)
      return log
    }
    let log = try run(kills: false)
    let states = log.split(separator: "\n").filter { $0.hasPrefix(#"{"type":"state""#) }.compactMap
    {
      $0.firstMatch(of: /"device":"(\w+)"/)?.1
    }
    // The third one is b's place, the fourth a's, the fifth c's, the sixth b's.
    #expect(states == ["a", "b", "c", "b", "a", "c"])
    // After a restart, those that have not reported since are the first to go.
    let restarted = try run(kills: true)
    #expect(restarted.split(separator: "\n").count { $0.hasPrefix(#"{"type":"fix""#) } == 8)
  }

  @Test("a log that is moved away right after the start does not come again after a kill -9")
  func movedLog() throws {
    try write("{http: 0}")
    let (first, before) = try watch(0)
    try report(0..<10, to: before)
    let log = try runner.read("events")
    #expect(!log.isEmpty)
    #expect(try runner.shell("mv events events.1").code == 0)
    first.send(SIGKILL)
    #expect(try first.finish().code == 128 + SIGKILL)
    let (second, after) = try watch(1)
    try report(10..<20, to: after)
    second.send(SIGTERM)
    #expect(try second.finish().code == 0)
    #expect(try runner.read("events.1") == log)
    #expect(try replay() == log + runner.read("events"))
  }

  @Test("bad requests are answered, counted and reported, and change nothing")
  func refusals() throws {
    try write("{http: 0, token-file: token}")
    let (watch, url) = try watch(0)
    let token = try runner.read("token").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(
      try curl("\(url)?id=a") == "the request needs the token of the server's file\n 401")
    #expect(try curl("'\(url)?id=a&token=\(token)'") == "found no lat and lon, expected both\n 400")
    let broken = try curl("-u 'jane:\(token)' -d '{' \(url)")
    #expect(broken == "byte 1: the text ends, expected a key in double quotes\n 400")
    let query = "id=a&lat=0&lon=0&timestamp=1770000000"
    #expect(try curl("-H 'Authorization: Bearer \(token)' '\(url)?\(query)'") == "OK\n 200")
    try runner.write("long", String(repeating: " ", count: 2_000_000))
    #expect(
      try curl("--data-binary @long '\(url)?token=\(token)'")
        == "the body is longer than the limit of 1 MiB\n 413")
    try runner.wait(for: #""devices":1,"messages":1,"ignored":0,"refused":4}"#, in: "status")
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let errors = try runner.read("errors0")
    #expect(errors.contains("waymark: a reports to http://127.0.0.1:"))
    #expect(errors.contains("127.0.0.1: a request was refused: found no lat and lon"))
    #expect(!errors.contains(token))
    let mode = try runner.shell("stat -c %a token").output
    #expect(mode == "600\n")
  }

  @Test("a token that another user's run has is no error where the config alone is read")
  func foreignToken() throws {
    try write("{http: 0, token-file: token}")
    try runner.write("token", String(repeating: "0f", count: 32))
    // A user that may read every file is made one that may not.
    let user =
      getuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search $waymark" : "$waymark"
    for mode in ["000 token", "644 token"] {
      let isShared = mode.hasPrefix("644")
      let check = try runner.shell("chmod \(mode) && \(user) check phones.yaml")
      #expect(check.code == (isShared ? 78 : 0), "\(check)")
      #expect(check.errors.contains("(chmod 600)") == isShared)
      let watch = try runner.shell("\(user) watch --config phones.yaml")
      #expect(watch.code == (isShared ? 78 : 74), "\(watch)")
      if !isShared { #expect(watch.errors.contains("token: no token: permission denied\n")) }
    }
  }

  @Test("the status file says that the positions of a phone have no time, and shows none of them")
  func timeless() throws {
    try write("{http: 0}")
    let (watch, url) = try watch(0)
    for number in 0..<12 {
      #expect(try curl("'\(url)?id=a&lat=52.5\(number)&lon=13&acc=5'") == "OK\n 200")
    }
    try runner.wait(for: #""fixes":12,"used":0,"dropped":12,"ignored":12}"#, in: "status")
    let status = try runner.read("status")
    #expect(status.contains(#"{"status":"no-time","device":"a""#))
    #expect(!status.contains("latitude") && !status.contains(#""age""#))
    #expect(try curl("'\(url)?id=a&lat=52.5&lon=13&acc=5&timestamp=\(Self.start)'") == "OK\n 200")
    try runner.wait(for: #"{"status":"fix","device":"a""#, in: "status")
    #expect(try runner.read("status").contains(#""latitude":52.5000000"#))
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
  }

  @Test("a phone cannot be a source's device, and anchors and record are for one device")
  func limits() throws {
    try write("{http: 0}")
    let record = try runner.waymark("record --config phones.yaml -o x.jsonl".words)
    #expect(record.code == 64 && record.errors.contains("record takes gpsd, but the config has"))
    let anchor = try runner.waymark("watch --config phones.yaml --fence anchor=here,40m".words)
    #expect(anchor.code == 64 && anchor.errors.contains("but its phones are several"))
  }
}
