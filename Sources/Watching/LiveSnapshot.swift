package import EventLog
package import Explaining
package import Receivers
package import Session
package import Traces
package import Tracking

/// A device of a live run at one moment: what the terminal, the status file, the map and the metrics show.
package struct LiveSnapshot: Sendable {
  package var device: String
  /// The number of its source; nil for a device that appeared.
  package var number: Int?
  /// The name that the device gives itself, as a ship does.
  package var title: String?
  /// The address of the source.
  package var source: String
  /// The release of the gpsd that answered there; nil before one did.
  package var peer: String?
  package var status: SourceStatus
  /// The last fix that the engine used; nil before the first.
  package var fix: Fix?
  /// How the receiver found that fix.
  package var solution = SolutionKind.plain
  /// How long ago that fix came, seconds.
  package var age: Double?
  /// How many positions in a row since then the engine did not use.
  package var ignored = 0
  package var receiver: ReceiverState
  package var fences: FenceSet
  /// The fences that the device is inside.
  package var presence: [Presence]
  /// The visit that goes on; nil when there is none.
  package var stay: StandingStay?
  package var totals: SessionTotals
  /// The fences that fixes place.
  package var anchors: [AnchorDrift] = []
  /// The fixes that the engine used since the device was last shown, the oldest first.
  package var trail: [Fix] = []
}

/// What a live run has beside its devices.
package struct LiveRunState: Sendable {
  /// The receivers of events, and what waits for them.
  package var queues: [DeliveryQueue] = []
  /// What came from where devices appear.
  var inlets: [InletReporter] = []
  /// The devices that were forgotten for new ones.
  var forgotten = 0
}

/// Gets what a live run shows, beside its output.
///
/// It must not wait: the run goes on when it returns.
package protocol LiveAudience: AnyObject {
  /// Takes the devices that have changed, by a fix or a change of the status, at most five times a second,
  /// with all fixes since.
  func show(_ devices: [LiveSnapshot], _ run: LiveRunState)
  /// Takes that a device is forgotten for a new one.
  func forget(_ device: String)
  /// Takes new events, in the order of the log.
  func show(_ events: [LogEntry])
  /// Takes why events were reported: with the events, or with the next fix.
  func show(_ reasons: [Explanation])
}
