import CoreLocation

/// Counts how often a person enters the places of a round.
public final class Round: NSObject, CLLocationManagerDelegate {
  /// How often each place was entered, by its identifier.
  public private(set) var entries: [String: Int] = [:]
  /// The places that the person is in now.
  public private(set) var present: Set<String> = []
  /// The error that stopped the count, if any.
  public private(set) var problem: (any Error)?

  private let manager = CLLocationManager()

  /// Starts monitoring circles.
  public init(_ places: [CLCircularRegion]) {
    super.init()
    manager.delegate = self
    for place in places { manager.startMonitoring(for: place) }
  }

  /// Updates the present places; the initial state is not an entry.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    if state == .inside {
      present.insert(region.identifier)
    } else {
      present.remove(region.identifier)
    }
  }

  /// Counts an entry.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    entries[region.identifier, default: 0] += 1
  }

  /// Keeps the error.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    problem = error
  }
}
