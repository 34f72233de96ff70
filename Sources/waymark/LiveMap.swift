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
  private var metrics = LiveMetrics()
  /// The fences that were published.
  private var fences: FenceSet

  init(
    on address: ListenAddress, token: WebToken?, tokenFile: String?, fences: FenceSet,
    tiles: PageTiles?, hasSeveralDevices: Bool
  ) throws {
    self.fences = fences
    // Differs from run to run, so that a page notices a restart.
    let run = String(UInt64.random(in: .min ... .max), radix: 36)
    server = try WebServer(
      on: address, token: token, pages: WebPage.live(around: fences, tiles: tiles),
      tiles: tiles.flatMap(WebTiles.init), listsDevices: hasSeveralDevices, run: run
    ) {
      Terminal.report("waymark: web: \($0)")
    }
    server.publish(fences: LivePage.fences(fences))
    for address in server.addresses {
      let advice = tokenFile.map { "; append ?token= and the text of \($0)" } ?? ""
      Terminal.report("waymark: the live map is at http://\(address)/\(advice)")
    }
  }

  func show(_ devices: [LiveSnapshot], _ run: LiveRunState) {
    // All have the same fences; only a device alone has those that fixes place.
    if let newest = devices.first?.fences, newest != fences {
      fences = newest
      server.publish(fences: LivePage.fences(fences))
    }
    let states = devices.map { device in
      metrics.take(device)
      return WebState(
        device: device.device, status: StatusJSON.device(device),
        positions: device.trail.map(StatusJSON.position), isSource: device.number != nil)
    }
    var page: [UInt8] = []
    metrics.append(run, to: &page)
    server.publish(states, WebRun(status: StatusJSON.run(run), metrics: page))
  }

  func forget(_ device: String) {
    metrics.forget(device)
    server.publish(forgotten: device)
  }

  func show(_ events: [LogEntry]) {
    server.publish(
      events: events.map { entry in
        var line: [UInt8] = []
        JSONLinesWriter.append(entry, to: &line)
        return line
      })
  }

  /// Shows events of earlier runs, each a line of the event log.
  func show(stored lines: [[UInt8]]) { server.publish(events: lines) }

  func show(_ reasons: [Explanation]) {
    server.publish(reasons: reasons.map(LivePage.reason))
  }

  func shutDown() { server.shutDown() }
}
