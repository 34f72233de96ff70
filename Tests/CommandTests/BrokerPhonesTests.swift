import Foundation
import TestSupport
import Testing

/// Phones that publish at a broker, as sources of `watch`.
@Suite(
  "Phones that publish at a broker", .timeLimit(.minutes(90)),
  .enabled(if: MosquittoBroker.isInstalled, "mosquitto or mosquitto-clients is not installed"))
struct BrokerPhonesTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func write(_ source: String) throws {
    try runner.write("phones.yaml", PhonesTests.config(source))
  }

  private func watch(_ number: Int) throws -> CommandRunner.Running {
    try runner.start(
      [
        "watch", "--config", "phones.yaml", "--output", "events", "--format", "jsonl",
        "--record", "trip.jsonl", "--state", "state", "--status", "status",
      ] + PhonesTests.kinds, errors: "errors\(number)")
  }

  private static let start = 1_770_000_000

  /// The message of a phone in a second of its drive through the gate.
  private static func location(_ second: Int) -> String {
    let place = (Double(second % 600 < 300 ? second % 600 : 600 - second % 600) / 300 - 0.5) * 0.02
    return #"{"_type":"location","lat":0,"lon":\#(place),"tst":\#(start + second),"acc":10}"#
  }

  private static let phones = ["jane/phone", "joe/pad"]

  private static func isFix(_ line: Substring) -> Bool { line.hasPrefix(#"{"type":"fix""#) }

  /// Waits until the log has the fixes of a second of both phones.
  private func waitForFixes(of second: Int) throws {
    let date = Date(timeIntervalSince1970: Double(Self.start + second))
    let time = date.formatted(.iso8601).dropLast()
    try blockUntil("the fixes at \(time)") {
      let lines = try runner.read("events").split(separator: "\n").filter(Self.isFix)
      return Self.phones.allSatisfy { phone in
        lines.contains {
          $0.contains(#""device":"\#(phone)""#) && $0.contains(#""time":"\#(time).000Z""#)
        }
      }
    }
  }

  @Test("kill -9 of watch, and of the broker, lose and repeat nothing; the recording replays")
  func kill() throws {
    func run(kills: Set<Int>, restarts: Set<Int>) throws -> [Substring] {
      let stand = try BrokerPhonesTests()
      let folder = try ScratchFolder()
      let broker = try MosquittoBroker(MosquittoBroker.remembering(in: folder), in: folder)
      try stand.write("{mqtt: \"mqtt://127.0.0.1:\(broker.port)\", topics: owntracks/+/+}")
      var number = 0
      var watch = try stand.watch(number)
      try stand.runner.wait(for: "subscribed to owntracks/+/+", in: "errors0")
      try broker.saveSessions()
      for part in 0..<8 {
        for phone in Self.phones {
          try broker.publish(
            (0..<50).map { Self.location(50 * part + $0) }, under: "owntracks/\(phone)")
        }
        if kills.contains(part) {
          // In the middle of what was just published, which waits at the broker.
          watch.send(SIGKILL)
          #expect(try watch.finish().code == 128 + SIGKILL)
          number += 1
          watch = try stand.watch(number)
        }
        guard restarts.contains(part) else { continue }
        // The broker knows the session from its file only.
        try stand.waitForFixes(of: 50 * part + 49)
        broker.kill()
        try broker.start()
      }
      try stand.waitForFixes(of: 399)
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
      let log = try stand.runner.read("events")
      let replay = try stand.runner.waymark(
        ["replay", "trip.jsonl", "--config", "phones.yaml", "--format", "jsonl"] + PhonesTests.kinds
      )
      #expect(replay.output == log)
      return log.split(separator: "\n")
    }
    func events(_ lines: [Substring], _ device: String) -> [Substring] {
      lines.filter { $0.contains(#""device":"\#(device)""#) }
    }
    let whole = try run(kills: [], restarts: [])
    let broken = try run(kills: [0, 2, 3, 6], restarts: [1, 4])
    func fixes(_ lines: [Substring]) -> [Substring] { lines.filter(Self.isFix) }
    for device in Self.phones {
      let (expected, found) = (events(whole, device), events(broken, device))
      #expect(fixes(expected).count == 400)
      // The log may repeat fixes after a kill, but no event.
      #expect(Set(fixes(found)) == Set(fixes(expected)))
      #expect(expected.contains { $0.hasPrefix(#"{"type":"enter""#) })
      #expect(expected.contains { $0.hasPrefix(#"{"type":"exit""#) })
      #expect(found.filter { !Self.isFix($0) } == expected.filter { !Self.isFix($0) })
    }
  }

  @Test("a broker that is away is named; what comes later arrives, and the status file counts it")
  func away() throws {
    let broker = try MosquittoBroker()
    broker.kill()
    let address = "mqtt://127.0.0.1:\(broker.port)"
    try write("{mqtt: \"\(address)\", topics: \"owntracks/#\"}")
    let check = try runner.waymark("check phones.yaml --online".words)
    #expect(check.code == 69)
    #expect(check.output.hasSuffix("\(address): connection refused\n"))
    let doctor = try runner.waymark("doctor --config phones.yaml".words)
    #expect(
      doctor.code == 1 && doctor.output.contains("broker       \(address): connection refused"))
    let watch = try watch(0)
    try runner.wait(for: "\(address): no reports: connection refused; retrying", in: "errors0")
    try broker.start()
    try runner.wait(for: "\(address): subscribed to owntracks/#", in: "errors0")
    try broker.publish(["{", Self.location(0)], under: "owntracks/jane/phone")
    try broker.publish([#"{"_type":"transition"}"#], under: "owntracks/jane/phone/event")
    try runner.wait(
      for:
        #""devices":1,"messages":1,"ignored":1,"refused":1,"status":"subscribed to owntracks/#"}"#,
      in: "status")
    #expect(try runner.waymark("check phones.yaml --online".words).code == 0)
    watch.send(SIGTERM)
    #expect(try watch.finish().code == 0)
    let errors = try runner.read("errors0")
    #expect(errors.contains("\(address): messages of the type 'transition' have no position"))
    #expect(errors.contains("\(address): owntracks/jane/phone: a message was refused: byte "))
    #expect(errors.contains("waymark: jane/phone reports to \(address)"))
  }

  @Test("after a restart a phone is shown with the source that it reports to, of several")
  func sources() throws {
    let broker = try MosquittoBroker()
    let address = "mqtt://127.0.0.1:\(broker.port)"
    try write("{http: 0}, {mqtt: \"\(address)\"}")
    for number in 0..<2 {
      let watch = try watch(number)
      try runner.wait(for: "subscribed to owntracks/+/+", in: "errors\(number)")
      try broker.publish([Self.location(number)], under: "owntracks/jane/phone")
      try runner.wait(
        for: #""status":"fix","device":"jane/phone","source":"\#(address)""#, in: "status")
      watch.send(SIGTERM)
      #expect(try watch.finish().code == 0)
    }
  }

  @Test("files of TLS are errors of the config, secrets that all can read are warnings")
  func files() throws {
    try runner.write("none.pem", "no certificate\n")
    try write("{mqtt: mqtts://localhost, ca-file: none.pem}")
    let bad = try runner.waymark("watch --config phones.yaml".words)
    #expect(bad.code == 78)
    #expect(
      bad.errors.contains("phones.yaml:1:46: sources[0].ca-file: found 'none.pem', a file without"),
      "\(bad.errors)")
    try write("{mqtt: mqtts://localhost, ca-file: absent.pem}")
    let absent = try runner.waymark("watch --config phones.yaml".words)
    #expect(absent.code == 78 && absent.errors.contains("which cannot be read (no such file"))
    try runner.write("password", "secret\n")
    _ = try runner.shell("chmod 644 password")
    try write("{mqtt: mqtt://localhost, user: jane, password-file: password}")
    let check = try runner.waymark("check phones.yaml".words)
    #expect(
      check.code == 0
        && check.output.contains("mqtt://localhost:1883: every user of this machine can read"))
  }
}
