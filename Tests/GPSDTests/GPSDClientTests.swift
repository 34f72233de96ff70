@testable import GPSD
import Receivers
import TestSupport
import Testing

/// Every fault of a connection, made by a server of ours; nothing here sleeps.
@Suite("A gpsd client", .timeLimit(.minutes(90)))
struct GPSDClientTests {
  private let greeting = LinkBench.version + LinkBench.devices + LinkBench.watch

  @Test("connects, subscribes and delivers gpsd's lines")
  func reports() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    let peer = try run.subscribe(to: server)
    peer.send(LinkBench.report(1) + LinkBench.report(2))
    let expected = greeting + LinkBench.report(1) + LinkBench.report(2)
    #expect(run.run { run.bytes.count >= expected.utf8.count })
    #expect(String(decoding: run.bytes, as: UTF8.self) == expected)
    #expect(run.words == ["connecting 1", "connected 3.22"])
  }

  @Test("resolves a name without blocking the loop, and tries its addresses in turn")
  func names() throws {
    // The server listens on 127.0.0.1 alone; where localhost is ::1 first, that one refuses.
    let server = try FakeServer()
    let run = ClientRun(GPSDAddress(host: "localhost", port: server.port))
    _ = try run.subscribe(to: server)
    #expect(run.words == ["connecting 1", "connected 3.22"])
  }

  @Test("reports a port without a listener")
  func refused() throws {
    let address = try FakeServer().address
    let run = ClientRun(address) { $0.reconnects = false }
    #expect(run.run { false } == false)
    #expect(run.words == ["connecting 1", "lost connection refused"])
  }

  @Test("reports an unknown host")
  func unknownHost() {
    let run = ClientRun(GPSDAddress(host: "[", port: 1)) { $0.reconnects = false }
    run.run { false }
    #expect(run.words.last?.hasPrefix("lost unknown host: ") == true)
  }

  @Test("gives up a server whose queue is full")
  func fullQueue() throws {
    let server = try FakeServer(backlog: 0)
    let clogs = try (0..<4).map { _ in try server.clog() }
    let run = ClientRun(server.address) {
      $0.reconnects = false
      $0.connectTimeout = .milliseconds(5)
    }
    run.run { false }
    #expect(run.words == ["connecting 1", "lost connecting timed out"])
    #expect(clogs.count == 4)
  }

  @Test("gives up a server that never greets")
  func noGreeting() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address) {
      $0.reconnects = false
      $0.handshakeTimeout = .milliseconds(5)
    }
    run.run { false }
    #expect(run.words == ["connecting 1", "lost timed out waiting for gpsd's greeting"])
  }

  @Test("accepts lines in pieces")
  func pieces() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    let peer = try run.subscribe(to: server)
    let before = run.bytes.count
    var expected = ""
    for number in 0..<5 {
      for byte in LinkBench.report(number).utf8 { peer.send([byte]) }
      expected += LinkBench.report(number)
      #expect(run.run { run.bytes.count == before + expected.utf8.count })
    }
    #expect(String(decoding: run.bytes[before...], as: UTF8.self) == expected)
  }

  @Test("reads a line of 20 kB, skips one of 100 kB and an endless one")
  func longLines() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    let peer = try run.subscribe(to: server)
    let before = run.bytes.count
    let long = #"{"class":"SKY","x":""# + String(repeating: "x", count: 20_000) + "\"}\r\n"
    let longer = #"{"class":"SKY","x":""# + String(repeating: "x", count: 100_000) + "\"}\r\n"
    for text in [long, longer, LinkBench.report(1)] {
      run.push(Array(text.utf8), through: peer)
    }
    let expected = long + LinkBench.report(1)
    #expect(run.run { run.bytes.count == before + expected.utf8.count })
    #expect(Array(run.bytes[before...]) == Array(expected.utf8))
    #expect(run.words.last == "notice skipped a line longer than 65536 bytes")
    run.push([UInt8](repeating: 0x78, count: 2 << 20), through: peer)
    #expect(run.run { run.losses == 1 })
    #expect(run.mostBuffered <= Link.longestLine + (1 << 16))
  }

  @Test("disconnects from a server that sends only junk, and retries")
  func junk() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    let peer = try run.subscribe(to: server)
    let junk = Array(repeating: Array("no gpsd at all\n".utf8), count: 9_000).flatMap(\.self)
    run.push(junk, through: peer)
    #expect(run.run { run.words.contains { $0.contains("without a report") } })
    _ = try run.subscribe(to: server)
    #expect(run.connections == 2)
  }

  @Test("survives a reset, and reconnects")
  func reset() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    for round in 1...3 {
      try run.subscribe(to: server).breakOff()
      #expect(run.run { run.losses == round })
      #expect(run.words.last == "lost the connection failed: connection reset by peer, retry")
    }
    #expect(run.connections == 3)
  }

  @Test("survives writing to a closed connection")
  func brokenPipe() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    do { _ = try run.subscribe(to: server) }
    // The question finds the connection closed, whether its end was read before or not.
    run.client.query(now: .now)
    run.client.query(now: .now)
    #expect(run.run { run.words.last?.hasPrefix("lost") == true })
  }

  @Test("ends a line that the end of the connection truncated, and keeps the order")
  func torn() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    do {
      let peer = try run.subscribe(to: server)
      peer.send(LinkBench.report(1) + "{\"class\":\"TPV\",\"mo")
    }
    _ = try run.subscribe(to: server)
    #expect(
      String(decoding: run.bytes, as: UTF8.self)
        == greeting + LinkBench.report(1) + "{\"class\":\"TPV\",\"mo\n" + greeting)
    #expect(
      run.words == [
        "connecting 1", "connected 3.22", "ended", "lost gpsd closed the connection, retry",
        "connecting 2", "connected 3.22",
      ])
  }

  @Test("detects a half-open connection")
  func halfOpen() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address) {
      $0.silence = .milliseconds(5)
      $0.answerTimeout = .milliseconds(5)
    }
    let peer = try run.subscribe(to: server)
    #expect(run.run { run.words.last?.hasPrefix("lost") == true })
    #expect(run.words.last == "lost gpsd does not answer, retry")
    #expect(peer.received() == "?DEVICES;\n")
  }

  @Test("reports a silent receiver while gpsd answers, and its next report")
  func silence() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address) { $0.silence = .milliseconds(5) }
    let peer = try run.subscribe(to: server)
    var request = ""
    #expect(
      run.run(watching: peer.descriptor) {
        request += peer.received()
        return request.hasSuffix("?DEVICES;\n")
      })
    peer.send(LinkBench.devices)
    #expect(run.run { run.events.contains(.answered) })
    #expect(run.words[2].hasPrefix("silent "))
    peer.send(LinkBench.report(1))
    #expect(run.run { run.events.contains(.status(.reporting)) })
  }

  @Test("processes a flood of 50 MB in bounded memory without loss")
  func flood() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    run.keepsBytes = false
    let peer = try run.subscribe(to: server)
    let line = Array(
      (#"{"class":"TPV","x":""# + String(repeating: "x", count: 10_000) + "\"}\r\n").utf8)
    let block = Array(repeating: line, count: 100).flatMap(\.self)
    let count = 53
    for _ in 0..<count { run.push(block, through: peer) }
    let expected = greeting.utf8.count + count * block.count
    #expect(expected > 50_000_000)
    #expect(run.run { run.count == expected })
    #expect(run.mostBuffered <= Link.longestLine + (1 << 16))
  }

  @Test("delivers events again after the caller's handler failed")
  func throwing() throws {
    struct Failure: Error {}
    let server = try FakeServer()
    let client = GPSDClient(server.address)
    var words: [String] = []
    for isFailing in [true, true, false] {
      do {
        try client.turn(now: .now, ready: []) { (event) throws(Failure) in
          words.append(LinkBench.words(event))
          if isFailing { throw Failure() }
        }
      } catch {
        words.append("failure")
      }
    }
    #expect(words == ["connecting 1", "failure"])
  }

  @Test("emits nothing after it was closed")
  func close() throws {
    let server = try FakeServer()
    let run = ClientRun(server.address)
    let peer = try run.subscribe(to: server)
    run.client.close()
    #expect(run.client.isOver && run.client.deadline == nil)
    peer.send(LinkBench.report(1))
    #expect(run.run { false } == false)
    #expect(run.words == ["connecting 1", "connected 3.22"])
  }
}
