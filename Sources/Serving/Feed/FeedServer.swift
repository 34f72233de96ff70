internal import NIOCore
internal import NIOPosix
package import Session
internal import Traces

/// A gpsd server whose receivers play traces.
///
/// One event loop serves all clients. ``play(_:pace:)`` reads the traces on the caller's thread and
/// waits there for the clock or for the slowest client.
package final class FeedServer: Sendable {
  /// Where it listens, as HOST:PORT with the actual ports.
  package let addresses: [String]
  /// Whether other machines can reach it.
  package let isPublic: Bool

  private let group: MultiThreadedEventLoopGroup
  private let loop: any EventLoop
  private let hub: NIOLoopBound<FeedHub>
  private let listeners: [any Channel]

  /// Most fixes that one thread passes to the other at a time.
  private static let batchSize = 256

  /// Starts to listen; `warn` gets a line for each dropped client, on another thread.
  package init(
    on address: ListenAddress, devices: [ServedDevice], limits: FeedLimits,
    warn: @escaping @Sendable (String) -> Void
  ) throws(ServingError) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    self.loop = loop
    do {
      let hub = try loop.submit {
        NIOLoopBound(
          FeedHub(loop, devices: devices, limits: limits, warn: warn), eventLoop: loop)
      }.wait()
      self.hub = hub
      do {
        listeners = try Listener(
          bootstrap: Self.bootstrap(group, hub, limits), option: "--listen"
        ).listen(on: address)
      } catch {
        try loop.submit { hub.value.stop() }.wait()
        throw error
      }
    } catch {
      try? group.syncShutdownGracefully()
      throw error as? ServingError ?? .address("\(address)", reason: "\(error)")
    }
    let bound = listeners.compactMap(\.localAddress)
    addresses = bound.map { ListenAddress.text($0.ipAddress ?? "?", $0.port ?? 0) }
    isPublic = !bound.allSatisfy { address in
      address.ipAddress?.hasPrefix("127.") == true || address.ipAddress == "::1"
    }
  }

  /// Most bytes read from a client at a time: a few requests.
  private static let readSize = 4_096

  private static func bootstrap(
    _ group: any EventLoopGroup, _ hub: NIOLoopBound<FeedHub>, _ limits: FeedLimits
  ) -> ServerBootstrap {
    Listener.bootstrap(group)
      .childChannelInitializer { [hub] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ClientHandler(hub.value, channel))
        }
      }
      .childChannelOption(.writeBufferWaterMark, value: limits.waterMark)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readSize)
      )
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.socketOption(.so_sndbuf), value: limits.systemQueue)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
  }

  /// The numbers so far.
  package var tally: FeedTally {
    (try? loop.submit { [hub] in hub.value.tally }.wait()) ?? FeedTally()
  }

  /// Waits until the first client watches.
  /// - Throws: ``ServingError/stopped``.
  package func waitForWatcher() throws(ServingError) {
    try wait(loop.flatSubmit { [hub] in hub.value.firstWatcher })
  }

  /// Serves all fixes, waits until the clients have them, and closes.
  ///
  /// - Throws: ``ServingError/trace(_:)`` when a trace cannot be read on, after the fixes before it
  ///   were served; or ``ServingError/stopped``.
  package func play(_ playback: inout Playback, pace: Pacer) throws(ServingError) {
    var failure: TraceError?
    do throws(TraceFailure) {
      try playFixes(&playback, pace)
    } catch {
      switch error {
      case .serving(let error): throw error
      case .trace(let error): failure = error
      }
    }
    listeners.forEach { $0.close(promise: nil) }
    try wait(loop.flatSubmit { [hub] in hub.value.finish() })
    if let failure { throw .trace(failure) }
  }

  /// Closes all connections at once, from any thread; ``play(_:pace:)`` then throws
  /// ``ServingError/stopped``.
  package func stop() {
    listeners.forEach { $0.close(promise: nil) }
    try? loop.submit { [hub] in hub.value.stop() }.wait()
  }

  /// Stops, and frees the threads; the server cannot be used afterwards.
  package func shutDown() {
    stop()
    try? group.syncShutdownGracefully()
  }

  private enum TraceFailure: Error {
    case trace(TraceError)
    case serving(ServingError)
  }

  private func playFixes(_ playback: inout Playback, _ pace: Pacer) throws(TraceFailure) {
    var (pace, sender) = (pace, BatchSender(loop: loop, hub: hub))
    do {
      while true {
        // Waiting for more input must not hold back fixes that are ready.
        if playback.mayWait { try sender.flush() }
        guard let step = try playback.next() else { break }
        if let delay = pace.delay(until: step.due) {
          try sender.flush()
          pace.wait(delay)
        }
        sender.batch.newDevices += playback.takeNewDevices()
        sender.batch.fixes.append(step.served)
        if sender.batch.fixes.count >= Self.batchSize { try sender.flush() }
      }
      try sender.flush()
      try sender.settle()
    } catch let error as TraceError {
      do { try sender.flush() } catch { throw .serving(.stopped) }
      throw .trace(error)
    } catch {
      throw .serving(.stopped)
    }
  }

  private func wait(_ future: EventLoopFuture<Void>) throws(ServingError) {
    do {
      try future.wait()
    } catch {
      throw .stopped
    }
  }
}

/// Passes batches from the reading thread to the event loop; one is read while the one before is
/// being sent.
private struct BatchSender {
  let loop: any EventLoop
  let hub: NIOLoopBound<FeedHub>
  var batch = FeedBatch()
  private var pending: EventLoopFuture<Void>?

  init(loop: any EventLoop, hub: NIOLoopBound<FeedHub>) {
    self.loop = loop
    self.hub = hub
  }

  /// Sends the batch as soon as the one before has been taken.
  mutating func flush() throws {
    guard !batch.isEmpty else { return }
    try settle()
    pending = loop.flatSubmit { [hub, batch] in hub.value.publish(batch) }
    batch = FeedBatch()
  }

  /// Waits until the last batch has been taken.
  mutating func settle() throws {
    try pending?.wait()
    pending = nil
  }
}
