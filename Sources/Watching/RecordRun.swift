package import GPSD
package import System

/// The run of `waymark record`: writes the data of one gpsd or several to a file until a signal comes.
package struct RecordRun {
  /// Why it ended.
  package enum End: Sendable, Hashable {
    /// A signal came.
    case stopped
    /// The connection is lost and must not be retried.
    case unavailable
  }

  private let clients: [GPSDClient]
  private let signals: Signals
  package private(set) var recording: SharedRecording
  private var reports: [LinkMessages]
  private let print: (String) -> Void

  /// `print` gets each message for the user.
  package init(
    _ clients: [GPSDClient], to recording: SharedRecording, until signals: Signals,
    print: @escaping (String) -> Void
  ) {
    self.clients = clients
    self.signals = signals
    self.recording = recording
    reports = clients.map { LinkMessages($0.address) }
    self.print = print
  }

  /// Records until a signal comes or all connections are over.
  package mutating func run() -> End {
    var poller = Poller()
    while clients.contains(where: { !$0.isOver }) {
      poller.removeAll()
      let signal = poller.add(signals.descriptor, .read)
      let slots = clients.map { $0.join(&poller) }
      poller.wait(until: clients.compactMap(\.deadline).min())
      if !poller.ready(signal).isEmpty, !signals.take().isEmpty {
        for client in clients { client.close() }
        return .stopped
      }
      let now = ContinuousClock.now
      for (source, client) in clients.enumerated() {
        client.turn(now: now, ready: poller.ready(slots[source])) { take($0, of: source, at: now) }
      }
    }
    return .unavailable
  }

  private mutating func take(_ event: LinkEvent, of source: Int, at now: ContinuousClock.Instant) {
    switch event {
    case .status(let status):
      if let line = reports[source].line(for: status, at: now) { print(line) }
    case .bytes(let bytes):
      recording.append(bytes, of: source) { [print] in print($0.description) }
    case .answered, .ended: break
    }
  }

  /// A summary of the recording in a line or two.
  package var summary: [String] { recording.writer.summary }
}
