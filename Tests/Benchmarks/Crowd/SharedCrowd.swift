import CoreLocation
import Dispatch
import Locking
import Simulation

/// Managers of the main queue and of threads with run loops, on the program's own service.
///
/// Its recording waits for managers that are behind.
struct SharedCrowd {
  let meter: Meter
  let course: Course

  /// Plays `path` to `listeners`; returns the time it took.
  func run(_ listeners: [Listener], _ path: String) throws -> Duration {
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = .recording(path: path, speed: .infinity)
    try LocationService.configure(configuration)
    let service = LocationService.shared
    // Start when every manager listens.
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
    LoopThread {
      let audience = Audience(listeners)
      ready.signal()
      return ({}, { audience.keep() })
    }
  }

  private func passersby(_ place: Int) -> LoopThread {
    LoopThread { [meter] in
      var random = SeededGenerator(seed: meter.plan.seed, purpose: UInt64(place))
      var visit: (passerby: Passerby, acts: Int)?
      return (
        {
          guard let (passerby, acts) = visit else {
            let passerby = Passerby(meter, name: "passer-by \(place)")
            visit = (passerby, random.whole(1...20))
            return
          }
          passerby.act(&random)
          visit = acts > 1 ? (passerby, acts - 1) : nil
          if visit == nil { passerby.leave() }
        }, { visit?.passerby.leave() }
      )
    }
  }

  private func waitForEnd() {
    let watch = Watch(meter)
    let timer = Timer(timeInterval: Watch.interval, repeats: true) { _ in watch.look() }
    RunLoop.main.add(timer, forMode: .default)
    while !watch.isOver { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    timer.invalidate()
  }
}

/// Checks whether a crowd has received everything, or is stuck.
private final class Watch: Sendable {
  private struct State {
    var calls = -1
    var since = Date.now
    var isOver = false
  }

  /// Interval of the checks, seconds.
  static let interval = 0.02
  /// Seconds without a delegate call after which it is stuck.
  private static let patience = 60.0

  private let meter: Meter
  private let state = Mutex(State())

  init(_ meter: Meter) { self.meter = meter }

  var isOver: Bool { state.withLock { $0.isOver } }

  func look() {
    state.withLock { state in
      if meter.callbacks != state.calls {
        state.calls = meter.callbacks
        state.since = .now
      }
      state.isOver =
        meter.isComplete || Date.now.timeIntervalSince(state.since) > Self.patience
      // A block of the main queue lets the loop return, a timer does not.
      if state.isOver { DispatchQueue.main.async {} }
    }
  }
}
