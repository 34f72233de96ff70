import EventLog
import Explaining
import MapTiles
import Reporting
import Serving
import Session
import System
import Tracking
import Watching

/// Shows a live run in browsers and to Prometheus.
final class LiveMap: LiveAudience {
  private let server: WebServer
  /// The time of the last position that was published.
  private var last: Timestamp?
  /// The fences that were published.
  private var fences: FenceSet

  init(
    on address: ListenAddress, token: WebToken?, tokenFile: String?, fences: FenceSet,
    tiles: PageTiles?
  ) throws {
    self.fences = fences
    // Differs from run to run, so that a page notices a restart.
    let run = String(UInt64.random(in: .min ... .max), radix: 36)
    server = try WebServer(
      on: address, token: token, pages: WebPage.live(around: fences, tiles: tiles),
      tiles: tiles.flatMap(WebTiles.init), run: run
    ) {
      Terminal.report("waymark: web: \($0)")
    }
    server.publish(fences: LivePage.fences(fences))
    for address in server.addresses {
      let advice = tokenFile.map { "; append ?token= and the text of \($0)" } ?? ""
      Terminal.report("waymark: the live map is at http://\(address)/\(advice)")
    }
  }

  func show(_ snapshot: LiveSnapshot) {
    if snapshot.fences != fences {
      fences = snapshot.fences
      server.publish(fences: LivePage.fences(fences))
    }
    var state = WebState(status: [], metrics: [])
    StatusJSON.append(snapshot, source: snapshot.source, to: &state.status)
    LiveMetrics.append(snapshot, to: &state.metrics)
    if let fix = snapshot.fix, let time = fix.time, time != last {
      last = time
      state.position = StatusJSON.position(fix)
    }
    server.publish(state)
  }

  func show(_ events: [LogEntry]) {
    server.publish(
      events: events.map { entry in
        var line: [UInt8] = []
        JSONLinesWriter.append(entry, to: &line)
        return line
      })
  }

  func show(_ reasons: [Explanation]) {
    server.publish(reasons: reasons.map(LivePage.reason))
  }

  func shutDown() { server.shutDown() }
}
