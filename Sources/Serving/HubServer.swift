internal import NIOCore
internal import NIOPosix
internal import Session

/// What serves the clients of a server; it is used on one event loop only.
protocol ServerHub: AnyObject, SendableMetatype {
  /// Drops all clients.
  func stop()
}

/// A server: a thread with its event loop, the hub that is used there, and the sockets that it listens on.
struct HubServer<Hub: ServerHub>: Sendable {
  let loop: any EventLoop
  let hub: NIOLoopBound<Hub>
  private let group: MultiThreadedEventLoopGroup
  private let listeners: [any Channel]

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - option: The option that names the address, for messages.
  ///   - make: Makes the hub, on the event loop.
  ///   - bootstrap: How connections are served.
  init(
    on address: ListenAddress, option: String,
    hub make: @escaping @Sendable (any EventLoop) -> Hub,
    bootstrap: (any EventLoopGroup, NIOLoopBound<Hub>) -> ServerBootstrap
  ) throws(ServingError) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    self.loop = loop
    do {
      let hub = try loop.submit { NIOLoopBound(make(loop), eventLoop: loop) }.wait()
      self.hub = hub
      do {
        listeners = try Listener(bootstrap: bootstrap(group, hub), option: option)
          .listen(on: address)
      } catch {
        try loop.submit { hub.value.stop() }.wait()
        throw error
      }
    } catch {
      try? group.syncShutdownGracefully()
      throw error as? ServingError ?? .address("\(address)", reason: "\(error)")
    }
  }

  /// Where it listens, with the actual ports.
  var bound: [SocketAddress] { listeners.compactMap(\.localAddress) }

  /// The same as texts, HOST:PORT.
  var addresses: [String] {
    bound.map { ListenAddress.text($0.ipAddress ?? "?", $0.port ?? 0) }
  }

  /// Accepts no more clients.
  func stopListening() { listeners.forEach { $0.close(promise: nil) } }

  /// Closes all connections at once.
  func stop() {
    stopListening()
    try? loop.submit { [hub] in hub.value.stop() }.wait()
  }

  /// Stops, and frees the thread; the server cannot be used afterwards.
  func shutDown() {
    stop()
    try? group.syncShutdownGracefully()
  }
}
