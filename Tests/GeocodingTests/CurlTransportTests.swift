import Dispatch
import Foundation
import Geocoding
import Glibc
import HTTP
import Locking
import TestSupport
import Testing

/// Real sockets on this machine.
@Suite("HTTP by libcurl", .serialized, .timeLimit(.minutes(90)))
struct CurlTransportTests {
  /// What a server is asked, each time up to the empty line.
  private struct Served {
    let stream: AsyncThrowingStream<String, any Error>
    var asked: [String] {
      get async throws { try await stream.reduce(into: []) { $0.append($1) } }
    }
  }

  /// Answers connections one after the other with these texts.
  ///
  /// At once, and not as a task: other tests may keep all threads of tasks busy for longer than a
  /// request waits.
  private func serve(_ server: FakeServer, _ answers: [String]) -> Served {
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    DispatchQueue.global().async {
      do {
        for answer in answers {
          let peer = try server.accept()
          var asked = ""
          while !asked.contains("\r\n\r\n"), peer.wait(forRoom: false) { asked += peer.received() }
          var rest = Array(answer.utf8)[...]
          while !rest.isEmpty, peer.wait(forRoom: true) {
            rest = rest.dropFirst(peer.send(rest))
          }
          continuation.yield(asked)
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return Served(stream: stream)
  }

  private func answer(_ status: String, _ headers: [String] = [], _ body: String = "") -> String {
    let length = "Content-Length: \(body.utf8.count)"
    return (["HTTP/1.1 \(status)", length, "Connection: close"] + headers + ["", body])
      .joined(separator: "\r\n")
  }

  /// Waits for as long as a busy machine may take.
  private static var patient: CurlTransport { CurlTransport(timeout: 600) }
  private let headers = ["User-Agent": "test (me)", "Accept-Language": "*"]

  private func get(
    _ server: FakeServer, _ transport: CurlTransport = Self.patient
  ) async throws -> HTTPResponse {
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a?q=b%2Bc"))
    return try await transport.get(url, headers: headers, limit: 100)
  }

  @Test("status, headers and body arrive unchanged, and no cookie is sent back") func plain()
    async throws
  {
    let server = try FakeServer()
    let busy = answer("503 Busy", ["Retry-After: 7", "Set-Cookie: a=b; Path=/"], "later")
    let served = serve(server, [busy, answer("200 OK", [], "now")])
    let transport = Self.patient
    let (first, second) = (try await get(server, transport), try await get(server, transport))
    #expect(first.status == 503)
    #expect(first.headers["retry-after"] == "7")
    #expect(first.body == Data("later".utf8))
    #expect(second.status == 200)
    for text in try await served.asked {
      #expect(text.hasPrefix("GET /a?q=b%2Bc HTTP/1.1\r\n"))
      #expect(text.contains("User-Agent: test (me)\r\n"))
      #expect(text.contains("Accept-Language: *\r\n"))
      #expect(!text.lowercased().contains("cookie"))
    }
  }

  @Test("a redirect is followed on the same host, scheme and port") func redirect() async throws {
    let server = try FakeServer()
    let moved = answer("301 Moved", ["Location: /b"])
    let served = serve(server, [moved, answer("200 OK", [], "there")])
    #expect(try await get(server).body == Data("there".utf8))
    #expect(try await served.asked.last?.hasPrefix("GET /b ") == true)
  }

  @Test(
    "a redirect to another host, scheme, port or user is returned, not followed",
    arguments: [
      "http://localhost:PORT/c", "http://127.0.0.2:PORT/c", "https://127.0.0.1:PORT/c",
      "ftp://127.0.0.1:PORT/c", "file:///etc/passwd", "http://me:secret@127.0.0.1:PORT/c",
    ])
  func foreignRedirect(location: String) async throws {
    let server = try FakeServer()
    let target = location.replacing("PORT", with: "\(server.port)")
    let served = serve(server, [answer("302 Found", ["Location: \(target)"])])
    let response = try await get(server)
    #expect(response.status == 302)
    #expect(try await served.asked.count == 1)
    #expect(!server.hasClient)
  }

  @Test("a redirect to another port is returned, not followed") func foreignPort() async throws {
    let (server, other) = (try FakeServer(), try FakeServer())
    let moved = answer("307 Moved", ["Location: http://127.0.0.1:\(other.port)/c"])
    let served = serve(server, [moved])
    let response = try await get(server)
    #expect(response.status == 307)
    #expect(!other.hasClient)
    #expect(try await served.asked.count == 1)
  }

  @Test("a loop of redirects ends after 20") func redirectLoop() async throws {
    let server = try FakeServer()
    let moved = answer("308 Moved", ["Location: /again"])
    let served = serve(server, Array(repeating: moved, count: 21))
    #expect(try await get(server).status == 308)
    #expect(try await served.asked.count == 21)
    #expect(!server.hasClient)
  }

  @Test("a body is read to the limit and not past it", arguments: [99, 100, 101, 3_000_000])
  func length(count: Int) async throws {
    let server = try FakeServer()
    let body = String(repeating: "x", count: count)
    let served = serve(server, [answer("200 OK", [], body)])
    if count <= 100 {
      #expect(try await get(server).body.count == count)
    } else {
      await #expect(throws: HTTPFailure.tooLong) { try await get(server) }
    }
    #expect(try await served.asked.count == 1)
  }

  @Test("a body without a declared length is read up to the limit as well", arguments: [100, 101])
  func untold(count: Int) async throws {
    let server = try FakeServer()
    let body = String(repeating: "x", count: count)
    let served = serve(server, ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body])
    if count <= 100 {
      #expect(try await get(server).body.count == count)
    } else {
      await #expect(throws: HTTPFailure.tooLong) { try await get(server) }
    }
    #expect(try await served.asked.count == 1)
  }

  @Test("a compressed response is neither requested nor accepted") func compressed() async throws {
    let server = try FakeServer()
    let served = serve(server, [answer("200 OK", ["Content-Encoding: gzip"], "zzzz")])
    await #expect(
      throws: HTTPFailure.unreachable("it sent a compressed response, which was not requested")
    ) {
      try await get(server)
    }
    #expect(try await served.asked[0].contains("Accept-Encoding: identity\r\n"))
  }

  @Test("a port without a server is an error") func nobody() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let error = await #expect(throws: HTTPFailure.self) {
      try await CurlTransport().get(url, headers: [:], limit: 100)
    }
    guard case .unreachable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty && !reason.hasSuffix("."))
  }

  @Test("a request is cancelled while it waits") func cancelled() async throws {
    let server = try FakeServer()
    let port = server.port
    let task = Task {
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
      _ = try await CurlTransport().get(url, headers: [:], limit: 100)
    }
    try await eventually("a connection") { server.hasClient }
    task.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await task.value }
  }

  // MARK: - Time-outs

  /// The error of a request to a port, with a time-out of 1 s.
  private func timeout(_ port: UInt16) async throws -> HTTPFailure? {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    return await #expect(throws: HTTPFailure.self) {
      try await CurlTransport(timeout: 1, environment: [:]).get(url, headers: [:], limit: 1_000_000)
    }
  }

  @Test("a server that accepts and never answers fails") func silence() async throws {
    let server = try FakeServer()
    #expect(try await timeout(server.port) == .unreachable("timeout was reached"))
  }

  @Test("a server that stops in the middle of its answer fails") func stall() async throws {
    let server = try FakeServer()
    DispatchQueue.global().async {
      guard let peer = try? server.accept() else { return }
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
      // Until the client hangs up.
      while peer.wait(forRoom: false), !peer.received().isEmpty {}
    }
    #expect(try await timeout(server.port) == .unreachable("timeout was reached"))
  }

  @Test("a server that sends without an end fails after twice the time") func endless()
    async throws
  {
    let server = try FakeServer()
    let sent = Mutex(0)
    DispatchQueue.global().async {
      guard let peer = try? server.accept(), peer.wait(forRoom: false) else { return }
      _ = peer.received()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      // A byte each tenth of a second, until the client hangs up.
      while peer.wait(forRoom: true), peer.send("x") > 0 {
        sent.withLock { $0 += 1 }
        var request = pollfd(fd: peer.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 100) == 0 else { return }
      }
    }
    #expect(try await timeout(server.port) == .unreachable("timeout was reached"))
    #expect(sent.withLock { $0 } > 10)
  }

  @Test("a connection that is never established fails") func connecting() async throws {
    let server = try FakeServer(backlog: 0)
    // Connections beyond the backlog of a listening socket get no answer.
    let others = (0..<4).map { _ in
      let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = server.port.bigEndian
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return other
    }
    defer { for other in others { close(other) } }
    #expect(try await timeout(server.port) == .unreachable("timeout was reached"))
  }

  // MARK: - Proxies

  @Test("no proxy is used for this machine") func loopback() async throws {
    let (server, proxy) = (try FakeServer(), try FakeServer())
    let served = serve(server, [answer("200 OK", [], "direct")])
    let transport = CurlTransport(
      timeout: 5, environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
    #expect(try await get(server, transport).body == Data("direct".utf8))
    #expect(!proxy.hasClient)
    #expect(try await served.asked.first?.hasPrefix("GET /a?") == true)
  }

  @Test("a server elsewhere is reached through the proxy, or directly if no_proxy names it")
  func proxy() async throws {
    let proxy = try FakeServer()
    let served = serve(proxy, [answer("200 OK", [], "by proxy")])
    let url = try #require(URL(string: "http://names.invalid/reverse"))
    let variables = ["http_proxy": "127.0.0.1:\(proxy.port)"]
    let transport = CurlTransport(timeout: 5, environment: variables)
    #expect(transport.proxy(for: url)?.name == "http://127.0.0.1:\(proxy.port)")
    #expect(
      try await transport.get(url, headers: [:], limit: 100).body == Data("by proxy".utf8))
    #expect(
      try await served.asked.first?.hasPrefix("GET http://names.invalid/reverse HTTP/1.1\r\n")
        == true)
    let direct = CurlTransport(
      timeout: 5, environment: variables.merging(["no_proxy": "invalid"]) { $1 })
    #expect(direct.proxy(for: url) == nil)
    await #expect(throws: HTTPFailure.self) {
      try await direct.get(url, headers: [:], limit: 100)
    }
    #expect(!proxy.hasClient)
  }
}
