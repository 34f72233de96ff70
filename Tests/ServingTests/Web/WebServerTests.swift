import Foundation
import Session
import Synchronization
import TestSupport
import Testing

@testable import Serving

@Suite("The server of the live map", .timeLimit(.minutes(90)))
struct WebServerTests {
  private final class Warnings: Sendable {
    let lines = Mutex<[String]>([])
  }

  private static let page = WebPage(
    path: "/", type: "text/html; charset=utf-8", bytes: Array("<p>page\n".utf8))

  private let warnings = Warnings()

  private func server(
    token: WebToken? = nil, listsDevices: Bool = false,
    _ change: (inout WebLimits) -> Void = { _ in }
  ) throws -> WebServer {
    var limits = WebLimits()
    change(&limits)
    return try WebServer(
      on: ListenAddress(port: 0), token: token, pages: [Self.page],
      listsDevices: listsDevices, run: "ab", limits: limits
    ) { [warnings] line in warnings.lines.withLock { $0.append(line) } }
  }

  /// The lines of an answer whose connection the server closes.
  private func get(_ server: WebServer, _ path: String, _ headers: String = "") throws -> [String] {
    let socket = try Socket(server.addresses[0])
    socket.send(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n")
    var lines: [String] = []
    while let line = try socket.line() { lines.append(line) }
    return lines
  }

  private func stream(_ server: WebServer, _ headers: String = "") throws -> Socket {
    let socket = try Socket(server.addresses[0])
    socket.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
    return socket
  }

  /// Reads lines up to one that begins with a text, which is given.
  private func line(_ prefix: String, of socket: Socket) throws -> String {
    while let line = try socket.line() {
      if line.hasPrefix(prefix) { return line }
    }
    throw Socket.Failure(call: "no line \(prefix)")
  }

  private func state(_ number: Int, of device: String = "van") -> WebState {
    WebState(
      device: device, status: Array("{\"number\":\(number)}".utf8),
      positions: [Array("[\(number)]".utf8)])
  }

  private func publish(_ number: Int, of device: String = "van", to server: WebServer) {
    server.publish([state(number, of: device)], run(number))
  }

  private func run(_ number: Int) -> WebRun {
    WebRun(status: Array("{\"run\":\(number)}".utf8), metrics: Array("m \(number)\n".utf8))
  }

  @Test("gives the page, the status, the metrics, the track and the events")
  func answers() throws {
    let server = try server()
    defer { server.shutDown() }
    #expect(try get(server, "/status").last == "{}")
    publish(1, to: server)
    publish(2, to: server)
    server.publish(events: (1...3).map { Array("{\"e\":\($0)}\n".utf8) })
    let page = try get(server, "/")
    #expect(page.first == "HTTP/1.1 200 OK" && page.last == "<p>page")
    #expect(page.contains("X-Content-Type-Options: nosniff"))
    #expect(page.contains { $0.hasPrefix("Content-Security-Policy: default-src 'none'; ") })
    #expect(try get(server, "/status").last == "{\"number\":2,\"run\":2}")
    #expect(try get(server, "/metrics").last == "m 2")
    #expect(try get(server, "/track").last == #"[{"device":"van","positions":[[1],[2]]}]"#)
    #expect(try get(server, "/fences").last == #"{"fences":[]}"#)
    server.publish(fences: Array("{\"fences\":[1]}\n".utf8))
    #expect(try get(server, "/fences").last == #"{"fences":[1]}"#)
    let events = try get(server, "/events?since=ab-1")
    #expect(events.contains("X-Last-Event-ID: ab-3"))
    #expect(events.suffix(2) == ["{\"e\":2}", "{\"e\":3}"])
    #expect(try get(server, "/none").first == "HTTP/1.1 404 Not Found")
    #expect(try get(server, "/status", "Origin: http://evil\r\n").first == "HTTP/1.1 403 Forbidden")
  }

  @Test("streams what is published, and goes on after the last event that a client has")
  func streams() throws {
    let server = try server()
    defer { server.shutDown() }
    server.publish(events: [Array("{\"e\":1}\n".utf8)])
    let socket = try stream(server)
    #expect(try line("id:", of: socket) == "id: ab-1")
    #expect(try line("data:", of: socket) == "data: {\"e\":1}")
    #expect(try line("event:", of: socket) == "event: run")
    publish(7, to: server)
    #expect(try line("event:", of: socket) == "event: status")
    #expect(try line("data:", of: socket) == "data: {\"number\":7}")
    #expect(try line("event:", of: socket) == "event: run")
    #expect(try line("data:", of: socket) == "data: {\"run\":7}")
    server.publish(fences: Array("{}".utf8))
    #expect(try line("event:", of: socket) == "event: fences")
    server.publish(events: [Array("{\"e\":2}\n".utf8)])
    #expect(try line("id:", of: socket) == "id: ab-2")
    let resumed = try stream(server, "Last-Event-ID: ab-1\r\n")
    #expect(try line("id:", of: resumed) == "id: ab-2")
    // After a restart the numbers begin again: all that is kept comes.
    let other = try stream(server, "Last-Event-ID: old-99\r\n")
    #expect(try line("id:", of: other) == "id: ab-1")
  }

  @Test("gives the tiles of the map, or lets the page request them from one other server")
  func tiles() throws {
    func server(_ tiles: WebTiles?) throws -> WebServer {
      try WebServer(
        on: ListenAddress(port: 0), token: nil,
        pages: [WebPage(path: "/", type: "text/html", bytes: [])],
        tiles: tiles, listsDevices: false, run: "ab"
      ) { [warnings] line in warnings.lines.withLock { $0.append(line) } }
    }
    let own = try server(
      .images(type: "image/png") {
        $0 == 1 ? [0x41, UInt8($1 + 0x30), UInt8($2 + 0x30), 0x0A] : nil
      })
    defer { own.shutDown() }
    let tile = try get(own, "/tiles/1/0/1")
    #expect(tile.contains("Content-Type: image/png") && tile.last == "A01")
    let missing = try get(own, "/tiles/2/0/1")
    #expect(missing.first == "HTTP/1.1 204 No Content")
    #expect(!missing.contains { $0.hasPrefix("Content-Length") })
    for path in ["1/2/0", "1/0/2", "31/0/0", "-1/0/0", "1/0", "1/0/0/0", "a/0/0"] {
      #expect(try get(own, "/tiles/\(path)").first == "HTTP/1.1 404 Not Found", "\(path)")
    }
    let other = try server(.server("https://tile.example.org"))
    defer { other.shutDown() }
    #expect(try get(other, "/tiles/1/0/1").first == "HTTP/1.1 404 Not Found")
    let policy = try #require(try get(other, "/").first { $0.hasPrefix("Content-Security-Policy") })
    #expect(policy.contains("img-src 'self' data: https://tile.example.org; connect-src 'self'"))
  }

  @Test("streams reasons with the events, which are asked for without them")
  func reasons() throws {
    let server = try server { $0.events = 2 }
    defer { server.shutDown() }
    let first = try stream(server)
    for number in 1...3 {
      server.publish(events: [Array("{\"e\":\(number)}\n".utf8)])
      server.publish(reasons: [Array("{\"r\":\(number)}\n".utf8)])
      #expect(try line("id: ab-\(2 * number)", of: first) == "id: ab-\(2 * number)")
    }
    #expect(try get(server, "/events").suffix(2) == ["{\"e\":2}", "{\"e\":3}"])
    // With the first event its reason went.
    let socket = try stream(server)
    for expected in ["{\"e\":2}", "{\"r\":2}", "{\"e\":3}", "{\"r\":3}", "{}"] {
      #expect(try line("data:", of: socket) == "data: \(expected)")
    }
    let resumed = try stream(server, "Last-Event-ID: ab-5\r\n")
    #expect(try line("id:", of: resumed) == "id: ab-6")
    #expect(try line("event:", of: resumed) == "event: reason")
  }

  @Test("keeps the newest events and positions only")
  func bounded() throws {
    let server = try server {
      ($0.events, $0.positions) = (10, 20)
    }
    defer { server.shutDown() }
    for number in 1...100 {
      publish(number, to: server)
      server.publish(events: [Array("{\"e\":\(number)}\n".utf8)])
    }
    let events = try get(server, "/events").filter { $0.hasPrefix("{") }
    #expect(events == (91...100).map { "{\"e\":\($0)}" })
    let track = try #require(try get(server, "/track").last)
    let positions = (81...100).map { "[\($0)]" }.joined(separator: ",")
    #expect(track == #"[{"device":"van","positions":[\#(positions)]}]"#)
  }

  @Test("keeps every position of those that came together, and streams them")
  func bursts() throws {
    let server = try server()
    defer { server.shutDown() }
    let socket = try stream(server)
    #expect(try line("event:", of: socket) == "event: run")
    let positions = (1...40).map { Array("[\($0)]".utf8) }
    server.publish(
      [WebState(device: "jane", status: Array("{}".utf8), positions: positions)], run(1))
    let list = (1...40).map { "[\($0)]" }.joined(separator: ",")
    let object = #"{"device":"jane","positions":[\#(list)]}"#
    #expect(try line("event:", of: socket) == "event: status")
    #expect(try line("event:", of: socket) == "event: track")
    #expect(try line("data:", of: socket) == "data: " + object)
    #expect(try get(server, "/track").last == "[\(object)]")
  }

  @Test("says that the track has positions that were too many at once for a stream")
  func largeBursts() throws {
    let server = try server { $0.backlog = 4_096 }
    defer { server.shutDown() }
    let socket = try stream(server)
    #expect(try line("event:", of: socket) == "event: run")
    let positions = (1...1_000).map { Array("[\($0)]".utf8) }
    server.publish(
      [WebState(device: "jane", status: Array("{}".utf8), positions: positions)], run(1))
    for expected in ["status", "run", "tracks"] {
      #expect(try line("event:", of: socket) == "event: \(expected)")
    }
    #expect(try line("data:", of: socket) == "data: changed")
    // Once.
    publish(2, to: server)
    for expected in ["status", "run"] {
      #expect(try line("event:", of: socket) == "event: \(expected)")
    }
    server.publish(forgotten: "jane")
    #expect(try line("event:", of: socket) == "event: forgotten")
  }

  @Test("streams every position of states that are sent together")
  func statesTogether() throws {
    let server = try server()
    defer { server.shutDown() }
    let socket = try stream(server)
    #expect(try line("event:", of: socket) == "event: run")
    let states = (1...2).map {
      WebState(
        device: "jane", status: Array("{}".utf8), positions: [Array("[\($0)]".utf8)])
    }
    server.publish(states, run(1))
    #expect(try line("event:", of: socket) == "event: status")
    #expect(try line("event:", of: socket) == "event: track")
    #expect(
      try line("data:", of: socket) == #"data: {"device":"jane","positions":[[1],[2]]}"#)
  }

  @Test("a stream that begins late gets the present state of every device, and what goes after it")
  func several() throws {
    let server = try server(listsDevices: true) { ($0.devices, $0.backlog) = (2_000, 64 << 10) }
    defer { server.shutDown() }
    #expect(try get(server, "/status").last == #"{"sources":[]}"#)
    let count = 1_500
    for number in 0..<count {
      publish(-1, of: "ship-\(number)", to: server)
      publish(number, of: "ship-\(number)", to: server)
    }
    server.publish(forgotten: "ship-7")
    // Far more than may wait for a client at a time.
    let late = try stream(server)
    var numbers: [Int] = []
    while true {
      let event = try line("event:", of: late)
      let data = try line("data:", of: late)
      if event == "event: run" {
        #expect(data == "data: {\"run\":\(count - 1)}")
        break
      }
      #expect(event == "event: status")
      numbers.append(try #require(Int(data.dropFirst("data: {\"number\":".count).dropLast())))
    }
    #expect(numbers == (0..<count).filter { $0 != 7 })
    server.publish(forgotten: "ship-8")
    #expect(try line("event:", of: late) == "event: forgotten")
    #expect(try line("data:", of: late) == "data: {\"device\":\"ship-8\"}")
    // One too many, and one that was known.
    for number in [count - 1, count + 600] { publish(number, of: "ship-\(number)", to: server) }
    #expect(try line("data:", of: late) == "data: {\"number\":\(count - 1)}")
    let status = try #require(try get(server, "/status").last)
    #expect(
      status.hasPrefix("{\"sources\":[{\"number\":\(count + 600)},{\"number\":\(count - 1)},"))
    #expect(status.hasSuffix("{\"number\":0}],\"run\":\(count + 600)}"))
  }

  @Test("a slow client gets the present state as it reads, and loses no event that is kept")
  func slow() throws {
    let server = try server(listsDevices: true) {
      ($0.backlog, $0.systemQueue) = (64 << 10, 16 << 10)
    }
    defer { server.shutDown() }
    let socket = try Socket(server.addresses[0], receiveBuffer: 4_096)
    socket.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try line("event:", of: socket) == "event: run")
    let filler = String(repeating: "x", count: 8_000)
    let quick = try stream(server)
    for number in 1...100 {
      publish(number, of: "van", to: server)
      server.publish(events: [Array("{\"e\":\(number),\"f\":\"\(filler)\"}\n".utf8)])
      #expect(try line("id:", of: quick) == "id: ab-\(number)")
    }
    var states: [String] = []
    var ids: [String] = []
    while ids.last != "id: ab-100" || states.last != "data: {\"number\":100}" {
      let line = try #require(try socket.line())
      if line.hasPrefix("id:") { ids.append(line) }
      if line.hasPrefix("data: {\"number\"") { states.append(line) }
    }
    #expect(ids == (1...100).map { "id: ab-\($0)" })
    // Those that it was too slow for are not sent, but named.
    #expect(states.count < 100)
    #expect(try line("event: tracks", of: socket) == "event: tracks")
    #expect(warnings.lines.withLock { $0.isEmpty })
  }

  @Test("serves 200 clients, and drops the 20 that never read")
  func crowd() throws {
    let server = try server {
      $0.backlog = 64 << 10
      $0.systemQueue = 16 << 10
      $0.beat = .milliseconds(50)
    }
    defer { server.shutDown() }
    let deaf = try (0..<20).map { _ in
      let socket = try Socket(server.addresses[0], receiveBuffer: 4_096)
      socket.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return socket
    }
    let readers = try (0..<180).map { _ in try stream(server) }
    for reader in readers { #expect(try line("retry:", of: reader) == "retry: 2000") }
    let filler = String(repeating: "x", count: 8_000)
    var number = 0
    // Every client that reads gets every event before the next one comes.
    while warnings.lines.withLock({ $0.count }) < deaf.count, number < 2_000 {
      number += 1
      server.publish(events: [Array("{\"e\":\(number),\"f\":\"\(filler)\"}\n".utf8)])
      for reader in readers { #expect(try line("id:", of: reader) == "id: ab-\(number)") }
    }
    #expect(warnings.lines.withLock { $0.count } == deaf.count)
    withExtendedLifetime(deaf) {}
  }

  @Test("refuses more clients than it may have")
  func full() throws {
    let server = try server { $0.clients = 2 }
    defer { server.shutDown() }
    let held = try [stream(server), stream(server)]
    for socket in held { #expect(try line("retry:", of: socket) == "retry: 2000") }
    let socket = try Socket(server.addresses[0])
    #expect(try socket.rest().isEmpty)
  }

  @Test("drops a client that sends no request, and keeps its streams alive")
  func idle() throws {
    let server = try server { $0.beat = .milliseconds(20) }
    defer { server.shutDown() }
    let silent = try Socket(server.addresses[0])
    silent.send("GET / HTTP/1.1\r\nHo")
    #expect(try silent.rest().isEmpty)
    let open = try stream(server)
    for _ in 0..<5 { #expect(try line(": ", of: open) == ": ") }
  }

  @Test("exchanges the token for a cookie")
  func signIn() throws {
    let token = try WebToken(text: String(repeating: "0f", count: 32), path: "t")
    let server = try server(token: token)
    defer { server.shutDown() }
    #expect(try get(server, "/").first == "HTTP/1.1 401 Unauthorized")
    let answer = try get(server, "/?token=\(token.text)")
    #expect(answer.first == "HTTP/1.1 303 See Other")
    #expect(
      answer.contains("Set-Cookie: waymark=\(token.text); HttpOnly; SameSite=Strict; Path=/"))
    #expect(answer.contains("Location: /"))
    #expect(
      try get(server, "/", "Cookie: waymark=\(token.text)\r\n").first == "HTTP/1.1 200 OK")
  }

  @Test("reports an address that is in use")
  func inUse() throws {
    let server = try server()
    defer { server.shutDown() }
    let port = try #require(Int(server.addresses[0].split(separator: ":").last ?? ""))
    let failure = #expect(throws: ServingError.self) {
      try WebServer(
        on: ListenAddress(port: port), token: nil, pages: [], listsDevices: false, run: "c"
      ) { _ in
      }
    }
    let reason = "the port is in use; stop what uses it, or choose another with --web HOST:PORT"
    #expect(failure?.description.hasSuffix(": \(reason)") == true, "\(String(describing: failure))")
  }
}
