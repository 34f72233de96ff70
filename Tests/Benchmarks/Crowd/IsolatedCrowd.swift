import CoreLocation
import Dispatch
import Simulation
import Synchronization

/// Managers of an isolated service.
///
/// The thread that plays the recording calls them one by one, while
/// tasks come and go.
struct IsolatedCrowd {
  let meter: Meter
  let course: Course

  /// Plays `path` to `listeners`; returns the time it took.
  func run(_ listeners: [Listener], _ path: String) throws -> Duration {
    try LocationService.isolated { service in
      let audience = Audience(listeners[...])
      audience.monitor(course.regions)
      service.settle()
      let gone = DispatchGroup()
      let tasks = (0..<Plan.passersby).map { passersby($0, gone) }
      let clock = ContinuousClock()
      let start = clock.now
      try service.replay(path)
      let time = clock.now - start
      for task in tasks { task.cancel() }
      gone.wait()
      service.settle()
      audience.keep()
      return time
    }
  }

  /// A task; it belongs to the service because it is created within it.
  private func passersby(_ place: Int, _ gone: DispatchGroup) -> Task<Void, Never> {
    gone.enter()
    return Task { [meter] in
      var random = SeededGenerator(seed: meter.plan.seed, purpose: UInt64(place))
      while !Task.isCancelled {
        let passerby = Passerby(meter, name: "passer-by \(place)")
        for _ in 0..<random.whole(1...20) where !Task.isCancelled {
          passerby.act(&random)
          try? await Task.sleep(for: .milliseconds(10))
        }
        passerby.leave()
      }
      gone.leave()
    }
  }
}
