package import GPSD
package import System

/// The run of `waymark record`: writes gpsd's data to a file until a signal comes.
package struct RecordRun {
  /// Why it ended.
  package enum End: Sendable, Hashable {
    /// A signal came.
    case stopped
    /// The connection is lost and must not be retried.
    case unavailable
  }

  private let client: GPSDClient
  private let signals: Signals
  package private(set) var recording: RecordingWriter
  private var report: LinkMessages
  private let print: (String) -> Void

  /// `print` gets each message for the user.
  package init(
    _ client: GPSDClient, to recording: RecordingWriter, until signals: Signals,
    print: @escaping (String) -> Void
  ) {
    self.client = client
    self.signals = signals
    self.recording = recording
    report = LinkMessages(client.address)
    self.print = print
  }

  /// Records until a signal comes or the connection is over.
  package mutating func run() -> End {
    var poller = Poller()
    while !client.isOver {
      poller.removeAll()
      let signal = poller.add(signals.descriptor, .read)
      let slot = client.join(&poller)
      poller.wait(until: client.deadline)
      if !poller.ready(signal).isEmpty, !signals.take().isEmpty {
        client.close()
        return .stopped
      }
      let now = ContinuousClock.now
      client.turn(now: now, ready: poller.ready(slot)) { take($0, at: now) }
    }
    return .unavailable
  }

  private mutating func take(_ event: LinkEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .status(let status):
      if let line = report.line(for: status, at: now) { print(line) }
    case .bytes(let bytes): recording.append(bytes) { [print] in print($0.description) }
    case .answered, .ended: break
    }
  }

  /// A summary of the recording in a line or two.
  package var summary: [String] { recording.summary }
}
