import Foundation
import Locking
import TestSupport
import Testing

@testable import Outbox

/// What a webhook sends, as a real server sees it.
@Suite("What a webhook sends", .timeLimit(.minutes(90)))
struct WebhookMessageTests {
  private let stand: WebhookStand
  private let peer: WebhookPeer

  init() throws {
    stand = try WebhookStand()
    peer = try WebhookPeer(in: stand.folder)
  }

  /// The request of one attempt, which succeeds.
  private func sent(
    _ delivery: Delivery? = nil, _ change: (inout WebhookSettings) throws -> Void = { _ in }
  ) throws -> WebhookPeer.Request {
    #expect(try stand.deliver(to: peer.url("ok"), delivery, change) == .delivered)
    return try #require(try peer.requests().last)
  }

  @Test("the line of the event log, its id and the time of the attempt") func event() throws {
    let time = Mutex(1_777_873_511.9)
    var stand = stand
    stand.environment.now = { Date(timeIntervalSince1970: time.withLock { $0 }) }
    let courier = try stand.courier(peer.url("ok"))
    for _ in 0..<2 {
      #expect(courier.deliver(try MessageTemplateTests.delivery(), until: stand.stop) == .delivered)
      time.withLock { $0 += 300 }
    }
    let requests = try peer.requests()
    for request in requests {
      #expect(request.text == MessageTemplateTests.line)
      #expect(request.headers["content-type"] == "application/json")
      #expect(request.headers["user-agent"]?.hasPrefix("waymark/") == true)
      #expect(request.headers["webhook-id"] == "5df2c4b47418110a-0")
      #expect(request.headers["webhook-signature"] == nil)
      #expect(request.headers["authorization"] == nil)
    }
    #expect(
      requests.map { $0.headers["webhook-timestamp"] } == ["1777873511", "1777873811"])
  }

  // MARK: - Signatures

  @Test("PyPI's standardwebhooks verifies the signature of every secret, in every format")
  func signature() throws {
    let secrets = [24, 64].map { "whsec_" + Data(repeating: 7, count: $0).base64EncodedString() }
    let files = try secrets.enumerated().map { index, secret in
      try stand.file("secret\(index)", " \(secret)\n")
    }
    for format in WebhookSettings.Format.allCases {
      let request = try sent {
        $0.format = format
        $0.secretFiles = files
      }
      let signatures = request.headers["webhook-signature"]?.split(separator: " ") ?? []
      #expect(signatures.count == 2)
      #expect(signatures.allSatisfy { $0.hasPrefix("v1,") })
    }
    #expect(try peer.verified(by: secrets).count == 3)
    let error = #expect(throws: NeverHappened.self) {
      try peer.verified(by: [WebhookStand.secret])
    }
    #expect(error?.description.contains("No matching signature found") == true)
  }

  @Test("nothing is signed before the clock is synchronised") func clock() throws {
    let isSynchronised = Mutex(false)
    var stand = stand
    stand.environment.isClockSynchronised = { isSynchronised.withLock { $0 } }
    let secret = try stand.file("secret", WebhookStand.secret)
    let courier = try stand.courier(peer.url("ok")) { $0.secretFiles = [secret] }
    let delivery = try MessageTemplateTests.delivery()
    let reason = courier.deliver(delivery, until: stand.stop).unreachable
    #expect(reason?.hasPrefix("the clock is not synchronised yet") == true)
    #expect(try peer.requests().isEmpty)
    #expect(try stand.deliver(to: peer.url("ok")) == .delivered, "unsigned")
    isSynchronised.withLock { $0 = true }
    #expect(courier.deliver(delivery, until: stand.stop) == .delivered)
    // The kernel forgets it when the network is away for long.
    isSynchronised.withLock { $0 = false }
    #expect(courier.deliver(delivery, until: stand.stop) == .delivered)
  }

  // MARK: - CloudEvents

  @Test("PyPI's cloudevents reads the event and its attributes") func cloudEvent() throws {
    let request = try sent { $0.format = .cloudevents }
    #expect(request.headers["content-type"] == "application/cloudevents+json")
    #expect(request.text.hasSuffix(#","data":\#(MessageTemplateTests.line)}"#))
    let event = try #require(try object(try peer.verified(by: [])[0]))
    #expect(event["specversion"] as? String == "1.0")
    #expect(event["id"] as? String == "5df2c4b47418110a-0")
    #expect(event["source"] as? String == "urn:waymark:boat")
    #expect(event["type"] as? String == "io.waymark.exit")
    #expect(event["time"] as? String == "2026-05-04 05:45:11.109000+00:00")
    #expect(event["subject"] as? String == "van/depot")
    #expect(event["recordedtime"] as? String == "2026-05-04T05:45:12.000Z")
    #expect(event["partitionkey"] as? String == "van")
    #expect(event["sequence"] as? String == "00000000000000000007")
    #expect(event["datacontenttype"] as? String == "application/json")
    let data = try #require(event["data"] as? NSDictionary)
    #expect(data == (try object(MessageTemplateTests.line)).map { $0 as NSDictionary })
  }

  @Test("names of any kind and an event without a fence are read as well") func oddCloudEvent()
    throws
  {
    let line = """
      {"type":"significant-change","id":"1","device":"Zoë \\"\\u0001\\\\","latitude":1.0,"longitude":2.0}
      """
    let delivery = Delivery(
      sequence: .max, event: try #require(OutgoingEvent(line: line)), json: line)
    let request = try sent(delivery) {
      $0.format = .cloudevents
      $0.source = "https://boat.example/waymark"
    }
    #expect(!request.text.contains("time"))
    let event = try #require(try object(try peer.verified(by: [])[0]))
    #expect(event["type"] as? String == "io.waymark.significant_change")
    #expect(event["source"] as? String == "https://boat.example/waymark")
    #expect(event["subject"] as? String == "Zoë \"\u{1}\\")
    #expect(event["sequence"] as? String == "09223372036854775807")
  }

  private func object(_ json: String) throws -> [String: Any]? {
    try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
  }

  @Test("the name of the machine becomes a URN")
  func source() {
    #expect(CloudEvent.source(hostName: "boat-1.lan") == "urn:waymark:boat-1.lan")
    #expect(CloudEvent.source(hostName: "a b/ö") == "urn:waymark:a%20b%2F%C3%B6")
  }

  // MARK: - Text

  @Test("a text is the message, or a sentence without one") func text() throws {
    let request = try sent { $0.format = .text }
    #expect(request.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(request.text == "van left depot at 07:45:11")
    let other = try sent {
      $0.format = .text
      $0.message = try MessageTemplate("Zoë: {fence}")
    }
    #expect(other.text == "Zoë: depot")
  }

  // MARK: - Headers

  private func header(_ name: String, _ value: String) throws -> WebhookSettings.Header {
    .init(name: name, value: try MessageTemplate(value))
  }

  @Test("headers have fields, in UTF-8, and replace those of the same name") func headers() throws {
    let request = try sent {
      $0.format = .text
      $0.headers = [
        try header("Title", "{device} {verb} Zoës {fence} ⚓"), try header("content-TYPE", "text/x"),
        try header("X-Empty", "{place}"), try header("User-Agent", "me"),
      ]
    }
    #expect(request.headers["title"] == "van left Zoës depot ⚓")
    #expect(request.headers["content-type"] == "text/x")
    #expect(request.headers["user-agent"] == "me")
    #expect(request.headers["x-empty"] == nil)
    #expect(request.text == "van left depot at 07:45:11")
  }

  @Test("a name of a device adds no header") func injection() throws {
    let line = MessageTemplateTests.line
      .replacing(#""van""#, with: #""v\r\nX-Evil: 1\r\n\r\n{}\u0000\u0085\u2028\u007f.""#)
    let request = try sent(try MessageTemplateTests.delivery(line)) {
      $0.headers = [try header("Title", "  {device}")]
    }
    #expect(request.headers["title"] == "v  X-Evil: 1    {}    .")
    #expect(request.headers["x-evil"] == nil)
    #expect(request.text == line)
  }

  // MARK: - Files

  @Test(
    "a damaged secret is an error",
    arguments: [
      ("", "it is empty"), (" \n", "it is empty"), ("abc", "does not begin with 'whsec_'"),
      ("whsec_!!", "no base64"), ("whsec_", "has 0 bytes"),
      ("whsec_" + Data(count: 23).base64EncodedString(), "has 23 bytes, expected 24 to 64"),
      ("whsec_" + Data(count: 65).base64EncodedString(), "has 65 bytes, expected 24 to 64"),
      ("whsec_" + Data(count: 1 << 20).base64EncodedString(), "larger than what is read"),
    ])
  func badSecret(text: String, problem: String) throws {
    let path = try stand.file("secret", text)
    let error = #expect(throws: ReceiverError.self) {
      try stand.courier(peer.url("ok")) { $0.secretFiles = [path] }
    }
    let description = try #require(error).description
    #expect(description.hasPrefix("\(path): ") && description.contains(problem))
    #expect(text.count < 10 || !description.contains(text))
  }

  @Test("a missing file and a token of two words are errors") func badFiles() throws {
    let missing = stand.folder.file("missing")
    let error = #expect(throws: ReceiverError.self) {
      try stand.courier(peer.url("ok")) { $0.tokenFile = missing }
    }
    #expect(
      error?.description
        == "\(missing): it cannot be read (no such file or directory); expected a file with a secret"
    )
    let words = try stand.file("words", "two words")
    #expect(throws: ReceiverError.self) {
      try stand.courier(peer.url("ok")) { $0.tokenFile = words }
    }
  }

  @Test("a name without a folder is looked up in systemd's credentials first") func credentials()
    throws
  {
    var stand = stand
    try stand.folder.write("token", "of-systemd")
    stand.environment.variables = ["CREDENTIALS_DIRECTORY": stand.folder.path]
    #expect(try stand.deliver(to: peer.url("ok")) { $0.tokenFile = "token" } == .delivered)
    #expect(try peer.requests().last?.headers["authorization"] == "Bearer of-systemd")
    #expect(throws: ReceiverError.self) {
      try stand.courier(peer.url("ok")) { $0.tokenFile = "other" }
    }
    #expect(throws: ReceiverError.self) {
      try stand.courier(peer.url("ok")) { $0.tokenFile = "./token" }
    }
  }

  @Test(
    "an invalid address is an error, and not repeated",
    arguments: ["", "a.example/x", "ftp://a.example/", "https:///x", "https://me:pw@a.example/"])
  func badAddress(url: String) throws {
    let error = #expect(throws: ReceiverError.address) { try stand.courier(url) }
    #expect(url.isEmpty || error?.description.contains(url) == false)
  }
}
