internal import Locking
internal import NIOCore
internal import NIOHTTP1
package import Session

/// The server of the live map: the page, the status, events as they come, and metrics.
///
/// It serves on a thread of its own, and never makes the caller wait. A client that reads slowly gets
/// the present state as it reads; one that does not read is dropped.
package final class WebServer: Sendable {
  /// Where it listens, as HOST:PORT with the actual port.
  package let addresses: [String]

  private let server: HubServer<WebHub>
  private let inbox: Mutex<WebInbox>

  /// Starts to listen; `warn` gets a line for each dropped client, on another thread.
  ///
  /// - Parameters:
  ///   - token: What a request needs; nil only for an address that this machine alone can reach.
  ///   - tiles: The tiles of the page's map; nil for none.
  ///   - listsDevices: Whether the status is a list of devices; else there is one.
  ///   - run: A word that no earlier run had, of letters and digits.
  package init(
    on address: ListenAddress, token: WebToken?, pages: [WebPage], tiles: WebTiles? = nil,
    listsDevices: Bool, run: String, limits: WebLimits = WebLimits(),
    warn: @escaping @Sendable (String) -> Void
  ) throws(ServingError) {
    inbox = Mutex(WebInbox(limits: limits))
    let connections = ConnectionLimits(
      systemQueue: limits.systemQueue,
      waterMark: .init(low: limits.backlog / 4, high: limits.backlog))
    server = try HubServer(on: [.address(address)], option: "--web", limits: connections) { loop in
      WebHub(
        loop, token: token, pages: pages, tiles: tiles, listsDevices: listsDevices, limits: limits,
        run: run, warn: warn)
    } serve: { hub, channel in
      let pipeline = channel.pipeline.syncOperations
      try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
      try pipeline.addHandler(WebConnection(hub, channel))
    }
    addresses = server.addresses
  }

  /// Publishes the states of devices that have changed, and that of the run.
  package func publish(_ states: [WebState], _ run: WebRun) {
    add {
      for state in states { $0.add(state) }
      $0.add(run)
    }
  }

  /// Publishes that a device is not watched any more.
  package func publish(forgotten device: String) { add { $0.add(forgotten: device) } }

  /// Publishes the fences, a JSON object, when they have changed.
  package func publish(fences: [UInt8]) { add { $0.add(fences: fences) } }

  /// Publishes events, each a JSON line.
  package func publish(events: [[UInt8]]) { add { $0.add(events, .event) } }

  /// Publishes why events were reported, each a JSON line.
  package func publish(reasons: [[UInt8]]) { add { $0.add(reasons, .reason) } }

  private func add(_ change: (inout WebInbox) -> Void) {
    let mustCall = inbox.withLock {
      change(&$0)
      return $0.await()
    }
    if mustCall { send() }
  }

  /// Sends what was published, some of it at a time: between, the loop serves those who read.
  private func send() {
    server.loop.execute { [self] in
      let (batch, hasMore) = inbox.withLock { $0.takeBatch() }
      server.hub.value.send(batch)
      if hasMore { send() }
    }
  }

  /// Closes all connections and frees the thread; the server cannot be used afterwards.
  package func shutDown() { server.shutDown() }
}
