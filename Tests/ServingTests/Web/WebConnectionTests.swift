import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Serving

/// Holds the parts of answers back, as a system does whose client reads slowly.
private final class Dam: ChannelOutboundHandler {
  typealias OutboundIn = HTTPServerResponsePart

  private var held: [(part: HTTPServerResponsePart, promise: EventLoopPromise<Void>?)] = []

  func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    held.append((unwrapOutboundIn(data), promise))
  }

  func flush(context: ChannelHandlerContext) {}

  /// Takes the next part; nil when none is left.
  func release() -> HTTPServerResponsePart? {
    guard !held.isEmpty else { return nil }
    let (part, promise) = held.removeFirst()
    promise?.succeed(())
    return part
  }
}

@Suite("A connection of the live map")
struct WebConnectionTests {
  @Test("stays while its client takes a long answer slowly, and goes when it takes no more")
  func slowAnswer() throws {
    let loop = EmbeddedEventLoop()
    let page = WebPage(
      path: "/", type: "text/html", bytes: [UInt8](repeating: 0x20, count: 1_000_000))
    let limits = WebLimits()
    let hub = WebHub(
      loop, token: nil, pages: [page], tiles: nil, listsDevices: false, limits: limits, run: "ab"
    ) { _ in }
    let (channel, dam) = (EmbeddedChannel(loop: loop), Dam())
    defer {
      hub.stop()
      loop.run()
      while dam.release() != nil {}
    }
    try channel.pipeline.syncOperations.addHandler(dam)
    try channel.pipeline.syncOperations.addHandler(WebConnection(hub, channel))
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    #expect(channel.isActive)
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/", headers: ["Host": "localhost"])
    try channel.writeInbound(HTTPServerRequestPart.head(request))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    guard case .head(let head)? = dam.release() else {
      Issue.record("no head")
      return
    }
    #expect(head.status == .ok)
    var count = 0
    let beat = TimeAmount(limits.beat)
    for _ in 0..<10 {
      loop.advanceTime(by: beat)
      #expect(channel.isActive)
      guard case .body(.byteBuffer(let piece))? = dam.release() else {
        Issue.record("no piece after \(count) bytes")
        return
      }
      #expect(piece.readableBytes <= 64 << 10)
      count += piece.readableBytes
    }
    #expect(count < page.bytes.count)
    for _ in 0..<2 {
      #expect(channel.isActive)
      loop.advanceTime(by: beat)
    }
    #expect(!channel.isActive)
  }
}
