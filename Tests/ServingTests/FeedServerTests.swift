import Session
import Foundation
import Synchronization
import TestSupport
import Testing
import Tracking

@testable import Serving

/// The numbers of the fixes in some lines, as ``table(_:)`` gave them.
private func numbers(_ lines: [String], of name: String = "track") -> [Int] {
  lines.compactMap { line in
    guard line.hasPrefix("{\"class\":\"TPV\",\"device\":\"replay://\(name)\"") else { return nil }
    let latitude = line.components(separatedBy: "\"lat\":").last
    return latitude.flatMap { Double($0.prefix { $0 != "," }) }.map { Int(($0 * 1_000).rounded()) }
  }
}

/// Reads several clients to the end, each on its own thread.
private func rests(_ sockets: [Socket]) -> [[String]] {
  let readings = sockets.map { Reading(of: $0) }
  return readings.map { $0.lines() }
}

/// Reads a client to the end on its own thread.
private final class Reading: Sendable {
  private let result = Mutex<[String]>([])
  private let isOver = DispatchSemaphore(value: 0)

  init(of socket: Socket) {
    // Only this thread uses the socket until the reading is over.
    nonisolated(unsafe) let socket = socket
    Thread.detachNewThread { [self] in
      let lines = (try? socket.rest()) ?? []
      result.withLock { $0 = lines }
      isOver.signal()
    }
  }

  func lines() -> [String] {
    #expect(isOver.waitInTime())
    return result.withLock { $0 }
  }
}

@Suite("A feed", .timeLimit(.minutes(90)))
struct FeedServerTests {
  @Test("sends its version, answers, plays from the first fix, and closes")
  func whole() throws {
    let broadcast = try Broadcast(fixes: ["track": 300])
    broadcast.play(waits: true)
    let socket = try broadcast.client()
    #expect(try socket.line()?.hasPrefix("{\"class\":\"VERSION\"") == true)
    socket.send("?POLL;?FOO;")
    #expect(try socket.line()?.hasPrefix("{\"class\":\"POLL\"") == true)
    #expect(try socket.line()?.hasPrefix("{\"class\":\"ERROR\"") == true)
    socket.watch()
    let lines = try socket.rest()
    #expect(lines[0].hasPrefix("{\"class\":\"DEVICES\""))
    #expect(lines[1].hasPrefix("{\"class\":\"WATCH\""))
    #expect(numbers(lines) == Array(0..<300))
    #expect(broadcast.end() == nil)
    let tally = broadcast.server.tally
    #expect(tally.fixes == 300)
    #expect((tally.clients, tally.watchers, tally.slow) == (1, 1, 0))
  }

  @Test("gives each client what it watches")
  func formats() throws {
    let broadcast = try Broadcast(fixes: ["car": 3, "van": 4])
    let clients = [
      try broadcast.watcher(), try broadcast.watcher(#""nmea":true"#),
      try broadcast.watcher(#""json":true,"nmea":true,"device":"replay://van""#),
      try broadcast.client(),
    ]
    broadcast.play()
    let lines = rests(clients)
    #expect(numbers(lines[0], of: "car") == [0, 1, 2])
    #expect(numbers(lines[0], of: "van") == [0, 1, 2, 3])
    #expect(lines[0].count == 7)
    #expect(lines[1].count == 14)
    #expect(lines[1].allSatisfy { $0.hasPrefix("$GP") })
    #expect(numbers(lines[2], of: "car") == [])
    #expect(numbers(lines[2], of: "van") == [0, 1, 2, 3])
    // The sentences of an instant, then the reports made from them.
    let kinds = lines[2].map { String($0.prefix(6)) }
    #expect(kinds == (0..<4).flatMap { _ in ["$GPRMC", "$GPGGA", "{\"clas"] })
    #expect(lines[3].count == 1)
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.watchers == 3)
  }

  @Test("drops clients that ask for nothing, and so has room for others")
  func silent() throws {
    let broadcast = try Broadcast(fixes: ["track": 3]) { limits in
      limits.clients = 3
      limits.silence = .milliseconds(40)
    }
    /// A client that watches, at the latest when a silent one was dropped; on a busy machine it may be
    /// dropped itself before it has asked.
    func watcher() throws -> Socket {
      var found: Socket?
      try blockUntil("a client that watches") {
        let socket = try broadcast.client()
        socket.watch()
        guard let line = try? socket.line(of: "WATCH"), !line.isEmpty else { return false }
        found = socket
        return true
      }
      return try #require(found)
    }
    let first = try watcher()
    let silent = try (0..<2).map { _ in try broadcast.client() }
    let late = [try watcher(), try watcher()]
    for socket in silent { #expect(try socket.rest().count <= 1) }
    broadcast.play()
    #expect(rests([first] + late).map { numbers($0) } == Array(repeating: [0, 1, 2], count: 3))
    #expect(broadcast.end() == nil)
    let tally = broadcast.server.tally
    #expect(tally.silent >= 2)
    #expect(tally.summary.contains { $0.hasSuffix("clients dropped as they asked for nothing") })
  }

  @Test("gives fifty clients everything")
  func many() throws {
    let broadcast = try Broadcast(fixes: ["track": 5_000])
    let clients = try (0..<50).map { _ in try broadcast.watcher() }
    broadcast.play()
    let counts = rests(clients).map { lines in lines.count { $0.hasPrefix("{\"class\":\"TPV\"") } }
    #expect(counts == Array(repeating: 5_000, count: 50))
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.slow == 0)
    #expect(broadcast.warnings == [])
  }

  @Test("goes as fast as the slowest client, and loses nothing")
  func slow() throws {
    let broadcast = try Broadcast(fixes: ["track": 20_000])
    let slow = try broadcast.watcher(receiveBuffer: 32_768)
    let fast = try broadcast.watcher()
    broadcast.play()
    let reading = Reading(of: fast)
    var taken = 0
    while case let piece = try slow.read(1_000), !piece.isEmpty { taken += piece.count }
    let lines = reading.lines()
    #expect(lines.count == 20_000)
    #expect(taken == lines.reduce(0) { $0 + $1.utf8.count + 2 })
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.slow == 0)
  }

  @Test("drops a client for which the others wait too long")
  func stalled() throws {
    let broadcast = try Broadcast(fixes: ["track": 20_000]) { $0.stall = .milliseconds(200) }
    let stuck = try broadcast.watcher(receiveBuffer: 4_096)
    let client = try broadcast.watcher()
    broadcast.play()
    let lines = try client.rest()
    #expect(lines.count == 20_000)
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.slow == 1)
    #expect(broadcast.warnings.count == 1)
    #expect(broadcast.warnings.first?.contains("took nothing for") == true)
    #expect(try stuck.rest().count < 20_000)
  }

  @Test("at the pace of a clock drops a client that is too far behind, and waits for none")
  func behind() throws {
    let broadcast = try Broadcast(fixes: ["track": 30_000]) { limits in
      limits.isPaced = true
      limits.backlog = 1 << 20
    }
    let stuck = try broadcast.watcher(receiveBuffer: 4_096)
    broadcast.play()
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.slow == 1)
    #expect(broadcast.server.tally.fixes == 30_000)
    #expect(broadcast.warnings.first?.hasSuffix("is 1 MiB behind; dropped") == true)
    #expect(try stuck.rest().count < 30_000)
  }

  @Test("continues when a client disconnects")
  func gone() throws {
    let broadcast = try Broadcast(fixes: ["track": 20_000])
    let client = try broadcast.watcher()
    var leaver: Socket? = try broadcast.watcher(receiveBuffer: 4_096)
    broadcast.play()
    _ = try leaver?.line()
    leaver = nil
    #expect(try client.rest().count == 20_000)
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.slow == 0)
  }

  @Test("closes a client whose request is a megabyte long, and no other")
  func endless() throws {
    let broadcast = try Broadcast(fixes: ["track": 5])
    let other = try broadcast.watcher()
    let client = try broadcast.client()
    client.send(String(repeating: "x", count: 1 << 20))
    let lines = try client.rest()
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix(#"{"class":"ERROR","message":"a request of more than"#) == true)
    broadcast.play()
    #expect(try numbers(other.rest()) == [0, 1, 2, 3, 4])
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.oversized == 1)
  }

  @Test("reads no more requests from a client that does not take its answers")
  func flood() throws {
    let broadcast = try Broadcast(fixes: ["track": 5])
    let client = try broadcast.client(receiveBuffer: 4_096)
    let questions = 5_000
    nonisolated(unsafe) let asker = client
    Thread.detachNewThread { asker.send(String(repeating: "?DEVICES;", count: questions)) }
    for _ in 0..<questions { #expect(try client.line(of: "DEVICES") != nil) }
    broadcast.play()
    #expect(broadcast.end() == nil)
  }

  @Test("refuses a client beyond the limit")
  func full() throws {
    let broadcast = try Broadcast(fixes: ["track": 2]) { $0.clients = 2 }
    let clients = [try broadcast.watcher(), try broadcast.watcher()]
    #expect(
      try broadcast.client().rest() == [#"{"class":"ERROR","message":"too many clients"}"#])
    broadcast.play()
    for lines in rests(clients) { #expect(numbers(lines) == [0, 1]) }
    #expect(broadcast.end() == nil)
    #expect(broadcast.server.tally.refused == 1)
  }

  @Test("answers a poll while it plays")
  func poll() throws {
    let clock = Mutex(0)
    let isAsked = DispatchSemaphore(value: 0)
    let broadcast = try Broadcast(fixes: ["track": 3]) { $0.isPaced = true }
    let client = try broadcast.watcher()
    let start = ContinuousClock.now
    broadcast.play(
      pace: Pacer(
        speed: 1, now: { start + .seconds(clock.withLock { $0 }) },
        sleep: { _ in
          #expect(isAsked.waitInTime())
          clock.withLock { $0 += 1 }
        }))
    // After the last fix it ends and answers no more.
    for second in 0..<2 {
      let report = try #require(try client.line(of: "TPV"))
      #expect(numbers([report]) == [second])
      client.send("?POLL;")
      let answer = try #require(try client.line(of: "POLL"))
      #expect(answer.contains("\"time\":\"2025-03-10T14:02:0\(7 + second).000Z\",\"active\":1"))
      #expect(answer.contains("\"lat\":0.00\(second)000000"))
      isAsked.signal()
    }
    #expect(try numbers(client.rest()) == [2])
    #expect(broadcast.end() == nil)
  }

  @Test("can be stopped in every wait")
  func stop() throws {
    let waiting = try Broadcast(fixes: ["track": 3])
    waiting.play(waits: true)
    let idle = try waiting.client()
    _ = try idle.line()
    waiting.server.stop()
    #expect(try idle.rest() == [])
    guard case .stopped? = waiting.end() else {
      Issue.record("it played on")
      return
    }
    let blocked = try Broadcast(fixes: ["track": 30_000])
    let stuck = try blocked.watcher(receiveBuffer: 4_096)
    blocked.play()
    _ = try stuck.line(of: "TPV")
    blocked.server.stop()
    guard case .stopped? = blocked.end() else {
      Issue.record("it played on")
      return
    }
  }

  @Test("listens on this machine only, also by IPv6 if it has it")
  func addresses() throws {
    let broadcast = try Broadcast(fixes: ["track": 3])
    #expect(!broadcast.server.isPublic)
    #expect(broadcast.server.addresses[0].hasPrefix("127.0.0.1:"))
    for address in broadcast.server.addresses {
      #expect(try Socket(address).line()?.hasPrefix("{\"class\":\"VERSION\"") == true)
    }
    let everywhere = try FeedServer(
      on: [.address(ListenAddress(host: "0.0.0.0", port: 0))], registry: DeviceRegistry(),
      limits: FeedLimits()
    ) { _ in }
    #expect(everywhere.isPublic)
    everywhere.shutDown()
  }

  @Test("reports a port in use, and an address that the machine does not have")
  func inUse() throws {
    let broadcast = try Broadcast(fixes: ["track": 3])
    let taken = try #require(ListenAddress(broadcast.server.addresses[0]))
    for (address, why) in [
      (taken, "the port is in use, perhaps by gpsd"),
      (ListenAddress(host: "192.0.2.1", port: 0), "this machine has no such address"),
      (ListenAddress(host: "no-such-host.invalid", port: 0), "the host is unknown ("),
    ] {
      let error = #expect(throws: ServingError.self) {
        try FeedServer(
          on: [.address(address)], registry: DeviceRegistry(), limits: FeedLimits()
        ) { _ in }
      }
      #expect(error?.description.hasPrefix("cannot listen on \(address): \(why)") == true)
    }
  }
}
