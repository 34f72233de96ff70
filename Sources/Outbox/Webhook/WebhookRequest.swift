internal import Foundation
internal import HTTP
internal import System

/// How the requests of a webhook are made, and what its answers mean.
struct WebhookRequest {
  private let settings: WebhookSettings
  private let zone: TimeZone
  private let secrets: [WebhookSecret]
  private let token: String?
  private let source: String
  /// The request without what an event adds to it.
  private let base: HTTPRequest
  /// The address without what may be secret, for messages.
  let server: String

  /// A longer response is a failure, bytes.
  static let longestResponse = 64 << 10

  init(
    _ settings: WebhookSettings, _ zone: TimeZone, _ environment: WebhookEnvironment
  ) throws(ReceiverError) {
    guard let parts = URLComponents(string: settings.url), let url = parts.url,
      let server = parts.serverName, ["https", "http"].contains(parts.scheme?.lowercased()),
      parts.user == nil, parts.password == nil
    else { throw .address }
    self.settings = settings
    self.zone = zone
    self.server = server
    var secrets: [WebhookSecret] = []
    for path in settings.secretFiles {
      secrets.append(try WebhookSecret(file: path, in: environment.variables))
    }
    self.secrets = secrets
    token = try Self.token(settings.tokenFile, environment.variables)
    source = settings.source ?? CloudEvent.source(hostName: environment.hostName)
    var base = HTTPRequest(url, limit: Self.longestResponse, timeout: environment.timeout)
    base.proxy = HTTPProxy(for: url, in: environment.variables)
    base.authorityFile = settings.authorityFile
    base.refusesLinkLocal = true
    self.base = base
  }

  private static func token(
    _ path: String?, _ environment: [String: String]
  ) throws(ReceiverError) -> String? {
    guard let path else { return nil }
    let token = try ReceiverError.secret(path, in: environment)
    if let problem = problem(ofToken: token) { throw .file(path: path, problem: problem) }
    return token
  }

  /// Why a text is no token; nil when it is one.
  static func problem(ofToken text: String) -> String? {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      ? nil : "the token has spaces or other characters; expected one word"
  }

  /// Whether requests are signed.
  var isSigned: Bool { !secrets.isEmpty }

  /// The name of the proxy, for messages.
  var proxy: String? { base.proxy?.name }

  /// A connection without a request.
  var probe: HTTPRequest {
    var probe = base
    probe.method = .connect
    return probe
  }

  /// The request for an attempt at `time`.
  func post(_ delivery: Delivery, at time: Date) throws(HTTPFailure) -> HTTPRequest {
    let body = body(of: delivery)
    let timestamp = Int(time.timeIntervalSince1970.rounded(.down))
    var headers = [
      ("Content-Type", contentType), ("User-Agent", "waymark/\(Release.version)"),
      ("webhook-id", delivery.id), ("webhook-timestamp", String(timestamp)),
    ]
    if isSigned {
      let signatures = secrets.compactMap {
        $0.signature(of: body, id: delivery.id, timestamp: timestamp)
      }
      guard signatures.count == secrets.count else { throw .unreachable("out of memory") }
      headers.append(("webhook-signature", signatures.joined(separator: " ")))
    }
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    let own = settings.headers.map { ($0.name, $0.text(for: delivery, in: zone)) }
    headers.removeAll { name, _ in own.contains { $0.0.lowercased() == name.lowercased() } }
    var post = base
    post.method = .post(body: body)
    // libcurl takes a header without a value as the request to send none.
    post.headers = (headers + own).map { "\($0): \($1)" }
    return post
  }

  private var contentType: String {
    switch settings.format {
    case .event: "application/json"
    case .cloudevents: CloudEvent.contentType
    case .text: "text/plain; charset=utf-8"
    }
  }

  private func body(of delivery: Delivery) -> [UInt8] {
    switch settings.format {
    case .event: Array(delivery.json.utf8)
    case .cloudevents: CloudEvent.json(of: delivery, source: source)
    case .text:
      Array((settings.message ?? .standard).text(for: delivery, in: zone).utf8)
    }
  }

  /// Whether a text repeats what must not appear in messages: the token, the address but for the server,
  /// the headers of the config.
  func isConfidential(_ text: String) -> Bool {
    let items = URLComponents(url: base.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let secrets = [token, base.url.query].compactMap(\.self) + items.compactMap(\.value)
    let words =
      base.url.pathComponents + [base.url.path(), base.url.path(percentEncoded: false)]
      + settings.headers.flatMap { $0.value.source.split(separator: " ").map(String.init) }
    let text = text.lowercased()
    // Shorter words are in many texts by chance.
    return (secrets.filter { !$0.isEmpty } + words.filter { $0.count >= 6 })
      .contains { text.contains($0.lowercased()) }
  }
}
