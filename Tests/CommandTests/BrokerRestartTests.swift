import Foundation
import Glibc
import TestSupport
import Testing

/// Restarts of the broker, and kill -9 of `watch`: 50 of each and 1,000 events in `make soak`, a fifth
/// of that otherwise.
@Suite("watch, a broker that restarts, and kill -9", .timeLimit(.minutes(90)))
struct BrokerRestartTests {
  private static let rounds = ProcessInfo.processInfo.environment["SOAK"] == nil ? 10 : 50
  private static let events = rounds * 20

  /// A drive of 600 s to and fro past ten fences, a fix a second, as gpsd reports it.
  private static func report(_ second: Int) -> String {
    let phase = second % 600
    let offset = Double(phase < 300 ? phase : 600 - phase) / 300 - 0.5
    let time = Date(timeIntervalSince1970: 1_741_593_600 + Double(second))
    let stamp = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp)","#
      + #""lat":0.000000000,"lon":\#(offset * 0.02),"altMSL":34.0,"eph":9.5,"#
      + #""speed":7.4,"track":\#(phase < 300 ? 90 : 270)}"#
  }

  private static let fences = (0..<10).map { index in
    let longitude = Double(index) * 0.002 - 0.009
    return "  - {id: gate-\(index), center: [0, \(longitude)], radius: 70 m}"
  }

  private struct Stand {
    let runner: CommandRunner
    let gpsd: ScriptedGPSD
    let broker: MosquittoBroker
    let subscriber: MosquittoSubscriber

    init() throws {
      runner = try CommandRunner()
      gpsd = try ScriptedGPSD()
      let folder = try ScratchFolder()
      broker = try MosquittoBroker(MosquittoBroker.remembering(in: folder), in: folder)
      subscriber = try MosquittoSubscriber(broker, session: "house")
      try broker.saveSessions()
      try runner.write(
        "watch.yaml",
        (["fences:"] + fences + [
          "visits: false", "significant-changes: false", "store: events.gpkg", "deliver:",
          "  - {name: house, mqtt: \"mqtt://127.0.0.1:\(broker.port)\", only: [enter, exit]}", "",
        ]).joined(separator: "\n"))
    }

    func watch() throws -> CommandRunner.Running {
      try runner.start(
        [
          "watch", gpsd.address, "--config", "watch.yaml", "--device", "van", "--state", "state",
          "--output", "events",
        ])
    }

    /// Kills the broker and starts it again; the subscriber is back when this returns.
    func restartBroker(_ meanwhile: () -> Void) throws {
      let subscriptions = try subscriber.subscriptions()
      broker.kill()
      meanwhile()
      try broker.start()
      try blockUntil("the subscriber") { try subscriber.subscriptions() > subscriptions }
    }

    /// The distinct ids that the subscriber got, in the order of their first arrival, and how many
    /// messages came.
    func received() throws -> (ids: [String], messages: Int) {
      let payloads = try subscriber.messages().filter { $0.topic == "waymark/van/event" }
        .compactMap(\.payload)
      var seen: Set<Substring> = []
      let ids = payloads.compactMap { $0.firstMatch(of: /"id":"([0-9a-f]+)"/)?.1 }
        .filter { seen.insert($0).inserted }
      return (ids.map(String.init), payloads.count)
    }

    /// The ids of the enters and exits in the store, in its order.
    func stored() throws -> [String] {
      let query = "SELECT id FROM events WHERE type IN ('enter', 'exit') ORDER BY seq"
      return try runner.shell("sqlite3 -readonly events.gpkg \"\(query)\"").output
        .split(separator: "\n").map(String.init)
    }
  }

  @Test("every event reaches the subscriber, in order")
  func restarts() throws {
    let seed: UInt64 = 0xB20C_E250
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let stand = try Stand()
    func pause() { for _ in 0..<Int.random(in: 0...3_000, using: &generator) { sched_yield() } }
    var second = 0
    func drive(_ client: ScriptedGPSD.Client, _ seconds: Int) {
      for second in second..<second + seconds { client.say(Self.report(second)) }
      second += seconds
    }

    for round in 0..<Self.rounds {
      let watch = try stand.watch()
      let client = try stand.gpsd.client()
      drive(client, 400)
      pause()
      if round.isMultiple(of: 2) {
        try stand.restartBroker {
          drive(client, 50)
          pause()
        }
        watch.send(SIGKILL)
      } else {
        try stand.restartBroker {
          pause()
          watch.send(SIGKILL)
        }
      }
      #expect(try watch.finish().code == 128 + SIGKILL)
      try stand.gpsd.dismissAll()
    }
    let watch = try stand.watch()
    let client = try stand.gpsd.client()
    repeat {
      drive(client, 600)
      let count = try stand.stored().count
      try blockUntil("more events") { try stand.stored().count > count }
    } while try stand.stored().count < Self.events
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    // What waits now is delivered by a run without more fixes.
    let last = try stand.watch()
    try blockUntil("an empty outbox") {
      try stand.runner.waymark(["outbox", "events.gpkg"]).output.contains("nothing waits")
    }
    last.send(SIGTERM)
    #expect(try last.finish().code == 0)

    let stored = try stand.stored()
    try blockUntil("all events") { try stand.received().ids.count >= stored.count }
    let received = try stand.received()
    #expect(received.ids == stored)
    #expect(stored.count >= Self.events)
    print(
      "\(stored.count) events, \(received.messages) messages, \(Self.rounds) restarts and kills")
  }
}
