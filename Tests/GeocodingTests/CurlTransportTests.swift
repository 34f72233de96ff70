import Dispatch
import Foundation
import Geocoding
import TestSupport
import Testing

/// Real sockets on this machine.
@Suite("Asking a web server", .serialized, .timeLimit(.minutes(30)))
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

  private let headers = ["User-Agent": "test (me)", "Accept-Language": "*"]

  private func get(
    _ server: FakeServer, _ transport: CurlTransport = CurlTransport()
  ) async throws -> HTTPResponse {
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a?q=b%2Bc"))
    return try await transport.get(url, headers: headers, limit: 100)
  }

  @Test("status, headers and body come as they are, and no cookie goes back") func plain()
    async throws
  {
    let server = try FakeServer()
    let busy = answer("503 Busy", ["Retry-After: 7", "Set-Cookie: a=b; Path=/"], "later")
    let served = serve(server, [busy, answer("200 OK", [], "now")])
    let transport = CurlTransport()
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

  @Test("a redirection is followed on the same host, and answered to another") func redirection()
    async throws
  {
    let server = try FakeServer()
    let near = answer("301 Moved", ["Location: /b"])
    let far = answer("302 Found", ["Location: http://localhost:\(server.port)/c"])
    let served = serve(server, [near, far])
    let response = try await get(server)
    #expect(response.status == 302)
    #expect(try await served.asked.last?.hasPrefix("GET /b ") == true)
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

  @Test("a body whose length is not told is read to the limit as well", arguments: [100, 101])
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

  @Test("a compressed answer is neither asked for nor taken") func compressed() async throws {
    let server = try FakeServer()
    let served = serve(server, [answer("200 OK", ["Content-Encoding: gzip"], "zzzz")])
    await #expect(throws: HTTPFailure.unreachable("it sent a compressed answer unasked")) {
      try await get(server)
    }
    #expect(try await served.asked[0].contains("Accept-Encoding: identity\r\n"))
  }

  @Test("where nobody answers, it says so") func nobody() async throws {
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
    await until { server.hasClient }
    task.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await task.value }
  }
}
