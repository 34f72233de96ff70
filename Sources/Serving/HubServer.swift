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
  private let listener: Listener

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - option: The option that names the places, for messages.
  ///   - hub: Makes the hub, on the event loop.
  ///   - serve: Adds the handlers of a new connection, on the event loop.
  init(
    on places: [ListenPlace], option: String, limits: ConnectionLimits,
    hub make: @escaping @Sendable (any EventLoop) -> Hub,
    serve: @escaping @Sendable (Hub, any Channel) throws -> Void
  ) throws(ServingError) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    self.loop = loop
    do {
      let hub = try loop.submit { NIOLoopBound(make(loop), eventLoop: loop) }.wait()
      self.hub = hub
      do {
        listener = try Listener(on: places, option: option) { [group] kind in
          limits.bootstrap(group, kind).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try serve(hub.value, channel) }
          }
        }
      } catch {
        try loop.submit { hub.value.stop() }.wait()
        throw error
      }
    } catch {
      try? group.syncShutdownGracefully()
      let names = places.map(\.description).joined(separator: ", ")
      throw error as? ServingError ?? .address(names, reason: "\(error)")
    }
  }

  /// Where it listens, with the actual ports.
  var bound: [SocketAddress] { listener.bound }

  /// The same as texts: HOST:PORT, or unix:PATH.
  var addresses: [String] { bound.map(\.place) }

  /// Accepts no more clients.
  func stopListening() { listener.stop() }

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

extension SocketAddress {
  /// The address as text.
  fileprivate var place: String {
    if case .unixDomainSocket = self { return "\(ListenPlace.file(pathname ?? "?"))" }
    return ListenAddress.text(ipAddress ?? "?", port ?? 0)
  }

  /// Whether only this machine can reach it.
  var isLocal: Bool {
    if case .unixDomainSocket = self { return true }
    return ipAddress?.hasPrefix("127.") == true || ipAddress == "::1"
  }
}
