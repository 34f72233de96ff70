/// One event on its way to a receiver.
package struct Delivery: Sendable, Hashable {
  /// The id of the delivery, `<event id>-<revision>`: the same at every attempt, and unique for ever.
  package var id: String
  /// The place of the event in the store, from 1.
  package var sequence: Int64
  /// The event.
  package var event: OutgoingEvent
  /// The line of the event log, without its end.
  package var json: String

  package init(sequence: Int64, event: OutgoingEvent, json: String) {
    id = "\(event.id)-\(event.revision ?? 0)"
    self.sequence = sequence
    self.event = event
    self.json = json
  }
}

/// How an attempt ended.
package enum DeliveryOutcome: Sendable, Hashable {
  /// The receiver acknowledged the event.
  case delivered
  /// There is no answer: the receiver, or the network, is down.
  ///
  /// The next attempt comes soon, because the fault may end at any moment.
  case unreachable(reason: String)
  /// The receiver answered that it failed; `after` is the wait that it asked for, if it did.
  case failed(reason: String, after: Duration? = nil)
  /// The receiver wants no more events, such as an HTTP server that answers 410.
  case gone(reason: String)
  /// The run ends; nothing is known of the attempt.
  case stopped
}

/// Carries events to one receiver.
///
/// One thread uses it, and every call may block that thread.
package protocol Courier: AnyObject {
  /// Makes one attempt to deliver an event, and waits for the acknowledgement, at most some 30 s.
  ///
  /// It returns ``DeliveryOutcome/stopped`` soon after `stop` is set.
  func deliver(_ delivery: Delivery, until stop: StopFlag) -> DeliveryOutcome

  /// Waits until `deadline` or until `stop.descriptor` is readable, and serves the connection
  /// meanwhile.
  func wait(until deadline: ContinuousClock.Instant, _ stop: StopFlag)

  /// Whether the receiver can be reached now, for `check --online`; nil when it can, else the reason.
  func probe(until stop: StopFlag) -> String?

  /// Closes the connection in an orderly way, if there is one.
  func close()
}
