import Glibc
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Testing

@testable import Serving

@Suite("A connection of the live map")
struct WebConnectionTests {
  @Test("stays while its client takes any part of a long answer, and goes when it takes no more")
  func slowAnswer() throws {
    let loop = EmbeddedEventLoop()
    let page = WebPage(
      path: "/", type: "text/html", bytes: [UInt8](repeating: 0x20, count: 1_000_000))
    let limits = WebLimits()
    let hub = WebHub(
      loop, token: nil, pages: [page], tiles: nil, listsDevices: false, limits: limits, run: "ab"
    ) { _ in }
    let channel = EmbeddedChannel(loop: loop)
    defer {
      hub.stop()
      loop.run()
    }
    var unsent = page.bytes.count
    let connection = WebConnection(hub, channel) { _ in unsent }
    try channel.pipeline.syncOperations.addHandler(connection)
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/", headers: ["Host": "localhost"])
    try channel.writeInbound(HTTPServerRequestPart.head(request))
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    guard case .head(let head)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
      Issue.record("no head")
      return
    }
    #expect(head.status == .ok)
    let beat = TimeAmount(limits.beat)
    for _ in 0..<10 {
      loop.advanceTime(by: beat)
      #expect(channel.isActive)
      unsent -= 1
    }
    for _ in 0..<2 {
      #expect(channel.isActive)
      loop.advanceTime(by: beat)
    }
    #expect(!channel.isActive)
  }

  @Test("knows what its client has not taken of what the system has, and of what waits for it")
  func unsent() async throws {
    var ends: [CInt] = [-1, -1]
    let code = socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    try #require(code == 0)
    defer { close(ends[1]) }
    let group = MultiThreadedEventLoopGroup.singleton
    let channel = try await ClientBootstrap(group: group).withConnectedSocket(ends[0]).get()
    func unsent() async throws -> Int {
      try await channel.eventLoop.submit { SystemQueue.unsent(of: channel) }.get()
    }
    let count = 4 << 20
    channel.writeAndFlush(ByteBuffer(repeating: 0, count: count), promise: nil)
    let before = try await unsent()
    #expect(before >= count)
    var taken = [UInt8](repeating: 0, count: count)
    let size = read(ends[1], &taken, count)
    #expect(size > 0)
    #expect(try await unsent() < before)
    try await channel.close()
  }
}
