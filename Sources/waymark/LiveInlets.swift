import Outbox
import Serving
import Session
import Settings
import System
import Watching

/// The sources of `watch` whose devices appear while it runs.
final class LiveInlets {
  private(set) var watched: [WatchedInlet] = []
  private let keeper: String?
  private let receivers: [ReceiverSettings]
  private var servers: [IntakeServer] = []
  private var subscriptions: [MQTTInlet] = []

  /// Starts to take reports, which wait until the watch begins.
  ///
  /// - Parameters:
  ///   - keeper: The file that keeps them; nil for none.
  ///   - receivers: Those that this program delivers to.
  init(
    _ inlets: [Configuration.Inlet], keeper: String?, receivers: [ReceiverSettings]
  ) throws {
    (self.keeper, self.receivers) = (keeper, receivers)
    do {
      for inlet in inlets { try start(inlet) }
    } catch let failure as WebToken.Failure {
      Terminal.report("waymark: \(failure)")
      throw ExitStatus.inputOutput
    } catch let failure as ReceiverError {
      Terminal.report("waymark: \(failure)")
      throw ExitStatus.unavailable
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private func start(_ inlet: Configuration.Inlet) throws {
    let inbox = try ReportInbox()
    switch inlet.kind {
    case .http(let address, let tokenFile):
      let server = try IntakeServer(
        on: address, token: try tokenFile.map { try WebToken(path: $0) }, inbox: inbox)
      servers.append(server)
      let advice = tokenFile.map { "; a report needs the token of \($0)" } ?? ""
      for address in server.addresses {
        Terminal.report("waymark: phones report to http://\(address)/\(advice)")
      }
      watched.append(
        WatchedInlet(address: "http://\(server.addresses.first ?? "\(address)")", inbox: inbox))
    case .mqtt(let broker, let topics):
      for warning in broker.warnings { Terminal.report("waymark: \(warning)") }
      subscriptions.append(
        try MQTTInlet(
          broker, topics: topics, published: published(at: broker), keeper: keeper, inbox: inbox))
      watched.append(WatchedInlet(address: broker.address, inbox: inbox))
    }
  }

  /// Starts of topics under which receivers publish, which are reported.
  private func published(at broker: BrokerSettings) -> [String] {
    var roots: [String] = []
    for receiver in receivers {
      guard let root = receiver.ownTracksRoot(at: broker), !roots.contains(root) else { continue }
      Terminal.report(
        "waymark: \(broker.address): what comes under \(root) is not taken: the receiver "
          + "'\(receiver.name)' publishes there")
      roots.append(root)
    }
    return roots
  }

  /// Connects to each broker, and reports those that cannot be reached.
  static func probe(_ configuration: Configuration) throws {
    var hasFailure = false
    for broker in configuration.brokers {
      let problem = MQTTInlet.probe(broker)
      hasFailure = hasFailure || problem != nil
      try Terminal.answer(["\(broker.address): \(problem ?? "reachable")"])
    }
    if hasFailure { throw ExitStatus.unavailable }
  }

  func shutDown() {
    for server in servers { server.shutDown() }
    for subscription in subscriptions { subscription.shutDown() }
  }
}
