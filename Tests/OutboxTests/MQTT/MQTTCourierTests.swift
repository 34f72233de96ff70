import Dispatch
import Glibc
import Settings
import TestSupport
import Testing
import Tracking

@testable import Outbox

/// Against a real mosquitto.
@Suite(
  "Events to a broker", .serialized, .timeLimit(.minutes(90)),
  .enabled(if: MosquittoBroker.isInstalled, "mosquitto or mosquitto-clients is not installed"))
struct MQTTCourierTests {
  private let stop: StopFlag

  init() throws { stop = try StopFlag() }

  /// Limits that a busy machine keeps.
  private static let patient = MQTTLimits(
    connect: .seconds(300), acknowledgement: .seconds(300), close: .seconds(300))

  private func courier(
    _ broker: MosquittoBroker, _ source: FixedPresence = FixedPresence(),
    _ change: (inout MQTTSettings) -> Void = { _ in }
  ) throws -> MQTTCourier {
    var settings = MQTTSettings(BrokerSettings(host: "127.0.0.1", port: broker.port))
    change(&settings)
    return try MQTTCourier(
      settings, name: "ha", source: source, limits: Self.patient, environment: [:])
  }

  private func deliver(_ courier: MQTTCourier, _ numbers: ClosedRange<Int64>) throws {
    for number in numbers {
      let delivery = try MQTTFixture.delivery(sequence: number)
      try #require(courier.deliver(delivery, until: stop) == .delivered)
    }
  }

  private func events(_ messages: [MosquittoMessage]) -> [String?] {
    messages.filter { $0.topic == "waymark/van/event" }.map(\.payload)
  }

  private func lines(_ numbers: ClosedRange<Int64>) throws -> [String] {
    try numbers.map { try MQTTFixture.delivery(sequence: $0).json }
  }

  @Test("arrive once each and in order", arguments: BrokerSettings.Version.allCases)
  func order(version: BrokerSettings.Version) throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    let source = FixedPresence(try MQTTFixture.presence())
    let courier = try courier(broker, source) { $0.broker.version = version }
    try deliver(courier, 1...200)
    let messages = try subscriber.messages(until: "200 events") { events($0).count >= 200 }
    #expect(events(messages) == (try lines(1...200)))
    #expect(messages.allSatisfy { $0.qos == 1 })
    let event = try #require(messages.last)
    #expect(event.retain == 0)
    if version == .v5 {
      let id = try MQTTFixture.delivery(sequence: 200).id
      #expect(event.properties == .init(contentType: "application/json", user: ["id": id]))
    } else {
      #expect(event.properties == nil)
    }
  }

  @Test("are preceded by the retained state, then by online")
  func announcement() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    let courier = try courier(broker, FixedPresence(try MQTTFixture.presence()))
    try deliver(courier, 1...1)
    let messages = try subscriber.messages(until: "an event") { !events($0).isEmpty }
    #expect(
      messages.map(\.topic) == [
        "waymark/van/depot/state", "waymark/ha/availability", "waymark/van/depot/state",
        "waymark/van/event",
      ])
    #expect(messages.map(\.retain) == [1, 1, 1, 0])
    #expect(messages.dropLast().map(\.payload) == ["inside", "online", "inside"])
  }

  @Test("of a new device are preceded by its announcement")
  func newDevice() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    let source = FixedPresence()
    let courier = try courier(broker, source) { $0.dialects = [.homeAssistant] }
    courier.wait(until: .now + .milliseconds(1), stop)
    source.all["van"] = try MQTTFixture.presence()
    try deliver(courier, 1...2)
    let topics = try subscriber.messages(until: "two events") { messages in
      messages.count { $0.topic.hasSuffix("/van/event") } == 2
    }.map(\.topic)
    let discovery = topics.filter { $0.hasPrefix("homeassistant/") }
    #expect(discovery.count == 4 && topics.first == "waymark/ha/availability")
    #expect(topics[1...4] == discovery[...])
  }

  @Test("survive a broker that is killed and started again; its retained state comes back")
  func restart() throws {
    let broker = try MosquittoBroker()
    let source = FixedPresence(try MQTTFixture.presence())
    let courier = try courier(broker, source)
    for round in Int64(0)..<5 {
      let numbers = round * 10 + 1...round * 10 + 10
      let subscriber = try MosquittoSubscriber(broker)
      try deliver(courier, numbers)
      let messages = try subscriber.messages(until: "ten events") { events($0).count >= 10 }
      #expect(events(messages) == (try lines(numbers)))
      #expect(messages.first?.topic == "waymark/van/depot/state")
      broker.kill()
      let outcome = courier.deliver(try MQTTFixture.delivery(sequence: 99), until: stop)
      guard case .unreachable = outcome else {
        Issue.record("\(outcome) by a broker that was killed")
        return
      }
      let reason = "broker at 127.0.0.1:\(broker.port): connection refused"
      #expect(
        courier.deliver(try MQTTFixture.delivery(sequence: 99), until: stop)
          == .unreachable(reason: reason))
      try broker.start()
    }
  }

  @Test("leave the state to a broker that restarts while there are none")
  func idle() throws {
    let broker = try MosquittoBroker()
    let courier = try courier(broker, FixedPresence(try MQTTFixture.presence()))
    try deliver(courier, 1...1)
    broker.kill()
    try broker.start()
    let subscriber = try MosquittoSubscriber(broker)
    try blockUntil("the state of a new connection") {
      courier.wait(until: .now + .milliseconds(50), stop)
      return try subscriber.messages().contains { $0.payload == MQTTCourier.online }
    }
    #expect(try subscriber.messages().first?.payload == "inside")
  }

  @Test("that end without a goodbye make the broker publish offline")
  func lastWill() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    var courier: MQTTCourier? = try courier(broker)
    try deliver(try #require(courier), 1...1)
    courier = nil
    let messages = try subscriber.messages(until: "the last will") {
      $0.last?.topic == "waymark/ha/availability" && $0.last?.payload == "offline"
    }
    #expect(messages.last?.retain == 1)
  }

  @Test("end with one offline of the courier's own")
  func goodbye() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    let courier = try courier(broker)
    try deliver(courier, 1...1)
    courier.close()
    // Another client: what it publishes comes after a last will, if there were one.
    let second = try self.courier(broker) { $0.broker.clientID = "second" }
    try deliver(second, 2...2)
    let messages = try subscriber.messages(until: "two events") { events($0).count == 2 }
    #expect(messages.count { $0.payload == "offline" } == 1)
  }

  @Test("fail for a user whose password is wrong", arguments: BrokerSettings.Version.allCases)
  func password(version: BrokerSettings.Version) throws {
    let folder = try ScratchFolder()
    let passwords = folder.file("passwords")
    let made = try runProgram(
      "/usr/bin/mosquitto_passwd", ["-b", "-c", passwords, "van", "secret"])
    try #require(made.code == 0)
    try folder.write("right", "secret\n")
    try folder.write("wrong", "Secret\n")
    let broker = try MosquittoBroker(
      ["allow_anonymous false", "password_file \(passwords)"], in: folder)
    func outcome(_ file: String?) throws -> DeliveryOutcome {
      let courier = try courier(broker) {
        $0.broker.version = version
        $0.broker.user = "van"
        $0.broker.passwordFile = file.map(folder.file)
      }
      return courier.deliver(try MQTTFixture.delivery(), until: stop)
    }
    #expect(try outcome("right") == .delivered)
    for file in ["wrong", nil] {
      guard case .failed(let reason, nil) = try outcome(file) else {
        Issue.record("a wrong password is no failure")
        return
      }
      #expect(reason.contains("the broker refuses the connection: "))
      #expect(reason.lowercased().contains("not authori") && !reason.contains("ecret"))
      #expect(reason.hasSuffix("; check user and password-file"))
    }
    #expect {
      _ = try outcome("none")
    } throws: {
      "\($0)".hasPrefix("\(folder.file("none")): it cannot be read (no such file or directory)")
    }
  }

  @Test("fail when the broker's access list refuses the topic; the connection stays")
  func refused() throws {
    let folder = try ScratchFolder()
    // Everything but the events of the device `boat`.
    try folder.write("acl", "topic readwrite waymark/#\ntopic deny waymark/boat/event\n")
    let broker = try MosquittoBroker(
      ["allow_anonymous true", "acl_file \(folder.file("acl"))"], in: folder)
    let subscriber = try MosquittoSubscriber(broker)
    let courier = try courier(broker)
    #expect(
      courier.deliver(try MQTTFixture.delivery(device: "boat"), until: stop)
        == .failed(
          reason: "the broker refuses a message: not authorized; check the broker's access list"))
    try deliver(courier, 2...2)
    let messages = try subscriber.messages(until: "an event") { !events($0).isEmpty }
    #expect(messages.count { $0.payload == "online" } == 1)
    #expect(!messages.contains { $0.payload == "offline" })
  }

  @Test("of a device and a fence with long names arrive as well")
  func longNames() throws {
    let broker = try MosquittoBroker()
    let (device, fence) = (
      String(repeating: "ü", count: 1 << 16), String(repeating: "/", count: 1 << 20)
    )
    let source = FixedPresence(try MQTTFixture.presence(device, [fence: .inside]))
    source.allFences = [FenceSummary(id: fence, latitude: 0, longitude: 0, radius: 1)]
    let courier = try courier(broker, source) { $0.dialects = MQTTSettings.Dialect.allCases }
    let delivery = try MQTTFixture.delivery(device: device, fence: fence)
    #expect(courier.deliver(delivery, until: stop) == .delivered)
  }

  @Test("of a fence that left the config leave nothing in discovery")
  func withdrawal() throws {
    let broker = try MosquittoBroker()
    let source = FixedPresence(try MQTTFixture.presence())
    source.allFences.append(MQTTFixture.harbour)
    let courier = try courier(broker, source) { $0.dialects = [.waymark, .homeAssistant] }
    try deliver(courier, 1...1)
    let subscriber = try MosquittoSubscriber(broker)
    source.allFences.removeLast()
    source.former = [MQTTFixture.harbour.id]
    try blockUntil("the removal") {
      courier.wait(until: .now + .milliseconds(50), stop)
      return try subscriber.messages().contains {
        $0.topic.contains("harbour/state") && ($0.payload ?? "").isEmpty
      }
    }
    // A late subscriber sees what is retained.
    let topics = try MosquittoSubscriber(broker).messages(until: "the retained messages") {
      $0.contains { $0.topic.hasSuffix("availability") } && $0.count >= 8
    }.map(\.topic)
    #expect(topics.contains { $0.contains("depot") } && !topics.contains { $0.contains("harbour") })
  }

  @Test("are not disturbed by a probe, which leaves nothing")
  func probe() throws {
    let broker = try MosquittoBroker()
    let subscriber = try MosquittoSubscriber(broker)
    let courier = try courier(broker)
    try deliver(courier, 1...1)
    #expect(courier.probe(until: stop) == nil)
    try deliver(courier, 2...2)
    let messages = try subscriber.messages(until: "two events") { events($0).count == 2 }
    #expect(!messages.contains { $0.payload == "offline" })
    broker.kill()
    let reason = "broker at 127.0.0.1:\(broker.port): connection refused"
    #expect(courier.probe(until: stop) == reason)
    #expect(
      try self.courier(broker).deliver(try MQTTFixture.delivery(), until: stop)
        == .unreachable(reason: reason))
  }

  @Test("reach a host only by TLS with the right authority, host name and certificate")
  func tls() throws {
    // As the program does.
    signal(SIGPIPE, SIG_IGN)
    let folder = try ScratchFolder()
    try MosquittoBroker.makeCertificates(in: folder)
    let broker = try MosquittoBroker(
      [
        "cafile \(folder.file("authority.pem"))", "certfile \(folder.file("localhost.pem"))",
        "keyfile \(folder.file("localhost.key"))", "require_certificate true",
        "allow_anonymous true",
      ], in: folder)
    func outcome(
      host: String = "localhost", authority: String? = "authority", client: String? = "client"
    ) throws -> DeliveryOutcome {
      let courier = try courier(broker) {
        $0.broker.usesTLS = true
        $0.broker.host = host
        $0.broker.authorityFile = authority.map { folder.file("\($0).pem") }
        $0.broker.certificateFile = client.map { folder.file("\($0).pem") }
        $0.broker.keyFile = client.map { folder.file("\($0).key") }
      }
      defer { courier.close() }
      return courier.deliver(try MQTTFixture.delivery(), until: stop)
    }
    #expect(try outcome() == .delivered)
    let plain = try courier(broker).deliver(try MQTTFixture.delivery(), until: stop).unreachable
    #expect(plain?.hasSuffix("check the port, or use mqtts:// for TLS") == true, "\(plain ?? "")")
    for wrong in [
      try outcome(authority: "stranger"), try outcome(authority: nil),
      try outcome(host: "127.0.0.1"),
    ] {
      guard case .unreachable(let reason) = wrong else {
        Issue.record("\(wrong) with a certificate that is wrong")
        return
      }
      #expect(reason.contains("its certificate is not trusted, has expired, or has another host"))
    }
    guard case .unreachable = try outcome(client: nil) else {
      Issue.record("the broker accepts a client without a certificate")
      return
    }
    #expect {
      _ = try outcome(authority: "none")
    } throws: {
      "\($0)" == "\(folder.file("none.pem")): it cannot be read (no such file or directory)"
    }
  }

  @Test("name the mistake when the broker does not speak TLS") func plain() throws {
    let broker = try MosquittoBroker()
    let courier = try courier(broker) { $0.broker.usesTLS = true }
    let reason = courier.deliver(try MQTTFixture.delivery(), until: stop).unreachable
    let expected = "broker at 127.0.0.1:\(broker.port): it does not speak MQTT with TLS; "
    #expect(reason?.hasPrefix(expected) == true, "\(reason ?? "delivered")")
  }
}
