import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Outbox

/// Real requests to Tests/Peers/webhook-peer.py.
@Suite("A webhook and servers that behave badly", .timeLimit(.minutes(90)))
struct WebhookPeerTests {
  private let stand: WebhookStand
  private let peer: WebhookPeer

  init() throws {
    stand = try WebhookStand()
    peer = try WebhookPeer(in: stand.folder)
  }

  @Test("status 2xx acknowledges an event", arguments: [200, 201, 202, 204, 299])
  func delivered(status: Int) throws {
    #expect(try stand.deliver(to: peer.url("status/\(status)")) == .delivered)
    #expect(try peer.requests().count == 1)
  }

  @Test("any other status is a failure, which names the server but not the path")
  func statuses() throws {
    for status in [300, 304, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504, 599] {
      let reason = try stand.deliver(to: peer.url("status/\(status)")).failed ?? ""
      #expect(reason.hasPrefix("http://127.0.0.1:\(peer.port) answered with status \(status)"))
      #expect(!reason.contains("status/"))
    }
  }

  @Test("status 410 refuses all events") func gone() throws {
    #expect(
      try stand.deliver(to: peer.url("status/410")).gone
        == "http://127.0.0.1:\(peer.port) answered with status 410: it wants no more events")
  }

  @Test(
    "Retry-After is a number of seconds, or a date by the server's clock or else by ours",
    arguments: [
      ("429?retry-after=7", 7), ("503?retry-after=120", 120), ("500?retry-after=1", 1),
      ("429?retry-after=Sun,+06+Nov+1994+08:49:37+GMT&date=Sun,+06+Nov+1994+08:49:07+GMT", 30),
      ("429?retry-after=Mon,+04+May+2026+05:46:11+GMT", 60), ("429?retry-after=soon", nil),
      ("429", nil),
    ] as [(String, Int?)])
  func retryAfter(path: String, seconds: Int?) throws {
    var stand = stand
    let now = try #require(OutgoingEvent.seconds("2026-05-04T05:45:11.000Z"))
    stand.environment.now = { Date(timeIntervalSince1970: now) }
    let outcome = try stand.deliver(to: peer.url("status/" + path))
    #expect(outcome.failed != nil)
    #expect(outcome.delay == seconds.map { .seconds($0) })
  }

  @Test("a redirect is a failure and not followed") func redirect() throws {
    let other = try WebhookPeer(in: stand.folder)
    let reason = try stand.deliver(to: peer.url("redirect?to=\(other.url("ok"))")).failed
    #expect(reason?.contains("status 302: redirects are not followed") == true)
    #expect(reason?.contains("\(other.port)") == false)
    #expect(try peer.requests().count == 1)
    #expect(try other.requests().isEmpty)
  }

  @Test("a response of more than 64 KiB is a failure") func huge() throws {
    #expect(
      try stand.deliver(to: peer.url("huge"))
        == .failed(reason: "http://127.0.0.1:\(peer.port) answered with more than 64 KiB"))
  }

  @Test("a response that breaks off is none") func truncated() throws {
    let reason = try stand.deliver(to: peer.url("truncated")).unreachable
    #expect(reason?.hasPrefix("http://127.0.0.1:\(peer.port) is unavailable: ") == true)
  }

  @Test(
    "a response that does not end in time is none", arguments: ["silent", "silent-body", "drip"])
  func slow(path: String) throws {
    var stand = stand
    stand.environment.timeout = 1
    #expect(
      try stand.deliver(to: peer.url(path))
        == .unreachable(
          reason: "http://127.0.0.1:\(peer.port) is unavailable: timeout was reached"))
    #expect(try peer.requests().count == 1)
  }

  @Test("a port without a server is unreachable") func nobody() throws {
    let reason = try stand.deliver(to: "http://127.0.0.1:1/hook").unreachable
    #expect(reason == "http://127.0.0.1:1 is unavailable: couldn't connect to server")
  }

  @Test("the end of the run ends an attempt") func stopped() throws {
    let (log, stop) = (peer.log, stand.stop)
    DispatchQueue.global().async {
      try? blockUntil("a request") { (try? String(contentsOfFile: log, encoding: .utf8)) != "" }
      stop.stop()
    }
    #expect(try stand.deliver(to: peer.url("silent")) == .stopped)
    #expect(try stand.deliver(to: peer.url("ok")) == .stopped)
    #expect(try peer.requests().count == 1)
  }

  @Test("addresses of the link are refused") func linkLocal() throws {
    for host in [
      "169.254.1.1", "169.254.169.254", "[fe80::1]", "[febf::1]", "[::ffff:169.254.1.1]",
      "[::ffff:a9fe:101]", "0xa9fe0101",
    ] {
      let reason = try stand.deliver(to: "http://\(host)/latest").unreachable
      #expect(reason?.hasSuffix("its address is link-local, which is refused") == true, "\(host)")
    }
  }

  @Test("what the server says is in the reason, on one line of at most 200 characters")
  func complaint() throws {
    let reason = try #require(try stand.deliver(to: peer.url("complaint/500")).failed)
    #expect(
      reason.hasPrefix("http://127.0.0.1:\(peer.port) answered with status 500 ('no  [31mway éé"))
    #expect(reason.hasSuffix("é')"))
    #expect(reason.count <= 260)
  }

  @Test("reasons hold no token, no header of the config and nothing of the address but the server")
  func confidential() throws {
    let token = try stand.file("token", "token-of-the-owner\n")
    for path in ["echo/500", "redirect", "silent"] {
      var stand = stand
      if path == "silent" { stand.environment.timeout = 1 }
      let url = peer.url("\(path)?to=http://secret-place.example/&key=secret-of-the-query")
      let outcome = try stand.deliver(to: url) {
        $0.tokenFile = token
        $0.headers = [.init(name: "X-Key", value: try MessageTemplate("key secret-of-the-header"))]
      }
      let reason = try #require(outcome.failed ?? outcome.unreachable)
      #expect(!reason.contains("secret") && !reason.contains("token-of"), "\(reason)")
      #expect(!reason.contains("/\(path)"))
    }
    let sent = try #require(try peer.requests().first)
    #expect(sent.headers["authorization"] == "Bearer token-of-the-owner")
    #expect(sent.headers["x-key"] == "key secret-of-the-header")
  }

  @Test("a server elsewhere is reached through the proxy of the environment") func proxy() throws {
    var stand = stand
    stand.environment.variables = ["http_proxy": "http://me:secret@127.0.0.1:\(peer.port)"]
    #expect(try stand.deliver(to: "http://hooks.invalid/ok") == .delivered)
    #expect(try peer.requests().map(\.path) == ["http://hooks.invalid/ok"])
    stand.environment.variables = ["http_proxy": "http://me:secret@127.0.0.1:1"]
    #expect(
      try stand.deliver(to: "http://hooks.invalid/ok").unreachable
        == "http://hooks.invalid is unavailable through the proxy http://127.0.0.1:1: "
        + "couldn't connect to server")
  }

  // MARK: - TLS

  @Test("a certificate that no authority has signed is refused, unless the config trusts it")
  func certificate() throws {
    let (own, other) = (try stand.certificate("own.pem"), try stand.certificate("other.pem"))
    let peer = try WebhookPeer(in: stand.folder, certificate: own)
    let url = peer.url("ok", scheme: "https")
    for trusted in [nil, other] {
      let reason = try stand.deliver(to: url) { $0.authorityFile = trusted }.unreachable
      #expect(
        reason?.hasPrefix(
          "https://127.0.0.1:\(peer.port) is unavailable: SSL certificate problem: ") == true)
      #expect(reason?.hasSuffix("; name its authority with ca-file") == true, "\(reason ?? "")")
      #expect(
        try stand.courier(url) { $0.authorityFile = trusted }.probe(until: stand.stop) == reason)
    }
    let local = try stand.deliver(to: url.replacing("127.0.0.1", with: "localhost")) {
      $0.authorityFile = own
    }
    #expect(
      local.unreachable?.hasSuffix("; give the host as in the certificate") == true, "\(local)")
    let plain = try stand.deliver(to: self.peer.url("ok", scheme: "https")).unreachable ?? ""
    let start = "https://127.0.0.1:\(self.peer.port) is unavailable: "
    #expect(plain.hasPrefix(start))
    // Releases of libcurl and OpenSSL differ in the words before the reason.
    let form =
      /(OpenSSL\/[0-9.]+[a-z]?|TLS connect error): error:[0-9A-F]+:SSL routines:\w*:wrong version number/
    let advice = "; check the port, or use http:// for one without TLS"
    let reason = plain.dropFirst(start.count).dropLast(advice.count)
    #expect(reason.wholeMatch(of: form) != nil && plain.hasSuffix(advice), "\(plain)")
    #expect(try peer.requests().isEmpty)
    #expect(try stand.deliver(to: url) { $0.authorityFile = own } == .delivered)
    #expect(try stand.courier(url) { $0.authorityFile = own }.probe(until: stand.stop) == nil)
    #expect(try peer.requests().count == 1)
  }

  // MARK: - More than one attempt

  @Test("a probe connects and sends nothing") func probe() throws {
    let courier = try stand.courier(peer.url("ok"))
    #expect(courier.probe(until: stand.stop) == nil)
    #expect(try peer.requests().isEmpty)
    #expect(courier.deliver(try MessageTemplateTests.delivery(), until: stand.stop) == .delivered)
    let dead = try stand.courier("http://127.0.0.1:1/")
    #expect(
      dead.probe(until: stand.stop)
        == "http://127.0.0.1:1 is unavailable: couldn't connect to server")
  }

  @Test("a closed courier opens a connection when it is used again") func close() throws {
    let courier = try stand.courier(peer.url("ok"))
    for _ in 0..<2 {
      #expect(courier.deliver(try MessageTemplateTests.delivery(), until: stand.stop) == .delivered)
      courier.close()
    }
    #expect(try peer.requests().count == 2)
  }

  @Test("an event that fails is delivered with the same id, whatever the server does")
  func flaky() throws {
    let courier = try stand.courier(peer.url("flaky?rate=0.5"))
    let ids = (0..<40).map { "event\($0)" }
    for (index, id) in ids.enumerated() {
      let line = MessageTemplateTests.line.replacing("5df2c4b47418110a", with: id)
      let delivery = Delivery(
        sequence: Int64(index), event: try #require(OutgoingEvent(line: line)), json: line)
      try blockUntil("the delivery of \(id)") {
        courier.deliver(delivery, until: stand.stop) == .delivered
      }
    }
    let requests = try peer.requests()
    #expect(requests.count > ids.count)
    var accepted: [String] = []
    for request in requests where request.accepted {
      let id = try #require(request.headers["webhook-id"])
      if accepted.last != id { accepted.append(id) }
    }
    #expect(accepted == ids.map { $0 + "-0" })
  }

  @Test("a wait ends when it is rung, and at its deadline") func wait() throws {
    let courier = try stand.courier(peer.url("ok"))
    let start = ContinuousClock.now
    courier.wait(until: start + .milliseconds(20), stand.stop)
    #expect(.now - start >= .milliseconds(20))
    stand.stop.ring()
    courier.wait(until: .now + .seconds(3_600), stand.stop)
    #expect(.now - start < .seconds(3_600))
  }
}
