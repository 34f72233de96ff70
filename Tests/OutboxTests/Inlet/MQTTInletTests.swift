import Foundation
import Session
import Settings
import TestSupport
import Testing

@testable import Outbox

/// Against a real mosquitto.
@Suite(
  "Reports of phones by a broker", .timeLimit(.minutes(90)),
  .enabled(if: MosquittoBroker.isInstalled, "mosquitto or mosquitto-clients is not installed"))
struct MQTTInletTests {
  private static let phone = "owntracks/jane/phone"

  private static func locations(_ seconds: Range<Int>) -> [String] {
    seconds.map { InletStand.location($0) }
  }

  private static func reports(_ seconds: Range<Int>, of device: String = "jane/phone") -> [String] {
    seconds.map { "\(device) \($0)" }
  }

  @Test(
    "arrive once each and in order, by the name in the topic",
    arguments: BrokerSettings.Version.allCases)
  func order(version: BrokerSettings.Version) throws {
    let broker = try MosquittoBroker()
    let stand = try InletStand(port: broker.port) { $0.version = version }
    defer { stand.inlet.shutDown() }
    try stand.subscribe()
    try broker.publish(Self.locations(0..<300), under: Self.phone)
    try broker.publish(
      [InletStand.location(5, more: #","topic":"owntracks/jane/phone","device":"jane/phone""#)],
      under: "owntracks/mallory/x")
    try stand.take(until: "301 reports") { $0.reports.count >= 301 }
    #expect(stand.reports == Self.reports(0..<300) + ["mallory/x 5"])
    #expect(stand.problems == [] && stand.ignored == [:])
  }

  @Test(
    "wait at the broker while nobody is there, and until they are kept",
    arguments: BrokerSettings.Version.allCases)
  func session(version: BrokerSettings.Version) throws {
    let broker = try MosquittoBroker()
    func stand() throws -> InletStand {
      try InletStand(port: broker.port) { $0.version = version }
    }
    let first = try stand()
    try first.subscribe()
    first.inlet.shutDown()
    try broker.publish(Self.locations(0..<30), under: Self.phone)
    let second = try stand()
    // The run ends before it has kept them.
    try second.take(until: "reports", nil) { !$0.reports.isEmpty }
    second.inlet.shutDown()
    let third = try stand()
    try third.take(until: "all of them") { $0.reports.count >= 30 }
    third.inlet.shutDown()
    #expect(third.reports == Self.reports(0..<30))
    let fourth = try stand()
    defer { fourth.inlet.shutDown() }
    try fourth.subscribe()
    try broker.publish(Self.locations(30..<31), under: Self.phone)
    try fourth.take(until: "the next one") { !$0.reports.isEmpty }
    #expect(fourth.reports == Self.reports(30..<31))
  }

  @Test("come again when they cannot be kept") func notKept() throws {
    let broker = try MosquittoBroker()
    let stand = try InletStand(port: broker.port)
    defer { stand.inlet.shutDown() }
    try stand.subscribe()
    try broker.publish(Self.locations(0..<3), under: Self.phone)
    try stand.take(until: "the reports", .notKept(reason: "the disk is full")) {
      $0.reports.count >= 3
    }
    // They come in one connection or in several, and some of the last one may still be on their way.
    let refused = stand.reports.count
    try stand.take(until: "the reports again, all and in order") {
      $0.reports.dropFirst(refused).suffix(3) == Self.reports(0..<3)[...]
    }
    #expect(
      stand.statuses.contains(
        "no reports: a report cannot be kept (the disk is full); retrying"))
  }

  @Test("that were retained come once, at first") func retained() throws {
    let broker = try MosquittoBroker()
    try broker.publish(Self.locations(7..<8), under: Self.phone, isRetained: true)
    let first = try InletStand(port: broker.port)
    try first.take(until: "what is retained") { !$0.reports.isEmpty }
    first.inlet.shutDown()
    #expect(first.reports == Self.reports(7..<8))
    let second = try InletStand(port: broker.port)
    defer { second.inlet.shutDown() }
    try second.subscribe()
    try broker.publish(Self.locations(8..<9), under: Self.phone)
    try second.take(until: "the next one") { !$0.reports.isEmpty }
    #expect(second.reports == Self.reports(8..<9))
  }

  @Test("under the topics where this program publishes are not taken, and are no problems")
  func ownPublications() throws {
    let broker = try MosquittoBroker()
    var settings = MQTTSettings(BrokerSettings(host: "localhost", port: broker.port))
    settings.dialects = [.waymark, .owntracks]
    var receiver = try OutboxFixture.receiver("friends")
    receiver.channel = .mqtt(settings)
    let source = BrokerSettings(host: "127.0.0.1", port: broker.port)
    let root = try #require(receiver.ownTracksRoot(at: source))
    #expect(root == "owntracks/waymark/")
    #expect(receiver.ownTracksRoot(at: BrokerSettings(host: "elsewhere", port: 1883)) == nil)
    let stand = try InletStand(port: broker.port, published: [root])
    defer { stand.inlet.shutDown() }
    try stand.subscribe()
    try broker.publish(Self.locations(0..<3) + ["{"], under: "owntracks/waymark/jane%2fphone")
    try broker.publish(
      [#"{"_type":"transition","lat":1,"lon":1,"tst":1,"event":"enter"}"#],
      under: "owntracks/waymark/jane%2fphone/event")
    try broker.publish(Self.locations(3..<4), under: "owntracks/waymarker/phone")
    try stand.take(until: "the report of a phone") { !$0.reports.isEmpty }
    #expect(stand.reports == ["waymarker/phone 3"])
    #expect(stand.problems == [] && stand.ignored == [:])
  }

  @Test("that hold no position of OwnTracks are counted, and harm nothing") func hostile() throws {
    let broker = try MosquittoBroker()
    let stand = try InletStand(port: broker.port)
    defer { stand.inlet.shutDown() }
    try stand.subscribe()
    let folder = try ScratchFolder()
    try folder.write("long", String(repeating: " ", count: (1 << 20) + 1))
    try folder.write("endless", String(repeating: " ", count: 2 << 20))
    try folder.write("empty", "")
    let bad = [
      "{", "[]",
      #"{"_type":"encrypted","data":"x"}"#,
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"#
        + #""properties":{"timestamp":"2026-02-02T02:40:00Z","device_id":"jane/phone"}}]}"#,
      #"{"_type":"location","lat":1e999,"lon":[],"tst":"x"}"#,
    ]
    try broker.publish(bad, under: Self.phone)
    try broker.publish(file: folder.file("long"), under: Self.phone)
    // The broker does not send it.
    try broker.publish(file: folder.file("endless"), under: Self.phone)
    try broker.publish(
      [#"{"_type":"transition","lat":1,"lon":1,"tst":1,"event":"enter"}"#, #"{"_type":"lwt"}"#],
      under: Self.phone + "/event")
    try broker.publish(file: folder.file("empty"), under: Self.phone)
    let name = String(repeating: "é", count: 101)
    try broker.publish(Self.locations(1..<2), under: "owntracks/\(name)")
    let good = ["../..", "a b", "é/✓", "'; DROP TABLE events; --/\"", "%2f"]
    for device in good { try broker.publish(Self.locations(1..<2), under: "owntracks/\(device)") }
    try stand.take(until: "the last one") { $0.reports.count >= good.count }
    #expect(stand.reports == good.map { "\($0) 1" })
    #expect(stand.ignored == ["transition": 1, "lwt": 1, "empty": 1])
    let starts = [
      "byte 1", "byte 0", "the message is encrypted", "found no message of OwnTracks", "lat",
      "the message is longer than the limit of 1 MiB", "found a name of the device with control",
    ]
    #expect(stand.problems.count == starts.count, "\(stand.problems)")
    for (problem, start) in zip(stand.problems, starts) {
      #expect(problem.contains(": a message was refused: \(start)"), "\(problem)")
    }
  }

  @Test("come when the broker does, and again after it was away") func away() throws {
    let folder = try ScratchFolder()
    let broker = try MosquittoBroker(MosquittoBroker.remembering(in: folder), in: folder)
    broker.kill()
    let stand = try InletStand(port: broker.port)
    defer { stand.inlet.shutDown() }
    try stand.take(until: "the failure") { !$0.statuses.isEmpty }
    #expect(stand.statuses == ["no reports: connection refused; retrying"])
    for round in 0..<3 {
      try broker.start()
      try stand.subscribe(round + 1)
      try broker.saveSessions()
      let seconds = round * 10..<round * 10 + 10
      try broker.publish(Self.locations(seconds), under: Self.phone)
      try stand.take(until: "the reports") { $0.reports.count >= seconds.upperBound }
      broker.kill()
      try stand.take(until: "the loss") { $0.statuses.count >= 2 * round + 3 }
    }
    #expect(stand.reports == Self.reports(0..<30))
  }

  @Test("a broker that refuses the user is named with the reason") func refused()
    throws
  {
    let folder = try ScratchFolder()
    try folder.write("users", "")
    let broker = try MosquittoBroker(["password_file \(folder.file("users"))"])
    let stand = try InletStand(port: broker.port)
    defer { stand.inlet.shutDown() }
    try stand.take(until: "the refusal") { !$0.statuses.isEmpty }
    #expect(
      stand.statuses == [
        "the broker refuses the connection: not authorized; check user and password-file; trying again "
          + "in 10 min"
      ])
  }

  @Test("a certificate that is not trusted is named, and the probe says the same") func tls()
    throws
  {
    let folder = try ScratchFolder()
    try MosquittoBroker.makeCertificates(in: folder)
    let broker = try MosquittoBroker(
      [
        "certfile \(folder.file("localhost.pem"))", "keyfile \(folder.file("localhost.key"))",
        "allow_anonymous true",
      ], in: folder)
    func change(_ authority: String) -> (inout BrokerSettings) -> Void {
      {
        ($0.host, $0.usesTLS) = ("localhost", true)
        $0.authorityFile = folder.file(authority)
      }
    }
    let stranger = try InletStand(port: broker.port, change("stranger.pem"))
    try stranger.take(until: "the failure") { !$0.statuses.isEmpty }
    stranger.inlet.shutDown()
    #expect(stranger.statuses[0].hasPrefix("no reports: its certificate is not trusted"))
    var settings = BrokerSettings(host: "127.0.0.1", port: broker.port)
    change("stranger.pem")(&settings)
    #expect(MQTTInlet.probe(settings)?.hasPrefix("its certificate is not trusted") == true)
    change("authority.pem")(&settings)
    #expect(MQTTInlet.probe(settings) == nil)
    let stand = try InletStand(port: broker.port, change("authority.pem"))
    defer { stand.inlet.shutDown() }
    try stand.subscribe()
    let client = ["-h", "localhost", "--cafile", folder.file("authority.pem")]
    let lines = Self.locations(0..<100).joined(separator: "\n")
    let result = try runProgram(
      "/usr/bin/mosquitto_pub",
      client + ["-p", "\(broker.port)", "-q", "1", "-t", Self.phone, "-l"], input: lines + "\n")
    #expect(result.code == 0, "\(result.output)")
    try stand.take(until: "the reports") { $0.reports.count >= 100 }
    #expect(stand.reports == Self.reports(0..<100))
    #expect(throws: ReceiverError.self) { try InletStand(port: broker.port, change("none.pem")) }
  }
}
