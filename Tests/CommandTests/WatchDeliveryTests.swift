import Foundation
import Glibc
import TestSupport
import Testing

/// `watch` with a store and receivers, killed in the middle: what they get is what the log says.
@Suite("receivers of a watch", .timeLimit(.minutes(90)))
struct WatchDeliveryTests {
  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD
  private let peer: WebhookPeer
  private let folder: ScratchFolder

  private static let last = 2_400

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
    folder = try ScratchFolder()
    peer = try WebhookPeer(in: folder)
    // A program that a kill leaves behind has half of a line or a whole one, and adds the whole one.
    try runner.write(
      "van.yaml",
      """
      device: van
      fences: [{id: gate, center: [0, 0], radius: 150}]
      store: {file: events.gpkg, fixes: true}
      deliver:
        - {name: house, webhook: "\(peer.url("ok"))"}
        - {name: log, command: [sh, -c, 'read -r line && echo "$line" >> got.jsonl']}
        - {name: dead, webhook: "\(peer.url("silent"))"}
        - {name: nobody, webhook: "http://127.0.0.1:1/"}

      """)
  }

  private func watch() throws -> CommandRunner.Running {
    try runner.start([
      "watch", gpsd.address, "--config", "van.yaml", "--state", "state", "--output", "events",
      "--format", "jsonl", "--include", "fix", "--include", "enter", "--include", "exit",
      "--include", "state", "--include", "visit", "--include", "significant-change",
      // A busy machine takes its time.
      "--silence", "86400",
    ])
  }

  private func lines(_ name: String) -> [String] {
    ((try? runner.read(name)) ?? "").split(separator: "\n").map(String.init)
  }

  /// The events of the log.
  private var events: [String] { lines("events").filter { !$0.hasPrefix(#"{"type":"fix""#) } }

  /// The second after the last fix in the log.
  private func next() -> Int {
    GateDrive.lastFix((try? runner.read("events")) ?? "").map { $0 + 1 } ?? 0
  }

  private func say(_ seconds: Range<Int>, to client: ScriptedGPSD.Client) {
    for second in seconds { client.say(GateDrive.report(second)) }
  }

  /// Lines without those that repeat an earlier one.
  private static func distinct(_ lines: [String]) -> [String] {
    var known: Set<String> = []
    return lines.filter { known.insert($0).inserted }
  }

  @Test("get every event in order over kills, while one hangs and one is not there")
  func kills() throws {
    let seed: UInt64 = 0x5EED_0021
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<12 {
      let running = try watch()
      let client = try gpsd.client()
      let start = next()
      say(start..<min(start + Int.random(in: 50...200, using: &generator), Self.last), to: client)
      for _ in 0..<Int.random(in: 0...20_000, using: &generator) { sched_yield() }
      running.send(SIGKILL)
      #expect(try running.finish().code == 128 + SIGKILL)
      try gpsd.dismissAll()
    }
    let running = try watch()
    let client = try gpsd.client()
    say(next()..<(Self.last + 1), to: client)
    // The log does not wait for the dead receivers, nor do the others.
    try blockUntil("the last fix in the log") { next() == Self.last + 1 }
    try blockUntil("all events in got.jsonl") { Set(lines("got.jsonl")).count == events.count }
    try blockUntil("all events at the webhook") {
      Set(try requests("/ok").map(\.text)).count == events.count
    }
    let outbox = try runner.waymark(["outbox", "events.gpkg"]).output
    #expect(outbox.contains("dead: \(events.count) events waiting since 2025-03-10T08:"))
    #expect(outbox.contains("nobody: \(events.count) events waiting since 2025-03-10T08:"))
    running.send(SIGTERM)
    #expect(try running.finish().code == 0)

    #expect(events.count > 20)
    let stored = try runner.shell("sqlite3 events.gpkg 'SELECT json FROM events ORDER BY seq'")
    #expect(stored.output.split(separator: "\n").map(String.init) == events)
    #expect(Self.distinct(lines("got.jsonl")) == events)
    let received = try requests("/ok")
    #expect(Self.distinct(received.map(\.text)) == events)
    // What came again has the id it had.
    let ids = received.compactMap { $0.headers["webhook-id"] }
    #expect(ids.count == received.count && Set(ids).count == events.count)
    // Nothing comes after an event that was not acknowledged.
    #expect(Set(try requests("/silent").map(\.text)) == [events[0]])
  }

  @Test("are in the status file and at /status and /metrics, with what waits and why")
  func status() throws {
    let running = try runner.start(
      [
        "watch", gpsd.address, "--config", "van.yaml", "--output", "events", "--status", "status",
        "--web", "0",
      ], errors: "errors")
    let client = try gpsd.client()
    say(0..<320, to: client)
    try runner.wait(for: #""receivers":[{"name":"dead","waiting":"#, in: "status")
    try blockUntil("the attempts of all receivers: \((try? runner.read("status")) ?? "")") {
      let text = try runner.read("status")
      return text.contains(#"{"name":"log","waiting":0,"delivered":"#)
        && text.contains(#"{"name":"house","waiting":0,"delivered":"#)
        && text.firstMatch(
          of:
            /"name":"nobody","waiting":[1-9]\d*,"oldest":"2025-03-10T08:[^"]*","delivered":0,"givenUp":0,"error":"[^"]+","nextAttempt":"\d{4}-/
        ) != nil
    }
    let url = try #require(
      try runner.read("errors").firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\//)?.0)
    let metrics = try runner.shell("curl -s -m 60 \(url)metrics").output
    #expect(metrics.contains("waymark_sink_up{sink=\"nobody\"} 0\n"))
    #expect(metrics.contains("waymark_sink_queue_events{sink=\"log\"} 0\n"))
    #expect(
      try runner.shell("curl -s -m 60 \(url)status | jq -c '.receivers | map(.name)'").output
        == "[\"dead\",\"house\",\"log\",\"nobody\"]\n")
    running.send(SIGTERM)
    #expect(try running.finish().code == 0)
  }

  private func requests(_ path: String) throws -> [WebhookPeer.Request] {
    try peer.requests().filter { $0.path == path }
  }
}
