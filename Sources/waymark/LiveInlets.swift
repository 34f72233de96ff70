import Serving
import Session
import Settings
import System
import Watching

/// The sources of `watch` whose devices appear while it runs.
final class LiveInlets {
  private(set) var watched: [WatchedInlet] = []
  private var servers: [IntakeServer] = []

  /// Starts to take reports, which wait until the watch begins.
  init(_ inlets: [Configuration.Inlet]) throws {
    do {
      for inlet in inlets { try start(inlet) }
    } catch let failure as WebToken.Failure {
      Terminal.report("waymark: \(failure)")
      throw ExitStatus.inputOutput
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
    }
  }

  func shutDown() {
    for server in servers { server.shutDown() }
  }
}
