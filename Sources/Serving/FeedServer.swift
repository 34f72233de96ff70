internal import NIOCore
internal import NIOPosix
package import Session
internal import Traces

/// A gpsd as its clients see it, with receivers that play traces.
///
/// One event loop serves all clients; whoever calls ``play(_:pace:)`` reads the traces, on its own
/// thread, and waits there for the clock or for the slowest client.
package final class FeedServer: Sendable {
  /// Where it listens, as HOST:PORT, the ports as they really are.
  package let addresses: [String]
  /// Whether other machines can reach it.
  package let isPublic: Bool

  private let group: MultiThreadedEventLoopGroup
  private let loop: any EventLoop
  private let hub: NIOLoopBound<FeedHub>
  private let listeners: [any Channel]

  /// So many fixes go from one thread to the other at a time.
  private static let batchSize = 256

  /// Starts to listen; `warn` is told, on another thread, of clients that are dropped.
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
        listeners = try Listener(group: group, hub: hub, limits: limits).listen(on: address)
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

  /// The numbers so far.
  package var tally: FeedTally {
    (try? loop.submit { [hub] in hub.value.tally }.wait()) ?? FeedTally()
  }

  /// Waits until the first client watches.
  /// - Throws: ``ServingError/stopped``.
  package func waitForWatcher() throws(ServingError) {
    try wait(loop.flatSubmit { [hub] in hub.value.firstWatcher })
  }

  /// Serves everything, lets the clients have it, and closes.
  ///
  /// - Throws: ``ServingError/trace(_:)``, then what came before was served; or
  ///   ``ServingError/stopped``.
  package func play(_ playback: inout Playback, pace: Pace) throws(ServingError) {
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

  /// Closes all connections at once, from any thread; whoever plays is told by
  /// ``ServingError/stopped``.
  package func stop() {
    listeners.forEach { $0.close(promise: nil) }
    try? loop.submit { [hub] in hub.value.stop() }.wait()
  }

  /// Frees the threads; nothing can be asked any more.
  package func shutDown() {
    stop()
    try? group.syncShutdownGracefully()
  }

  private enum TraceFailure: Error {
    case trace(TraceError)
    case serving(ServingError)
  }

  private func playFixes(_ playback: inout Playback, _ pace: Pace) throws(TraceFailure) {
    var (pace, outlet) = (pace, Outlet(loop: loop, hub: hub))
    do {
      while true {
        // What is there is not kept back while more is waited for.
        if playback.mayWait { try outlet.flush() }
        guard let step = try playback.next() else { break }
        if let delay = pace.delay(until: step.due) {
          try outlet.flush()
          pace.wait(delay)
        }
        outlet.batch.newDevices += playback.takeNewDevices()
        outlet.batch.fixes.append(step.served)
        if outlet.batch.fixes.count >= Self.batchSize { try outlet.flush() }
      }
      try outlet.flush()
      try outlet.settle()
    } catch let error as TraceError {
      do { try outlet.flush() } catch { throw .serving(.stopped) }
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

/// The way from the thread that reads to the one that sends: a batch is read while the one before
/// it is on its way.
private struct Outlet {
  let loop: any EventLoop
  let hub: NIOLoopBound<FeedHub>
  var batch = FeedBatch()
  private var onItsWay: EventLoopFuture<Void>?

  init(loop: any EventLoop, hub: NIOLoopBound<FeedHub>) {
    self.loop = loop
    self.hub = hub
  }

  /// Sends the batch, as soon as there is room for it.
  mutating func flush() throws {
    guard !batch.isEmpty else { return }
    try settle()
    onItsWay = loop.flatSubmit { [hub, batch] in hub.value.publish(batch) }
    batch = FeedBatch()
  }

  /// Waits until there is room for more.
  mutating func settle() throws {
    try onItsWay?.wait()
    onItsWay = nil
  }
}
