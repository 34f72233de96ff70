internal import System

/// Waits for a connection and for the flag of the run, in one call of poll(2).
///
/// An operation that must not end for new events takes their ring off the flag and gives it back at
/// its end: the flag stays readable for whoever waits next, and this wait does not spin.
final class MQTTWait {
  private let stop: StopFlag?
  private var poller = Poller()
  private var rang = false

  /// - Parameter stop: Nil for an operation that only its limits end.
  init(_ stop: StopFlag?) { self.stop = stop }

  /// Waits until the descriptor is ready or the deadline has passed; a signal may end it early.
  ///
  /// - Throws: ``MQTTFailure/stopped`` when the run ends.
  func wait(
    for descriptor: Int32, _ readiness: Poller.Readiness, until deadline: ContinuousClock.Instant
  ) throws(MQTTFailure) -> Poller.Readiness {
    if stop?.isSet == true { throw .stopped }
    poller.removeAll()
    let slot = poller.add(descriptor, readiness)
    let bell = poller.add(stop?.descriptor, .read)
    poller.wait(until: deadline)
    if let stop, !poller.ready(bell).isEmpty {
      stop.clear()
      rang = true
      // Read after the descriptor was cleared: a stop before that is seen here, a later one there.
      if stop.isSet { throw .stopped }
    }
    return poller.ready(slot)
  }

  /// Gives a ring back.
  func end() {
    if rang { stop?.ring() }
  }
}
