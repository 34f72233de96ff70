import CoreLocation

/// Counts how often somebody comes to the places of a round.
public final class Round: NSObject, CLLocationManagerDelegate {
  /// How often each place was come to, by its identifier.
  public private(set) var entries: [String: Int] = [:]
  /// Where somebody is now.
  public private(set) var present: Set<String> = []
  /// Why nothing is counted, if so.
  public private(set) var problem: (any Error)?

  private let manager = CLLocationManager()

  /// Begins to watch circles.
  public init(_ places: [CLCircularRegion]) {
    super.init()
    manager.delegate = self
    for place in places { manager.startMonitoring(for: place) }
  }

  /// Notes who is where, also at first sight, which is no entry.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    if state == .inside {
      present.insert(region.identifier)
    } else {
      present.remove(region.identifier)
    }
  }

  /// Counts.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    entries[region.identifier, default: 0] += 1
  }

  /// Keeps the reason.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    problem = error
  }
}
