internal import Geodesy
package import Receivers
internal import System
internal import Traces
internal import Tracking

/// What a gpsd answers within a few seconds, for `waymark doctor`.
package enum GPSDProbe: Sendable, Hashable {
  case unavailable(LinkLoss)
  /// It answers, and no receiver reports.
  case silent(GPSDVersion)
  /// A receiver reports, without a position.
  case noFix(GPSDVersion)
  /// A receiver reports positions that it calls simulated.
  case simulated(GPSDVersion)
  case fix(GPSDVersion)

  /// Connects and waits for a fix, `limit` at most.
  package static func of(_ address: GPSDAddress, within limit: Duration) -> GPSDProbe {
    var options = LinkOptions()
    options.reconnects = false
    let client = GPSDClient(address, options: options)
    defer { client.close() }
    var (poller, listener) = (Poller(), Listener())
    let end = ContinuousClock.now + limit
    while !client.isOver, !listener.hasPosition, ContinuousClock.now < end {
      poller.removeAll()
      let slot = client.join(&poller)
      poller.wait(until: min(client.deadline ?? end, end))
      client.turn(now: .now, ready: poller.ready(slot)) { listener.take($0) }
    }
    return listener.probe
  }

  /// What was heard so far.
  struct Listener {
    private var version: GPSDVersion?
    private var loss: LinkLoss?
    private var decoder = ReceiverLogDecoder()
    private var batch = TraceBatch()
    private var hasReport = false

    /// A receiver without a position reports none that is valid.
    var hasFix: Bool { batch.points.contains { $0.fix.coordinate.isValid } }

    /// Whether a position was heard, used or refused.
    var hasPosition: Bool { hasFix || isSimulated }

    private var isSimulated: Bool { decoder.state.simulated > 0 }

    var probe: GPSDProbe {
      if let loss { return .unavailable(loss) }
      guard let version else { return .unavailable(.timeout(.connecting)) }
      if hasFix { return .fix(version) }
      if isSimulated { return .simulated(version) }
      return hasReport ? .noFix(version) : .silent(version)
    }

    mutating func take(_ event: LinkEvent) {
      switch event {
      case .status(.connected(let found)): version = found
      case .status(.lost(let found, _)): loss = found
      case .bytes(let lines):
        for line in lines.split(separator: UInt8(ascii: "\n")) {
          hasReport = hasReport || LinkLine(line.span) == .report
        }
        _ = decoder.decode(lines.span, isFinal: false, into: &batch)
      case .status, .answered, .ended: break
      }
    }
  }
}
