import CoreLocation

/// The calls alone, as a bound: each listener gets each location at once, without service or queue.
struct Calls {
  /// A listener as its manager has it.
  private final class Member {
    let manager = CLLocationManager()
    weak var delegate: (any CLLocationManagerDelegate)?

    init(_ listener: Listener) { delegate = listener }
  }

  let plan: Plan

  /// Calls `listeners`; returns the time it took.
  func run(_ listeners: [Listener]) throws -> Duration {
    LocationService.isolated { _ in
      let members = listeners.map { Member($0) }
      let clock = ContinuousClock()
      let start = clock.now
      for number in 0..<plan.fixes {
        let locations = [
          CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 52.52, longitude: 13.4), altitude: 40,
            horizontalAccuracy: 5, verticalAccuracy: -1, timestamp: Course.start + Double(number))
        ]
        for member in members {
          member.delegate?.locationManager(member.manager, didUpdateLocations: locations)
        }
      }
      return clock.now - start
    }
  }
}
