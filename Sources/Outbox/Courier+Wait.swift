internal import System

extension Courier {
  /// Waits; there is no connection to serve.
  package func wait(until deadline: ContinuousClock.Instant, _ stop: StopFlag) {
    var poller = Poller()
    _ = poller.add(stop.descriptor, .read)
    poller.wait(until: deadline)
  }
}
