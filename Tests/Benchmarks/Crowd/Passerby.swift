import CoreLocation
import Simulation

/// A delegate that counts its calls, and sometimes stops within one.
final class Bystander: NSObject, CLLocationManagerDelegate, Sendable {
  private let meter: Meter

  init(_ meter: Meter) { self.meter = meter }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    meter.noteCall()
    if locations.count.isMultiple(of: 7) { manager.stopUpdatingLocation() }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    meter.noteCall()
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    meter.noteCall()
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { meter.noteCall() }
}

/// A client that starts, changes one setting after the other, and exits.
///
/// It changes neither the listeners' regions nor the permission.
struct Passerby {
  private let manager = CLLocationManager()
  private let bystander: Bystander
  private let name: String

  init(_ meter: Meter, name: String) {
    bystander = Bystander(meter)
    self.name = name
    manager.delegate = bystander
    meter.noteVisitor()
  }

  /// Does one thing.
  func act(_ random: inout SeededGenerator) {
    switch random.whole(0...11) {
    case 0, 1, 2: manager.startUpdatingLocation()
    case 3: manager.stopUpdatingLocation()
    case 4: manager.distanceFilter = random.uniform(0...500)
    case 5: manager.desiredAccuracy = random.uniform(5...3_000)
    case 6: manager.requestLocation()
    case 7:
      if random.happens(0.5) {
        manager.startMonitoringSignificantLocationChanges()
      } else {
        manager.stopMonitoringSignificantLocationChanges()
      }
    case 8:
      if random.happens(0.5) {
        manager.startMonitoringVisits()
      } else {
        manager.stopMonitoringVisits()
      }
    case 9: if let place = manager.location { manager.startMonitoring(for: region(at: place)) }
    case 10:
      for region in manager.monitoredRegions where region.identifier == name {
        manager.stopMonitoring(for: region)
      }
    default: manager.allowDeferredLocationUpdates(untilTraveled: 1_000, timeout: 60)
    }
  }

  /// Stops what would continue without it.
  func leave() {
    for region in manager.monitoredRegions where region.identifier == name {
      manager.stopMonitoring(for: region)
    }
  }

  private func region(at place: CLLocation) -> CLCircularRegion {
    CLCircularRegion(center: place.coordinate, radius: 200, identifier: name)
  }
}
