import Foundation
import TestSupport
import Testing

/// `mqtt` in a config: what a broker gets from the program, and what a user sees.
@Suite("A broker as a receiver of a command", .timeLimit(.minutes(90)))
struct BrokerCommandTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// Writes a config with a fence that the track leaves and enters, a store, and a broker.
  private func write(_ keys: String) throws {
    try runner.write(
      "house.yaml",
      """
      fences: [{id: "Home/#1", center: [47.9886, 7.8412], radius: 80 m}]
      store: events.gpkg
      deliver: [{name: ha, \(keys)}]

      """)
  }

  private static let track = "traces/out-and-back/track.gpx"
  private static let replay = ["replay", track, "--config", "house.yaml", "--deliver"]

  @Test("all dialects of a replay hold to their schemas, and have the same events")
  func dialects() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    try write(
      "mqtt: \"mqtt://127.0.0.1:\(broker.port)\", dialects: [home-assistant, owntracks, waymark], "
        + "zones: {\"Home/#1\": zone.home}")
    let run = try runner.waymark(
      Self.replay + ["--device", "van+1"])
    #expect(run.code == 0, "\(run.errors)")
    let outbox = try runner.waymark(["outbox", "events.gpkg"])
    #expect(outbox.output.hasPrefix("ha: nothing waits; 10 delivered, the last at "))
    let messages = try subscriber.messages(until: "the end") { $0.last?.payload == "offline" }

    let lines = messages.filter { $0.topic == "waymark/van%2b1/event" }.compactMap(\.payload)
    #expect(lines.count == 10 && lines.allSatisfy { $0.contains(#""device":"van+1""#) })
    #expect(lines.filter { $0.contains(#""type":"enter""#) }.count == 1)
    let assistant = messages.filter { $0.topic == "waymark/home-assistant/van%2b1/event" }
    #expect(
      assistant.compactMap(\.payload).map { "{" + $0.drop { $0 != "," }.dropFirst() }
        .map { "{" + $0.drop { $0 != "," }.dropFirst() } == lines)
    #expect(assistant.allSatisfy { $0.retain == 0 })
    let transitions = messages.filter { $0.topic == "owntracks/waymark/van%2b1/event" }
    #expect(
      transitions.map { $0.payload?.contains(#""event":"leave""#) } == [true, false]
        && transitions.allSatisfy { $0.retain == 0 })

    var schemas = (MessageSchema("home-assistant"), MessageSchema("owntracks"))
    for message in messages {
      let levels = message.topic.split(separator: "/").map(String.init)
      let payload = message.payload ?? ""
      switch levels[0] {
      case "homeassistant":
        schemas.0.add("discovery topic", text: message.topic)
        schemas.0.add(levels[1], json: payload)
      case "owntracks":
        let kind = levels.count == 3 ? "location" : levels[3] == "event" ? "transition" : levels[3]
        schemas.1.add(kind, json: payload)
      default:
        guard levels[1] == "home-assistant" else { continue }
        switch levels[3] {
        case "event": schemas.0.add("event payload", json: payload)
        case "fences": schemas.0.add("occupancy", text: payload)
        default: schemas.0.add(levels[3], json: payload)
        }
      }
    }
    #expect(try schemas.0.findings() == "")
    #expect(try schemas.1.findings() == "")
  }

  @Test("what is retained is where the device is at the end")
  func retained() throws {
    let broker = try MosquittoBroker()
    try write("mqtt: \"mqtt://127.0.0.1:\(broker.port)\", dialects: [home-assistant, waymark]")
    #expect(try runner.waymark(Self.replay + ["--device", "van"]).code == 0)
    let messages = try MosquittoSubscriber(broker).messages(until: "what is retained") {
      $0.count >= 9
    }
    let payloads = Dictionary(messages.map { ($0.topic, $0.payload) }) { $1 }
    #expect(payloads["waymark/ha/availability"] == "offline")
    #expect(payloads["waymark/van/Home%2f%231/state"] == "inside")
    #expect(payloads["waymark/home-assistant/van/fences/Home%2f%231"] == "ON")
    #expect(payloads["waymark/home-assistant/van/presence"] == #"{"in_zones":["zone.home_1"]}"#)
    #expect(payloads["waymark/home-assistant/van/event"] == nil && payloads.count == 9)
  }

  @Test("a fence that left the config is forgotten by the broker")
  func former() throws {
    let broker = try MosquittoBroker()
    let address = "mqtt: \"mqtt://127.0.0.1:\(broker.port)\", dialects: [home-assistant, waymark]"
    try write(address)
    #expect(try runner.waymark(Self.replay).code == 0)
    let config = try runner.read("house.yaml").replacingOccurrences(of: "Home/#1", with: "house")
    try runner.write("house.yaml", config)
    #expect(try runner.waymark(Self.replay).code == 0)
    let topics = try MosquittoSubscriber(broker).messages(until: "what is retained") {
      $0.count >= 9
    }.map(\.topic)
    #expect(topics.contains { $0.hasSuffix("/house/state") })
    #expect(!topics.contains { $0.contains("Home") })
  }

  @Test("pipe delivers as well, by MQTT 3.1.1")
  func pipe() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    try write("mqtt: \"mqtt://127.0.0.1:\(broker.port)\", version: 3.1.1, only: [enter, exit]")
    let fixes = try runner.waymark(
      ["replay", Self.track, "--include", "fix", "--format", "jsonl", "--device", "van"])
    let run = try runner.waymark(
      ["pipe", "--config", "house.yaml", "--deliver"], input: fixes.output)
    #expect(run.code == 0, "\(run.errors)")
    let messages = try subscriber.messages(until: "the end") { $0.last?.payload == "offline" }
    #expect(messages.count { $0.topic == "waymark/van/event" } == 2)
  }

  @Test("a wrong password, a broker that is away and a missing file are named")
  func mistakes() throws {
    let folder = try ScratchFolder()
    let passwords = folder.file("passwords")
    try runProgram("/usr/bin/mosquitto_passwd", ["-b", "-c", passwords, "van", "secret"])
    let broker = try MosquittoBroker(["password_file \(passwords)"], in: folder)
    let address = "mqtt: \"mqtt://127.0.0.1:\(broker.port)\", user: van, password-file: key"
    try runner.write("key", "wrong\n")
    try write(address)
    let wrong = try runner.waymark(["check", "house.yaml", "--online"])
    #expect(wrong.code == 69)
    #expect(wrong.output.contains("\nha: the broker refuses the connection: "), "\(wrong.output)")
    #expect(wrong.output.hasSuffix("; check user and password-file\n"))
    #expect(!runner.exists("events.gpkg"))
    let replay = try runner.waymark(Self.replay)
    #expect(replay.code == 69)
    #expect(replay.errors.contains("ha: 10 events could not be delivered yet"), "\(replay.errors)")
    try runner.write("key", "secret\n")
    #expect(
      try runner.waymark(["check", "house.yaml", "--online"]).output.hasSuffix("ha: reachable\n"))
    broker.kill()
    let away = try runner.waymark(["check", "house.yaml", "--online"])
    #expect(
      away.output.hasSuffix("ha: broker at 127.0.0.1:\(broker.port): connection refused\n")
        && away.code == 69)
    try FileManager.default.removeItem(at: runner.folder.appendingPathComponent("key"))
    let missing = try runner.waymark(["check", "house.yaml"])
    #expect(missing.code == 78 && missing.errors.contains("'key', which cannot be read"))
  }

  @Test("more fences than a broker gets are an error")
  func fences() throws {
    let fences = (0...1_000).map { "{id: f\($0), center: [1, \(Double($0) / 10)], radius: 9 m}" }
    try runner.write(
      "house.yaml",
      """
      fences: [\(fences.joined(separator: ", "))]
      store: events.gpkg
      deliver: [{name: ha, mqtt: mqtt://127.0.0.1:1}]

      """)
    let run = try runner.waymark(Self.replay)
    #expect(run.code == 69)
    #expect(
      run.errors.contains(
        "deliver: ha: the config has 1001 fences, and a broker gets 1000"))
  }
}
