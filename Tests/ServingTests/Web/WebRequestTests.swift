import Session
import TestSupport
import Testing

@testable import Serving

@Suite("A request to the live map")
struct WebRequestTests {
  private static let pages: Set<String> = ["/", "/live.js"]
  private static let token = try? WebToken(text: String(repeating: "0f", count: 32), path: "t")

  private func answer(
    _ uri: String, method: String = "GET", host: String? = "localhost:8080",
    token: WebToken? = nil, _ headers: (name: String, value: String)...
  ) -> WebRequest.Answer {
    WebRequest(
      method: method, uri: uri, headers: (host.map { [("host", $0)] } ?? []) + headers
    ).answer(token: token, pages: Self.pages)
  }

  private func code(_ answer: WebRequest.Answer) -> Int? {
    if case .refusal(let code, _) = answer { code } else { nil }
  }

  @Test("goes to the page, the status, the metrics, the track and the events")
  func routes() {
    #expect(answer("/") == .route(.page("/"), isHead: false))
    #expect(answer("/live.js?v=2", method: "HEAD") == .route(.page("/live.js"), isHead: true))
    #expect(answer("/status") == .route(.status, isHead: false))
    #expect(answer("/metrics") == .route(.metrics, isHead: false))
    #expect(answer("/track") == .route(.track, isHead: false))
    #expect(answer("/events?since=ab-3") == .route(.events(since: "ab-3"), isHead: false))
    #expect(answer("/stream") == .route(.stream(since: nil), isHead: false))
    #expect(
      answer("/stream?since=ab-1", ("last-event-id", "ab-9"))
        == .route(.stream(since: "ab-9"), isHead: false))
  }

  @Test(
    "is refused when it is no path, or there is nothing",
    arguments: [
      ("http://localhost/", 400), ("//evil", 400), ("*", 400), ("/a b", 400), ("/\u{7F}", 400),
      ("/none", 404), ("/../etc/passwd", 404), ("/live.js/", 404), ("/%2e%2e/x", 404),
    ])
  func paths(_ uri: String, _ wanted: Int) {
    #expect(code(answer(uri)) == wanted)
  }

  @Test("is refused when it is too long")
  func long() {
    #expect(code(answer("/" + String(repeating: "a", count: 3_000))) == 400)
  }

  @Test("is GET or HEAD", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get"])
  func methods(_ method: String) {
    #expect(code(answer("/status", method: method)) == 405)
  }

  @Test(
    "names this machine as its host, in any form",
    arguments: ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "[::1]"])
  func ownHosts(_ host: String) {
    #expect(answer("/status", host: host) == .route(.status, isHead: false))
  }

  @Test(
    "is refused with another host, as after DNS rebinding",
    arguments: ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil"])
  func otherHosts(_ host: String) {
    #expect(code(answer("/status", host: host)) == 403)
  }

  @Test("is refused without one valid host", arguments: ["", "a b", "localhost:x", "a/b", "a@b"])
  func badHosts(_ host: String) {
    #expect(code(answer("/status", host: host)) == 400)
    #expect(code(answer("/status", host: nil)) == 400)
    #expect(code(answer("/status", host: "localhost", ("host", "localhost"))) == 400)
  }

  @Test("may come from its own page, and from no other")
  func origins() {
    #expect(
      answer("/status", ("origin", "http://localhost:8080")) == .route(.status, isHead: false))
    for origin in ["http://evil.example", "null", "http://localhost:8081", ""] {
      #expect(code(answer("/status", ("origin", origin))) == 403)
    }
  }

  @Test("needs the token when there is one, from any host")
  func token() throws {
    let token = try #require(Self.token)
    let right = token.text
    let wrong = "1" + right.dropFirst()
    #expect(code(answer("/status", host: "boat.local", token: token)) == 401)
    #expect(code(answer("/", host: "boat.local", token: token)) == 401)
    #expect(code(answer("/?token=\(wrong)", token: token)) == 401)
    #expect(code(answer("/", token: token, ("cookie", "waymark=\(wrong)"))) == 401)
    #expect(code(answer("/", token: token, ("authorization", "Basic \(right)"))) == 401)
    #expect(answer("/?token=\(right)", token: token) == .signIn(location: "/"))
    #expect(
      answer("/", host: "boat.local", token: token, ("cookie", "a=b; waymark=\(right)"))
        == .route(.page("/"), isHead: false))
    #expect(
      answer("/metrics", token: token, ("authorization", "Bearer \(right)"))
        == .route(.metrics, isHead: false))
    // The origin is checked with a token too.
    #expect(
      code(
        answer(
          "/status", token: token, ("cookie", "waymark=\(right)"), ("origin", "http://evil.example")
        )) == 403)
  }

  @Test("its token is the whole text")
  func comparison() throws {
    let token = try #require(Self.token)
    #expect(token.matches(token.text))
    #expect(!token.matches(""))
    #expect(!token.matches(String(token.text.dropLast())))
    #expect(!token.matches(token.text + "0"))
    #expect(!token.matches(String(repeating: "0", count: 64)))
  }
}

@Suite("The token of the live map")
struct WebTokenTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("is made once, of 64 digits, for its owner alone")
  func made() throws {
    let path = folder.file("token")
    let first = try WebToken(path: path)
    #expect(try folder.mode("token") == 0o600)
    #expect(first.text.count == 64)
    #expect(try WebToken(path: path).text == first.text)
    #expect(try WebToken(path: folder.file("other")).text != first.text)
  }

  @Test("is refused when others may read it, or when it is none")
  func refused() throws {
    let path = folder.file("token")
    _ = try WebToken(path: path)
    try folder.write("token", folder.read("token"), mode: 0o640)
    #expect(throws: WebToken.Failure.self) { try WebToken(path: path) }
    try folder.write("short", "abc\n")
    let failure = #expect(throws: WebToken.Failure.self) {
      try WebToken(path: folder.file("short"))
    }
    #expect(failure?.description.contains("found 3 characters") == true)
    #expect(throws: WebToken.Failure.self) { try WebToken(path: folder.file("no/folder")) }
  }
}
