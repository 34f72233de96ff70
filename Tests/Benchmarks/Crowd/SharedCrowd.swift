import CoreLocation
import Dispatch
import Simulation

/// Managers of the main queue and of threads with run loops, on the program's own service, whose
/// recording waits for those who are behind.
struct SharedCrowd {
  let meter: Meter
  let course: Course

  /// Without any call of a delegate for so long, seconds, it does not go on.
  private static let patience = 60.0

  /// Plays `path` to `listeners`; the time that it takes.
  func run(_ listeners: [Listener], _ path: String) throws -> Duration {
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = .recording(path: path, speed: .infinity)
    try LocationService.configure(configuration)
    let service = LocationService.shared
    // Nothing begins before everybody listens.
    service.authorizationStatus = .notDetermined
    var rest = listeners[...]
    let shares = meter.plan.shares(of: Plan.threads + 1)
    let here = Audience(rest.prefix(shares[0]))
    rest = rest.dropFirst(shares[0])
    here.monitor(course.regions)
    let ready = DispatchSemaphore(value: 0)
    let threads = shares.dropFirst().map { share in
      defer { rest = rest.dropFirst(share) }
      return audience(rest.prefix(share), ready)
    }
    for _ in threads { ready.wait() }
    let visitors = (0..<Plan.passersby).map { passersby($0) }
    let clock = ContinuousClock()
    let start = clock.now
    service.authorizationStatus = .authorizedAlways
    waitForEnd()
    let time = clock.now - start
    for thread in visitors + threads { thread.end() }
    here.keep()
    return time
  }

  private func audience(
    _ listeners: ArraySlice<Listener>, _ ready: DispatchSemaphore
  ) -> LoopThread {
    LoopThread { thread in
      let audience = Audience(listeners)
      ready.signal()
      while thread.turn() {}
      audience.keep()
    }
  }

  private func passersby(_ place: Int) -> LoopThread {
    LoopThread { [meter] thread in
      var random = SeededGenerator(seed: meter.plan.seed, purpose: UInt64(place))
      while thread.turn() {
        let passerby = Passerby(meter, name: "passer-by \(place)")
        for _ in 0..<random.whole(1...20) where thread.turn() { passerby.act(&random) }
        passerby.leave()
      }
    }
  }

  private func waitForEnd() {
    var calls = -1
    var since = Date.now
    while !meter.isComplete {
      _ = RunLoop.main.run(mode: .default, before: Date.now + 0.02)
      if meter.callbacks != calls {
        calls = meter.callbacks
        since = .now
      } else if Date.now.timeIntervalSince(since) > Self.patience {
        return
      }
    }
  }
}
