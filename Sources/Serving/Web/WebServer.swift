internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// The server of the live map: the page, the status, events as they come, and metrics.
///
/// It serves on a thread of its own, and never makes the caller wait: a client that does not read is
/// dropped.
package final class WebServer: Sendable {
  /// Where it listens, as HOST:PORT with the actual port.
  package let addresses: [String]

  private let group: MultiThreadedEventLoopGroup
  private let loop: any EventLoop
  private let hub: NIOLoopBound<WebHub>
  private let listeners: [any Channel]

  /// Starts to listen; `warn` gets a line for each dropped client, on another thread.
  ///
  /// - Parameters:
  ///   - token: What a request needs; nil only for an address that this machine alone can reach.
  ///   - run: A word that no earlier run had, of letters and digits.
  package init(
    on address: ListenAddress, token: WebToken?, pages: [WebPage], run: String,
    limits: WebLimits = WebLimits(), warn: @escaping @Sendable (String) -> Void
  ) throws(ServingError) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    self.loop = loop
    do {
      let hub = try loop.submit {
        NIOLoopBound(
          WebHub(loop, token: token, pages: pages, limits: limits, run: run, warn: warn),
          eventLoop: loop)
      }.wait()
      self.hub = hub
      do {
        listeners = try Listener(
          bootstrap: Self.bootstrap(group, hub, limits), option: "--web"
        ).listen(on: address)
      } catch {
        try loop.submit { hub.value.stop() }.wait()
        throw error
      }
    } catch {
      try? group.syncShutdownGracefully()
      throw error as? ServingError ?? .address("\(address)", reason: "\(error)")
    }
    addresses = listeners.compactMap(\.localAddress)
      .map { ListenAddress.text($0.ipAddress ?? "?", $0.port ?? 0) }
  }

  private static func bootstrap(
    _ group: any EventLoopGroup, _ hub: NIOLoopBound<WebHub>, _ limits: WebLimits
  ) -> ServerBootstrap {
    Listener.bootstrap(group)
      .childChannelInitializer { [hub] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(WebConnection(hub.value, channel))
        }
      }
      .childChannelOption(
        .writeBufferWaterMark,
        value: .init(low: limits.backlog / 4, high: limits.backlog)
      )
      .childChannelOption(.socketOption(.so_sndbuf), value: limits.systemQueue)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
  }

  /// Publishes the state of the run.
  package func publish(_ state: WebState) {
    loop.execute { [hub] in hub.value.publish(state) }
  }

  /// Publishes the fences, a JSON object, when they have changed.
  package func publish(fences: [UInt8]) {
    loop.execute { [hub] in hub.value.publish(fences: fences) }
  }

  /// Publishes events, each a JSON line.
  package func publish(events: [[UInt8]]) {
    guard !events.isEmpty else { return }
    loop.execute { [hub] in hub.value.publish(events: events) }
  }

  /// Closes all connections and frees the thread; the server cannot be used afterwards.
  package func shutDown() {
    listeners.forEach { $0.close(promise: nil) }
    try? loop.submit { [hub] in hub.value.stop() }.wait()
    try? group.syncShutdownGracefully()
  }
}
