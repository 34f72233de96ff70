import ArgumentParser
import MapTiles
import Serving
import Session
import Settings
import System
import Tracking

/// The live map of `watch`.
struct WebOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Serve a page with the positions and the events, /status, /events and /metrics on this port of \
      this machine, or of HOST, which needs --web-token.
      """, valueName: "[host:]port"),
    transform: { text in
      guard let address = ListenAddress(web: text) else {
        throw ValidationError("found '\(text)', expected a port such as 8080, or HOST:PORT")
      }
      return address
    })
  var web: ListenAddress?

  @Option(
    help: ArgumentHelp(
      """
      The file with the token that the page needs; made with a new one when it is missing. With a \
      token other machines may reach the page.
      """, valueName: "file"), completion: .file())
  var webToken: String?

  func validate() throws {
    if webToken != nil, web == nil {
      throw ValidationError("--web-token is for --web; name its port")
    }
    try FileUse.checkFile("--web-token", webToken, for: "token", suchAs: "web.token")
    guard let web, webToken == nil, !web.isLocal else { return }
    throw ValidationError(
      "\(web) can be reached from other machines; name a file for its token with --web-token, or "
        + "leave out the host")
  }

  /// Starts the server; nil without `--web`.
  func start(
    _ settings: Configuration, _ fences: FenceSet, hasSeveralDevices: Bool
  ) throws -> LiveMap? {
    guard let web else { return nil }
    do {
      return try LiveMap(
        on: web, token: webToken.map { try WebToken(path: $0) }, tokenFile: webToken,
        fences: fences, tiles: try settings[TileSection.self].map(PageTiles.init(served:)),
        hasSeveralDevices: hasSeveralDevices)
    } catch let failure as WebToken.Failure {
      Terminal.report("waymark: \(failure)")
      throw ExitStatus.inputOutput
    } catch {
      throw ExitStatus.of(error)
    }
  }
}
