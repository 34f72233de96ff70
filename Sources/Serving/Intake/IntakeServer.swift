internal import NIOCore
internal import NIOHTTP1
package import Session

/// The server that phones and trackers report to: OwnTracks, Overland, Traccar's forwarding, GPSLogger and
/// OsmAnd.
///
/// It serves on a thread of its own. A report is acknowledged when the run has taken it from the inbox and
/// kept it, so that the sender repeats what was lost.
package final class IntakeServer: Sendable {
  /// Where it listens, as HOST:PORT with the actual port.
  package let addresses: [String]

  private let server: HubServer<IntakeHub>

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - token: What a request needs; nil only for an address that this machine alone can reach.
  ///   - inbox: Gets the reports, and what was wrong with other requests.
  package init(
    on address: ListenAddress, token: WebToken?, inbox: ReportInbox,
    limits: IntakeLimits = IntakeLimits()
  ) throws(ServingError) {
    let connections = ConnectionLimits(
      systemQueue: 64 << 10, waterMark: .init(low: 16 << 10, high: 64 << 10))
    server = try HubServer(on: [.address(address)], option: "http:", limits: connections) { loop in
      IntakeHub(loop, token: token, inbox: inbox, limits: limits)
    } serve: { hub, channel in
      let pipeline = channel.pipeline.syncOperations
      try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
      try pipeline.addHandler(IntakeConnection(hub, channel))
    }
    addresses = server.addresses
  }

  /// Closes all connections and frees the thread; the server cannot be used afterwards.
  package func shutDown() { server.shutDown() }
}
