internal import Formats
internal import NIOCore
internal import NIOHTTP1
internal import Session

/// One connection of a phone, a tracker or a server that forwards for them.
///
/// It is used on the hub's event loop only.
final class IntakeConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// What the connection does.
  private enum State {
    case idle
    /// A request is read.
    case reading(HTTPRequestHead, IntakeRequest, body: [UInt8])
    /// The rest of a refused request is not read.
    case refused
    /// The run has the report; the answer is to the request with this number.
    case waiting(Int, ReportMessage.Dialect, isLast: Bool)
  }

  private let hub: IntakeHub
  private let channel: any Channel
  private var state = State.idle
  /// Beats since the state changed.
  private var beats = 0
  private var requestCount = 0
  /// Requests that may come at once, and when they were counted last.
  private var credit: Double
  private var counted = NIODeadline.now()

  init(_ hub: IntakeHub, _ channel: any Channel) {
    (self.hub, self.channel) = (hub, channel)
    credit = hub.limits.burst
  }

  // MARK: The channel's events

  func channelActive(context: ChannelHandlerContext) {
    if !hub.add(self) { drop() }
  }

  func channelInactive(context: ChannelHandlerContext) { hub.remove(self) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { drop() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head)
    case .body(let bytes): append(bytes)
    case .end: end()
    }
  }

  func drop() { channel.close(promise: nil) }

  /// Time has passed: what lasts too long ends.
  func takeBeat() {
    beats += 1
    switch state {
    case .idle: if beats >= hub.limits.idleBeats { drop() }
    case .reading, .refused: if beats >= hub.limits.requestBeats { drop() }
    case .waiting:
      guard beats >= hub.limits.requestBeats else { return }
      requestCount += 1
      answer(503, "the report could not be kept in time; send it again", isLast: true)
    }
  }

  // MARK: A request

  private func enter(_ state: State) { (self.state, beats) = (state, 0) }

  private func begin(_ head: HTTPRequestHead) {
    let request = IntakeRequest(
      request: WebRequest(
        method: head.method.rawValue, uri: head.uri,
        headers: head.headers.map { ($0.name.lowercased(), $0.value) }))
    if let (code, reason) = request.refusal(hub.token) { return refuse(code, reason) }
    guard hasCredit() else { return refuse(429, "too many requests; send them more slowly") }
    let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    guard length <= IntakeRequest.longestBody else { return refuse(413, Self.tooLong) }
    enter(.reading(head, request, body: []))
    if head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
      let head = HTTPResponseHead(version: .http1_1, status: .continue)
      channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
    }
  }

  private static let tooLong = "the body is longer than the limit of 1 MiB"

  private func append(_ bytes: ByteBuffer) {
    guard case .reading(let head, let request, var body) = state else { return }
    // The state keeps no copy meanwhile.
    state = .refused
    guard body.count + bytes.readableBytes <= IntakeRequest.longestBody else {
      return refuse(413, Self.tooLong)
    }
    body.append(contentsOf: bytes.readableBytesView)
    state = .reading(head, request, body: body)
  }

  private func end() {
    guard case .reading(let head, let request, let body) = state else { return }
    let isLast = !head.isKeepAlive
    if request.isEmpty, body.isEmpty {
      let text = "waymark takes reports of OwnTracks, Overland, Traccar, GPSLogger and OsmAnd here"
      return answer(200, text, isLast: isLast)
    }
    do throws(ReportError) {
      let message = try request.message(body)
      if let type = message.ignored { hub.inbox.note(ignored: type) }
      for problem in message.problems { hub.inbox.note(problem: "\(name): \(problem)") }
      offer(message, size: body.count, isLast: isLast)
    } catch {
      hub.inbox.note(problem: "\(name): a request was refused: \(error)")
      answer(400, "\(error)", isLast: isLast)
    }
  }

  /// Gives the reports to the run, which answers.
  private func offer(_ message: ReportMessage, size: Int, isLast: Bool) {
    guard !message.reports.isEmpty else { return confirm(message.dialect, isLast: isLast) }
    requestCount += 1
    let number = requestCount
    enter(.waiting(number, message.dialect, isLast: isLast))
    let loop = channel.eventLoop
    let connection = NIOLoopBound(self, eventLoop: loop)
    let isTaken = hub.inbox.offer(message.reports, size: size) { receipt in
      loop.execute { connection.value.take(receipt, of: number) }
    }
    if !isTaken { take(.notKept(reason: "too many reports wait"), of: number) }
  }

  private func take(_ receipt: ReportInbox.Receipt, of number: Int) {
    guard case .waiting(number, let dialect, let isLast) = state else { return }
    switch receipt {
    case .kept: confirm(dialect, isLast: isLast)
    case .notKept(let reason): answer(503, "\(reason); send it again", isLast: isLast)
    case .refused(let reason):
      hub.inbox.note(problem: "\(name): a request was refused: \(reason)")
      answer(400, reason, isLast: isLast)
    }
  }

  private func hasCredit() -> Bool {
    let now = NIODeadline.now()
    let passed = Double((now - counted).nanoseconds) / 1e9
    credit = min(hub.limits.burst, credit + passed * hub.limits.rate)
    counted = now
    guard credit >= 1 else { return false }
    credit -= 1
    return true
  }

  /// The client's address, for messages.
  private var name: String { channel.remoteAddress?.ipAddress ?? "?" }

  // MARK: Answers

  /// Answers as the sender expects it: otherwise it sends the report again.
  private func confirm(_ dialect: ReportMessage.Dialect, isLast: Bool) {
    switch dialect {
    case .ownTracks: send(200, "application/json", "[]", isLast: isLast)
    case .overland: send(200, "application/json", #"{"result":"ok"}"#, isLast: isLast)
    case .traccar, .query: answer(200, "OK", isLast: isLast)
    }
  }

  /// Refuses a request before its body was read; the connection ends.
  private func refuse(_ code: Int, _ reason: String) {
    hub.inbox.note(problem: "\(name): a request was refused: \(reason)")
    answer(code, reason, isLast: true)
    enter(.refused)
  }

  private func answer(_ code: Int, _ text: String, isLast: Bool) {
    send(code, "text/plain; charset=utf-8", "\(text)\n", isLast: isLast)
  }

  private func send(_ code: Int, _ type: String, _ text: String, isLast: Bool) {
    enter(.idle)
    var headers: HTTPHeaders = [
      "Content-Type": type, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
      "Content-Length": "\(text.utf8.count)",
    ]
    if code == 401 { headers.add(name: "WWW-Authenticate", value: #"Basic realm="waymark""#) }
    if code == 405 { headers.add(name: "Allow", value: "GET, POST") }
    if code == 429 || code == 503 { headers.add(name: "Retry-After", value: "5") }
    if isLast { headers.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: code), headers: headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    let body = channel.allocator.buffer(string: text)
    channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil)
    let sent = channel.eventLoop.makePromise(of: Void.self)
    if isLast {
      sent.futureResult.assumeIsolated().whenComplete { [channel] _ in channel.close(promise: nil) }
    }
    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: sent)
  }
}
