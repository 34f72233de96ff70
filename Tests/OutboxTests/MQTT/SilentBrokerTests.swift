import Dispatch
import Settings
import TestSupport
import Testing

@testable import Outbox

/// Against servers that answer little or nothing.
@Suite(
  "Events to a broker that does not answer", .timeLimit(.minutes(90)),
  .enabled(if: MosquittoBroker.isInstalled, "mosquitto or mosquitto-clients is not installed"))
struct SilentBrokerTests {
  private let server: FakeServer
  private let stop: StopFlag

  init() throws {
    server = try FakeServer()
    stop = try StopFlag()
  }

  private static let short = MQTTLimits(
    connect: .milliseconds(300), acknowledgement: .milliseconds(300), close: .milliseconds(300))
  private static let long = MQTTLimits(
    connect: .seconds(3_000), acknowledgement: .seconds(3_000), close: .seconds(3_000))
  /// CONNACK of MQTT 5, without properties.
  private static let acceptance: [UInt8] = [0x20, 3, 0, 0, 0]

  private func courier(_ limits: MQTTLimits) throws -> MQTTCourier {
    try MQTTCourier(
      MQTTSettings(BrokerSettings(host: "127.0.0.1", port: Int(server.port))), name: "ha",
      source: FixedPresence(), limits: limits, environment: [:])
  }

  /// Accepts a client with these bytes, and keeps the connection until the semaphore is signalled.
  private func answer(_ bytes: [UInt8], until end: DispatchSemaphore) {
    let server = server
    DispatchQueue.global().async {
      guard let peer = try? server.accept() else { return }
      peer.wait(forRoom: false)
      peer.send(bytes[...])
      _ = end.waitInTime()
    }
  }

  @Test("are unreachable when the connection is not answered in time")
  func noAcceptance() throws {
    #expect(
      try courier(Self.short).deliver(try MQTTFixture.delivery(), until: stop)
        == .unreachable(reason: "broker at 127.0.0.1:\(server.port): no answer in time"))
  }

  @Test("are unreachable when a message is not acknowledged in time")
  func noAcknowledgement() throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    answer(Self.acceptance, until: end)
    var limits = Self.short
    // Long enough for a busy machine.
    limits.connect = .seconds(300)
    #expect(
      try courier(limits).deliver(try MQTTFixture.delivery(), until: stop)
        == .unreachable(reason: "broker at 127.0.0.1:\(server.port): no answer in time"))
  }

  @Test(
    "are unreachable when the server speaks another protocol, or closes",
    arguments: [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "",
    ])
  func stranger(text: String) throws {
    let end = DispatchSemaphore(value: 0)
    answer(Array(text.utf8), until: end)
    end.signal()
    let outcome = try courier(Self.long).deliver(try MQTTFixture.delivery(), until: stop)
    guard case .unreachable = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("end with the run, at every stage", arguments: [[], acceptance])
  func stopped(answer bytes: [UInt8]) throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    let (server, stop) = (server, stop)
    DispatchQueue.global().async {
      guard let peer = try? server.accept() else { return }
      peer.wait(forRoom: false)
      peer.send(bytes[...])
      stop.stop()
      _ = end.waitInTime()
    }
    #expect(
      try courier(Self.long).deliver(try MQTTFixture.delivery(), until: stop) == .stopped)
    // It returns at once.
    try courier(Self.long).wait(until: .now + .seconds(3_000), stop)
  }

  @Test("do not end for new events, whose ring is still there afterwards")
  func ring() throws {
    stop.ring()
    let courier = try courier(Self.short)
    guard case .unreachable = courier.deliver(try MQTTFixture.delivery(), until: stop) else {
      Issue.record("the ring ended the attempt")
      return
    }
    courier.wait(until: .now + .seconds(3_000), stop)
    #expect(!stop.isSet)
  }

  @Test(
    "a refusal of the server names the reason",
    arguments: [
      ([0x20, 3, 0, 0x87, 0] as [UInt8], false), ([0x20, 3, 0, 0x88, 0], true),
    ])
  func refusal(bytes: [UInt8], isPassing: Bool) throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    answer(bytes, until: end)
    let outcome = try courier(Self.long).deliver(try MQTTFixture.delivery(), until: stop)
    switch outcome {
    case .unreachable(let reason):
      #expect(isPassing && reason.contains("server unavailable"))
    case .failed(let reason, nil):
      #expect(!isPassing && reason.contains("not authorized"))
    default: Issue.record("\(outcome)")
    }
  }
}
