import Glibc
import TestSupport
import Testing

@Suite("record", .timeLimit(.minutes(90)))
struct RecordTests {
  private static let greeting =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    + #"{"class":"DEVICES","devices":[]}"# + "\r\n"
    + #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n"

  private static func report(_ number: Int) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":3,"number":\#(number)}"# + "\r\n"
  }

  private static func header(_ server: FakeServer, device: String = "127.0.0.1") -> String {
    #"{"class":"WAYMARK","recording":1,"source":"gpsd://127.0.0.1:\#(server.port)","#
      + #""device":"\#(device)"}"# + "\n"
  }

  /// A recording without its id, which is random, and its part.
  private static func withoutID(_ text: String) -> String {
    text.replacing(/,"start":"[0-9a-f]{16}"(,"id":"[0-9a-f]{16}","part":1)?/, with: "")
  }

  /// Waits until the client has asked to watch.
  private func greet(_ peer: FakePeer) {
    peer.send(Self.greeting)
    var request = ""
    while !request.contains("?WATCH="), peer.wait(forRoom: false) {
      request += peer.received()
    }
  }

  @Test("writes gpsd's data after a header, and exits with 69 when it must not reconnect")
  func bytes() throws {
    let (runner, server) = (try CommandRunner(), try FakeServer())
    let address = "gpsd://127.0.0.1:\(server.port)"
    let running = try runner.start(["record", address, "-o", "trip.jsonl", "--no-reconnect"])
    do {
      let peer = try server.accept()
      greet(peer)
      for number in 0..<3 { peer.send(Self.report(number)) }
    }
    let outcome = try running.finish()
    #expect(outcome.code == 69)
    let said = Self.greeting + (0..<3).map(Self.report).joined()
    #expect(try Self.withoutID(runner.read("trip.jsonl")) == Self.header(server) + said)
    #expect(
      outcome.errors == """
        waymark: connecting to \(address)
        waymark: connected to gpsd 3.22 at \(address)
        waymark: \(address) is unavailable: gpsd closed the connection
        waymark: 6 lines, \(said.utf8.count) bytes in trip.jsonl

        """)
  }

  @Test("uses source and device of the config, and exits with 69 without a listener")
  func config() throws {
    let runner = try CommandRunner()
    let port = try FakeServer().port
    try runner.write("waymark.yaml", "device: van\nsource: gpsd://127.0.0.1:\(port)\n")
    let outcome = try runner.waymark(
      ["record", "--config", "waymark.yaml", "-o", "trip.jsonl", "--no-reconnect"])
    #expect(outcome.code == 69)
    #expect(
      outcome.errors == """
        waymark: connecting to gpsd://127.0.0.1:\(port)
        waymark: gpsd://127.0.0.1:\(port) is unavailable: connection refused
        waymark: 0 lines, 0 bytes in trip.jsonl

        """)
  }

  @Test(
    "exits with 0 on a signal, and prints a summary",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(signal: Int32) throws {
    let (runner, server) = (try CommandRunner(), try FakeServer())
    let running = try runner.start(
      ["record", "gpsd://127.0.0.1:\(server.port)", "-o", "trip.jsonl", "--device", "van"])
    let peer = try server.accept()
    greet(peer)
    running.send(signal)
    let outcome = try running.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errors.hasSuffix(" bytes in trip.jsonl\n"))
    let text = Self.withoutID(try runner.read("trip.jsonl"))
    #expect(text.hasPrefix(Self.header(server, device: "van")))
    #expect((Self.header(server, device: "van") + Self.greeting).hasPrefix(text))
  }

  @Test("--help says that what comes at once is not split", arguments: ["record", "watch"])
  func unsplit(_ command: String) throws {
    let help = try CommandRunner().waymark(["help", command]).output
    let words = help.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("what comes at once is not split"))
  }

  @Test("reports why it cannot write")
  func unwritable() throws {
    let runner = try CommandRunner()
    let outcome = try runner.waymark(["record", "-o", "traces"])
    #expect(outcome.code == 74)
    #expect(outcome.errors == "waymark: traces: cannot record: is a directory\n")
  }

  @Test("keeps every line but the last when it is killed, and continues after it")
  func killed() throws {
    let seed: UInt64 = 4
    var random = SeededGenerator(seed: seed)
    let (runner, server) = (try CommandRunner(), try FakeServer())
    let rounds = 8
    for round in 1...rounds {
      let running = try runner.start(
        ["record", "gpsd://127.0.0.1:\(server.port)", "-o", "trip.jsonl"])
      let peer = try server.accept()
      greet(peer)
      let text = Array((0..<20_000).map(Self.report).joined().utf8)
      let end = Int.random(in: Self.report(0).utf8.count..<text.count, using: &random)
      var sent = 0
      while sent < end {
        peer.wait(forRoom: true)
        sent += peer.send(text[sent..<min(end, sent + 4_096)])
      }
      // However busy the machine is, it has written the first report of the round by then.
      try blockUntil("round \(round) is recorded, seed \(seed)") {
        try runner.read("trip.jsonl").ranges(of: Self.report(0)).count >= round
      }
      running.send(SIGKILL)
      #expect(try running.finish().code == 128 + SIGKILL)
    }
    let known = Set(
      (Self.header(server) + Self.greeting + (0..<20_000).map(Self.report).joined())
        .utf8.split(separator: 10).map { String(Substring($0)) })
    let lines = Self.withoutID(try runner.read("trip.jsonl")).utf8.split(separator: 10).map {
      String(Substring($0))
    }
    let torn = lines.filter { !known.contains($0) }
    #expect(torn.count <= rounds, "seed \(seed)")
    // In each round the lines are those that were sent, from the first one on, without a gap.
    var next = 0
    for line in lines where known.contains(line) {
      if line == Self.header(server).dropLast() { next = 0 }
      guard line.contains("TPV") else { continue }
      #expect(line + "\n" == Self.report(next), "seed \(seed)")
      next += 1
    }
    #expect(lines.count { $0 == Self.header(server).dropLast() } <= rounds, "seed \(seed)")
    #expect(lines.count > 4 * rounds, "seed \(seed)")
  }
}
