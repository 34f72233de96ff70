internal import NIOCore
internal import NIOHTTP1

/// One connection of the live map's server.
///
/// It is used on the hub's event loop only.
final class WebConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let hub: WebHub
  private let channel: any Channel
  private let countUnsent: (any Channel) -> Int
  private var head: HTTPRequestHead?
  private(set) var isStreaming = false
  /// How far the stream is; nil when it lacks nothing.
  var cursor: WebHub.Cursor?
  /// Whether something was asked for since the last look, or a part of the stream was taken.
  private var hasMoved = true
  /// Bytes that the client had not taken at the last look.
  private var unsent = 0

  /// A connection of a hub; `countUnsent` is how many bytes its client has not taken yet.
  init(
    _ hub: WebHub, _ channel: any Channel,
    countUnsent: @escaping (any Channel) -> Int = SystemQueue.unsent(of:)
  ) {
    self.hub = hub
    self.channel = channel
    self.countUnsent = countUnsent
  }

  /// The client's address, for messages.
  var name: String { channel.remoteAddress.map { "\($0.ipAddress ?? "?"):\($0.port ?? 0)" } ?? "?" }
  var isWritable: Bool { channel.isWritable }

  /// Whether nothing was asked for, and no byte of an answer was taken, since the call before.
  func isStill() -> Bool {
    let before = unsent
    unsent = countUnsent(channel)
    defer { hasMoved = false }
    return !hasMoved && unsent == before
  }

  /// Goes on from there, as the client reads.
  func lag(from cursor: WebHub.Cursor) {
    self.cursor = cursor
    hasMoved = true
  }

  // MARK: The channel's events

  func channelActive(context: ChannelHandlerContext) {
    // An answer would need a request, and the client may never send one.
    if !hub.add(self) { drop() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    cursor = nil
    hub.remove(self)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if isStreaming { hub.resume(self) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { drop() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    hasMoved = true
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    // No request has a body that means anything.
    case .body: break
    case .end:
      guard let head, !isStreaming else { return drop() }
      self.head = nil
      answer(head)
    }
  }

  func drop() { channel.close(promise: nil) }

  // MARK: Answers

  private func answer(_ head: HTTPRequestHead) {
    let request = WebRequest(
      method: head.method.rawValue, uri: head.uri,
      headers: head.headers.map { ($0.name.lowercased(), $0.value) })
    let isLast = !head.isKeepAlive
    switch request.answer(token: hub.token, pages: hub.paths) {
    case .refusal(let code, let reason): refuse(code, reason, isLast: isLast)
    case .signIn(let location): signIn(location, isLast: isLast)
    case .route(let route, let isHead): serve(route, isHead: isHead, isLast: isLast)
    }
  }

  private func serve(_ route: WebRequest.Route, isHead: Bool, isLast: Bool) {
    switch route {
    case .page(let path):
      let page = hub.pages[path]
      send(200, page?.type ?? "", page?.bytes ?? [], isHead: isHead, isLast: isLast)
    case .tile(let zoom, let x, let y):
      guard case .images(let type, let find)? = hub.tiles else {
        return refuse(404, "there are no tiles", isLast: isLast)
      }
      let image = find(zoom, x, y)
      send(image == nil ? 204 : 200, type, image ?? [], isHead: isHead, isLast: isLast)
    case .status: send(200, Self.json, hub.status, isHead: isHead, isLast: isLast)
    case .metrics:
      send(
        200, "text/plain; version=0.0.4; charset=utf-8", hub.run.metrics, isHead: isHead,
        isLast: isLast)
    case .track: send(200, Self.json, hub.track, isHead: isHead, isLast: isLast)
    case .fences: send(200, Self.json, hub.fences, isHead: isHead, isLast: isLast)
    case .events(let id):
      let (bytes, last) = hub.lines(since: id)
      send(
        200, "application/x-ndjson", bytes, more: [("X-Last-Event-ID", last)], isHead: isHead,
        isLast: isLast)
    case .stream(let id):
      guard !isHead else { return send(200, Self.events, [], isHead: true, isLast: isLast) }
      isStreaming = true
      let head = HTTPResponseHead(
        version: .http1_1, status: .ok, headers: headers(Self.events))
      channel.write(HTTPServerResponsePart.head(head), promise: nil)
      hub.begin(self, since: id)
    }
  }

  /// Sends a part of the stream.
  func stream(_ text: ByteBuffer) {
    let sent = channel.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.hasMoved = true }
    channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(text)), promise: sent)
  }

  private func refuse(_ code: Int, _ reason: String, isLast: Bool) {
    let more = code == 405 ? [("Allow", "GET, HEAD")] : []
    send(
      code, "text/plain; charset=utf-8", Array("\(reason)\n".utf8), more: more, isHead: false,
      isLast: isLast)
  }

  private func signIn(_ location: String, isLast: Bool) {
    let cookie = "\(WebToken.cookie)=\(hub.token?.text ?? ""); HttpOnly; SameSite=Strict; Path=/"
    send(
      303, "text/plain; charset=utf-8", [], more: [("Set-Cookie", cookie), ("Location", location)],
      isHead: false, isLast: isLast)
  }

  private func send(
    _ code: Int, _ type: String, _ bytes: [UInt8], more: [(String, String)] = [], isHead: Bool,
    isLast: Bool
  ) {
    var headers = headers(type)
    // RFC 9110, 8.6: an answer without content has no length.
    if code != 204 { headers.add(name: "Content-Length", value: "\(bytes.count)") }
    for (name, value) in more { headers.add(name: name, value: value) }
    if isLast { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: code), headers: headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    if !isHead, !bytes.isEmpty {
      let body = channel.allocator.buffer(bytes: bytes)
      channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil)
    }
    let sent = channel.eventLoop.makePromise(of: Void.self)
    if isLast {
      sent.futureResult.assumeIsolated().whenComplete { [channel] _ in channel.close(promise: nil) }
    }
    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: sent)
  }

  private static let json = "application/json"
  private static let events = "text/event-stream"

  /// The page loads nothing from elsewhere and runs no script but its own; no other page shows it in a
  /// frame, and none gets its address.
  private func headers(_ type: String) -> HTTPHeaders {
    let server = if case .server(let origin)? = hub.tiles { " \(origin)" } else { "" }
    return [
      "Content-Type": type, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:\(server); "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ]
  }
}
