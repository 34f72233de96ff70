package import EventLog
package import Tracking

/// Why an event was reported, or why none was.
package struct Explanation: Sendable {
  package enum Reason: Sendable, Hashable {
    /// This event was reported.
    case reported(Event, Cause)
    /// No event was.
    case missing(Shortfall)
  }

  package var device: String
  /// The fence; nil for visits and significant changes.
  package var fence: Fence?
  /// The kind of the event that was reported, or was expected.
  package var kind: LogEntry.Kind
  package var reason: Reason
  /// The fixes around it.
  package var rows: [ExplanationRow]
  /// The fixes between which the event lies; nil when it is that of one fix.
  package var between: ClosedRange<Timestamp>?
  /// Rules under which the event would have been reported.
  package var alternatives: [Alternative] = []

  /// The id of the event that was reported.
  package var id: EventID? {
    guard case .reported(let event, _) = reason else { return nil }
    return LogEntry(device: device, .event(event)).id
  }
}

/// What the engine knew at one fix.
package struct ExplanationRow: Sendable, Hashable {
  package var time: Timestamp?
  package var verdict: Judgement.Verdict
  /// Whether the next fixes showed that a fix that waited was wrong.
  package var wasWrong = false
  /// The accuracy that the fix claims, metres.
  package var accuracy: Double?
  /// The accuracy of the estimate, metres.
  package var believed: Double?
  /// Probabilities of the ways to move.
  package var rest: Double?
  package var walk: Double?
  package var ride: Double?
  /// What was known of the fence.
  package var view: FenceView?
  /// Metres to the place of the visit, or from where a change was last reported.
  package var distance: Double?
  /// The kinds of the events that were reported with the fix, of what is explained.
  package var kinds: [LogEntry.Kind] = []

  init(_ judgement: Judgement, fence: Int?) {
    (time, verdict, accuracy) = (
      judgement.fix.time, judgement.verdict, judgement.fix.horizontalAccuracy
    )
    believed = judgement.estimate?.horizontalAccuracy
    if let modes = judgement.modes { (rest, walk, ride) = (modes.rest, modes.walk, modes.ride) }
    view = fence.flatMap(judgement.view)
  }
}
