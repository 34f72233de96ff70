import Dispatch
import Glibc
import Session
import TestSupport
import Testing

@testable import Outbox

/// Byte by byte, against a server that does what the test says.
@Suite(
  "The acknowledgement of a report", .timeLimit(.minutes(90)),
  .enabled(if: MosquittoBroker.isInstalled, "mosquitto or mosquitto-clients is not installed"))
struct MQTTReceiptTests {
  /// Packets of MQTT 5: CONNACK, SUBACK of the first subscription, PUBACK.
  private static let acceptance: [UInt8] = [0x20, 3, 0, 0, 0]
  private static let subscription: [UInt8] = [0x90, 4, 0, 1, 0, 1]

  private static func publication(_ id: UInt8, _ topic: String) -> [UInt8] {
    let payload = Array(InletStand.location(Int(id)).utf8)
    let body = [0, UInt8(topic.utf8.count)] + Array(topic.utf8) + [0, id, 0] + payload
    // All are shorter than 16,384 bytes.
    return [0x32, UInt8(body.count % 128) | 0x80, UInt8(body.count / 128)] + body
  }

  private static func acknowledgement(_ id: UInt8) -> [UInt8] { [0x40, 2, 0, id] }

  /// The client's end of a connection.
  private final class Client {
    private let peer: FakePeer
    private(set) var bytes: [UInt8] = []

    init(_ server: FakeServer) throws { peer = try server.accept() }

    func send(_ bytes: [UInt8]) { peer.send(bytes[...]) }

    /// Reads; false at the end.
    func read() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(peer.descriptor, &buffer, buffer.count, 0)
      bytes += buffer[..<max(0, count)]
      return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
    }

    func read(until what: String, _ isEnough: ([UInt8]) -> Bool) throws {
      try blockUntil(what) { read() && isEnough(bytes) }
    }

    func readToEnd() throws { try blockUntil("the end of the connection") { !read() } }

    func has(_ packet: [UInt8]) -> Bool { bytes.firstRange(of: packet) != nil }
  }

  private let server: FakeServer
  private let stand: InletStand

  init() throws {
    server = try FakeServer()
    stand = try InletStand(port: Int(server.port))
  }

  /// Accepts a client that subscribes, and sends it two reports before its subscription is answered, as a
  /// broker with an old session does.
  private func connect() throws -> Client {
    let client = try Client(server)
    try client.read(until: "CONNECT") { !$0.isEmpty }
    client.send(
      Self.acceptance + Self.publication(7, "owntracks/a/b") + Self.publication(8, "owntracks/a/c"))
    return client
  }

  @Test("is sent when both reports are kept, and no sooner") func kept() throws {
    let client = try connect()
    try stand.take(until: "the reports", nil) { $0.reports.count == 2 }
    #expect(stand.reports == ["a/b 7", "a/c 8"])
    stand.deliveries[0].answer(.kept)
    // Not even the subscription leaves: it would follow the acknowledgements.
    #expect(client.read() && !client.has(Self.acknowledgement(7)))
    stand.deliveries[1].answer(.refused(reason: "no"))
    try client.read(until: "the acknowledgements") { _ in client.has(Self.acknowledgement(8)) }
    #expect(client.has(Self.acknowledgement(7)))
    try client.read(until: "the subscription") { $0.contains(0x82) }
    client.send(Self.subscription)
    try stand.subscribe()
    #expect(stand.problems == ["owntracks/a/c: a message was refused: no"])
    stand.inlet.shutDown()
    try client.readToEnd()
    #expect(client.bytes.suffix(2) == [0xE0, 0])
  }

  @Test("is not sent when one cannot be kept, nor when the run ends before") func notKept() throws {
    let client = try connect()
    try stand.take(until: "the reports", nil) { $0.reports.count == 2 }
    stand.deliveries[0].answer(.kept)
    stand.deliveries[1].answer(.notKept(reason: "the disk is full"))
    try client.readToEnd()
    let second = try connect()
    try stand.take(until: "the reports again", nil) { $0.reports.count == 4 }
    stand.inlet.shutDown()
    try second.readToEnd()
    for client in [client, second] {
      #expect(!client.has(Self.acknowledgement(7)) && !client.has(Self.acknowledgement(8)))
      // The client asks for the old session, and no DISCONNECT would carry the acknowledgements away.
      #expect(client.bytes[9] & 2 == 0 && client.bytes.suffix(2) != [0xE0, 0])
    }
  }

  @Test("of a message that cannot be read is none: a new session begins without it")
  func unreadable()
    throws
  {
    defer { stand.inlet.shutDown() }
    let client = try Client(server)
    try client.read(until: "CONNECT") { !$0.isEmpty }
    client.send(Self.acceptance + Self.publication(7, "owntracks/a/\u{1}"))
    try client.readToEnd()
    let second = try Client(server)
    try second.read(until: "CONNECT") { $0.count > 9 }
    #expect(client.bytes[9] & 2 == 0 && second.bytes[9] & 2 == 2)
    stand.take()
    #expect(stand.statuses.last?.hasPrefix("a message of the broker cannot be read") == true)
    #expect(stand.reports.isEmpty)
  }
}
