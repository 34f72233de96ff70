import Session
import System
import TestSupport
import Testing
import Tracking

@testable import Serving

@Suite("The server that phones report to", .timeLimit(.minutes(90)))
struct IntakeServerTests {
  private let inbox: ReportInbox

  init() throws { inbox = try ReportInbox() }

  private func server(_ change: (inout IntakeLimits) -> Void = { _ in }) throws -> IntakeServer {
    var limits = IntakeLimits()
    change(&limits)
    return try IntakeServer(on: ListenAddress(port: 0), token: nil, inbox: inbox, limits: limits)
  }

  private static let location =
    #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1770000000,"tid":"JP"}"#
  private static let batch =
    #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
    + #""properties":{"timestamp":"2026-02-02T02:40:10Z","device_id":"ola"}}]}"#

  private static func post(_ body: String, _ headers: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
  }

  /// What comes to the inbox next.
  private func news() throws -> ReportInbox.News {
    var news: ReportInbox.News?
    try blockUntil("something in the inbox") {
      let found = inbox.take()
      guard !found.deliveries.isEmpty || found.problemCount > 0 else { return false }
      news = found
      return true
    }
    return try #require(news)
  }

  /// The next answer that is a line of text: its status and its body.
  private func answer(_ socket: Socket) throws -> (status: String, body: String) {
    let status = try #require(try socket.line())
    while let line = try socket.line(), !line.isEmpty {}
    return (status, try socket.line() ?? "")
  }

  @Test("reports a port that is in use, and does not take its user for gpsd")
  func inUse() throws {
    let server = try server()
    defer { server.shutDown() }
    let port = try #require(Int(server.addresses[0].split(separator: ":").last ?? ""))
    let failure = #expect(throws: ServingError.self) {
      try IntakeServer(
        on: ListenAddress(port: port), token: nil, inbox: inbox, limits: IntakeLimits())
    }
    let reason = "the port is in use; stop what uses it, or choose another with http: HOST:PORT"
    #expect(failure?.description.hasSuffix(": \(reason)") == true, "\(String(describing: failure))")
  }

  @Test("confirms a report only when the run has kept it, as each app expects it")
  func confirmations() throws {
    let server = try server()
    defer { server.shutDown() }
    let cases = [
      (Self.location, "JP", "[]"), (Self.batch, "ola", #"{"result":"ok"}"#),
    ]
    for (body, device, confirmation) in cases {
      let socket = try Socket(server.addresses[0])
      socket.send(Self.post(body, "Connection: close\r\n"))
      let delivery = try #require(try news().deliveries.first)
      #expect(delivery.reports.map(\.device) == [device])
      #expect(delivery.reports[0].fixes.count == 1)
      delivery.answer(.kept)
      let lines = try socket.rest()
      #expect(lines.first == "HTTP/1.1 200 OK" && lines.last == confirmation)
    }
  }

  @Test("a report that cannot be kept is to be sent again, one that is refused is not")
  func refusals() throws {
    let server = try server()
    defer { server.shutDown() }
    let socket = try Socket(server.addresses[0])
    let receipts: [(ReportInbox.Receipt, String, String)] = [
      (
        .notKept(reason: "the disk is full"), "HTTP/1.1 503 Service Unavailable",
        "the disk is full; send it again"
      ),
      (.refused(reason: "no such device"), "HTTP/1.1 400 Bad Request", "no such device"),
    ]
    for (receipt, status, text) in receipts {
      socket.send(Self.post(Self.location))
      try #require(try news().deliveries.first).answer(receipt)
      let found = try answer(socket)
      #expect(found.status == status && found.body == text)
    }
    #expect(try news().problems == ["127.0.0.1: a request was refused: no such device"])
  }

  @Test("bad requests get one line, and are counted")
  func badRequests() throws {
    let server = try server()
    defer { server.shutDown() }
    let requests = [
      (
        Self.post("{"), "HTTP/1.1 400 Bad Request",
        "byte 1: the text ends, expected a key in double quotes"
      ),
      (
        "GET /?id=a&lat=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 Bad Request",
        "the record has no longitude; it is left out"
      ),
      (
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n",
        "HTTP/1.1 413 Payload Too Large", "the body is longer than the limit of 1 MiB"
      ),
      (
        "POST / HTTP/1.1\r\nHost: evil\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 403 Forbidden",
        "this server is for localhost alone, not for 'evil'"
      ),
    ]
    for (request, status, text) in requests {
      let socket = try Socket(server.addresses[0])
      socket.send(request)
      let found = try answer(socket)
      #expect(found.status == status && found.body == text)
      #expect(try news().problems == ["127.0.0.1: a request was refused: \(text)"])
    }
  }

  @Test("an endless body is refused at its limit")
  func endlessBody() throws {
    let server = try server()
    defer { server.shutDown() }
    let socket = try Socket(server.addresses[0])
    socket.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
    for _ in 0..<17 where socket.send(chunk) {}
    #expect(try answer(socket).status == "HTTP/1.1 413 Payload Too Large")
  }

  @Test("a full inbox refuses, and loses nothing that it has")
  func fullInbox() throws {
    let server = try server()
    defer { server.shutDown() }
    for _ in 0..<256 { #expect(inbox.offer([("a", [])], size: 10) { _ in }) }
    #expect(!inbox.offer([("a", [])], size: 10) { _ in })
    let socket = try Socket(server.addresses[0])
    socket.send(Self.post(Self.location))
    let found = try answer(socket)
    #expect(found.status == "HTTP/1.1 503 Service Unavailable")
    #expect(found.body == "too many reports wait; send it again")
    #expect(inbox.take().deliveries.count == 256)
  }

  @Test("a connection that sends too much at once is refused for a while")
  func tooManyRequests() throws {
    let server = try server { ($0.burst, $0.rate) = (3, 0) }
    defer { server.shutDown() }
    let socket = try Socket(server.addresses[0])
    for number in 0..<4 {
      socket.send(Self.post(#"{"_type":"lwt"}"#, number == 2 ? "Connection: keep-alive\r\n" : ""))
    }
    var lines: [String] = []
    while let line = try socket.line() { lines.append(line) }
    // Answers without a line feed at their end: the next one begins in the same line.
    #expect(lines.count { $0.hasSuffix("HTTP/1.1 200 OK") } == 3)
    #expect(lines.count { $0.hasSuffix("HTTP/1.1 429 Too Many Requests") } == 1)
  }

  @Test("a connection that is idle, and one whose request never ends, are closed")
  func slow() throws {
    let server = try server { $0.beat = .milliseconds(20) }
    defer { server.shutDown() }
    let idle = try Socket(server.addresses[0])
    #expect(try idle.line() == nil)
    let slow = try Socket(server.addresses[0])
    slow.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
    #expect(try slow.line() == nil)
  }

  @Test("a report that the run does not answer in time is to be sent again")
  func noAnswer() throws {
    let server = try server { $0.beat = .milliseconds(20) }
    defer { server.shutDown() }
    let socket = try Socket(server.addresses[0])
    socket.send(Self.post(Self.location))
    let found = try answer(socket)
    #expect(found.status == "HTTP/1.1 503 Service Unavailable")
    // A late answer is to nobody.
    try #require(try news().deliveries.first).answer(.kept)
  }
}
