internal import NIOCore
internal import NIOPosix
package import Session
internal import Traces

/// A gpsd server whose receivers play traces.
///
/// One event loop serves all clients. ``play(_:pace:)`` reads the traces on the caller's thread and
/// waits there for the clock or for the slowest client.
package final class FeedServer: Sendable {
  /// Where it listens: HOST:PORT with the actual port, or unix:PATH.
  package let addresses: [String]
  /// Whether other machines can reach it.
  package let isPublic: Bool

  private let server: HubServer<FeedHub>

  /// Most items that one thread passes to the other at a time.
  private static let batchSize = 256

  /// Starts to listen; `warn` gets a line for each dropped client, on another thread.
  package init(
    on places: [ListenPlace], registry: DeviceRegistry, limits: FeedLimits,
    warn: @escaping @Sendable (String) -> Void
  ) throws(ServingError) {
    server = try HubServer(on: places, option: "--listen", limits: limits.connections) { loop in
      FeedHub(loop, registry: registry, limits: limits, warn: warn)
    } serve: { hub, channel in
      try channel.pipeline.syncOperations.addHandler(ClientHandler(hub, channel))
    }
    addresses = server.addresses
    isPublic = !server.bound.allSatisfy(\.isLocal)
  }

  /// The numbers so far.
  package var tally: FeedTally {
    (try? server.loop.submit { [hub = server.hub] in hub.value.tally }.wait()) ?? FeedTally()
  }

  /// Waits until the first client watches.
  /// - Throws: ``ServingError/stopped``.
  package func waitForWatcher() throws(ServingError) {
    try wait(server.loop.flatSubmit { [hub = server.hub] in hub.value.firstWatcher })
  }

  /// Serves everything, waits until the clients have them, and closes.
  ///
  /// - Throws: ``ServingError/trace(_:)`` when a trace cannot be read on, after the fixes before it
  ///   were served; or ``ServingError/stopped``.
  package func play(_ source: inout some FeedSource, pace: Pacer) throws(ServingError) {
    var failure: TraceError?
    do throws(TraceFailure) {
      try playItems(&source, pace)
    } catch {
      switch error {
      case .serving(let error): throw error
      case .trace(let error): failure = error
      }
    }
    server.stopListening()
    try wait(server.loop.flatSubmit { [hub = server.hub] in hub.value.finish() })
    if let failure { throw .trace(failure) }
  }

  /// Closes all connections at once, from any thread; ``play(_:pace:)`` then throws
  /// ``ServingError/stopped``.
  package func stop() { server.stop() }

  /// Stops, and frees the threads; the server cannot be used afterwards.
  package func shutDown() { server.shutDown() }

  private enum TraceFailure: Error {
    case trace(TraceError)
    case serving(ServingError)
  }

  private func playItems(
    _ source: inout some FeedSource, _ pace: Pacer
  ) throws(TraceFailure) {
    var (pace, sender) = (pace, BatchSender(loop: server.loop, hub: server.hub))
    do {
      while true {
        // Waiting for more input must not hold back fixes that are ready.
        if source.mayWait { try sender.flush() }
        guard let step = try source.nextItem() else { break }
        if let delay = pace.delay(until: step.due) {
          try sender.flush()
          pace.wait(delay)
        }
        sender.batch.newDevices += source.takeNewDevices()
        sender.batch.items.append(step.item)
        // What follows a lost connection is another batch.
        let isEnd = step.item == .disconnect
        if isEnd || sender.batch.items.count >= Self.batchSize { try sender.flush() }
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
