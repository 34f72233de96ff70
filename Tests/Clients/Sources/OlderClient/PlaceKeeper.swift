// An application's own manager: one object for permission, locations and regions, in Swift 5.
import CoreLocation.CLLocation
import CoreLocation.CLLocationManager
import CoreLocation.CLLocationManagerDelegate
import CoreLocation.CLRegion
import CoreLocation.CLVisit

protocol LocationManaging: AnyObject {
  var delegate: CLLocationManagerDelegate? { get set }
  var location: CLLocation? { get }
  var desiredAccuracy: CLLocationAccuracy { get set }
  var allowsBackgroundLocationUpdates: Bool { get set }
  func startUpdatingLocation()
  func stopUpdatingLocation()
}

extension CLLocationManager: LocationManaging {}

final class PlaceKeeper: NSObject {
  private let manager: CLLocationManager
  private let geocoder = CLGeocoder()
  private var answer: ((CLAuthorizationStatus) -> Void)?
  private(set) var places: [CLLocation] = []

  init(manager: CLLocationManager = CLLocationManager()) {
    self.manager = manager
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.distanceFilter = 10
    manager.activityType = .fitness
    manager.pausesLocationUpdatesAutomatically = false
  }

  func ask(_ answer: @escaping (CLAuthorizationStatus) -> Void) {
    let status = CLLocationManager.authorizationStatus()
    guard status == .notDetermined else { return answer(status) }
    self.answer = answer
    manager.requestAlwaysAuthorization()
  }

  func follow() {
    guard CLLocationManager.locationServicesEnabled() else { return }
    manager.startUpdatingLocation()
    if CLLocationManager.significantLocationChangeMonitoringAvailable() {
      manager.startMonitoringSignificantLocationChanges()
      manager.allowsBackgroundLocationUpdates = true
    }
    manager.startMonitoringVisits()
  }

  func fence(around place: CLLocationCoordinate2D) {
    guard CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) else { return }
    let radius = min(100, manager.maximumRegionMonitoringDistance)
    let region = CLCircularRegion(center: place, radius: radius, identifier: UUID().uuidString)
    region.notifyOnExit = false
    manager.startMonitoring(for: region)
    manager.requestState(for: region)
    for old in manager.monitoredRegions where old.identifier == "old" {
      manager.stopMonitoring(for: old)
    }
  }

  func name(of location: CLLocation, _ completion: @escaping (String?) -> Void) {
    geocoder.reverseGeocodeLocation(location) { placemarks, error in
      if let error = error as? CLError, error.code == .network { return completion(nil) }
      completion(placemarks?.first?.name ?? error?.localizedDescription)
    }
  }
}

extension PlaceKeeper: CLLocationManagerDelegate {
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    answer?(status)
    answer = nil
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let last = locations.last, last.horizontalAccuracy >= 0 else { return }
    if abs(last.timestamp.timeIntervalSinceNow) < 15 { places.append(last) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    switch (error as? CLError)?.code {
    case .denied?: manager.stopUpdatingLocation()
    case .locationUnknown?, nil: break
    default: break
    }
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    guard let circle = region as? CLCircularRegion else { return }
    _ = circle.contains(circle.center)
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    switch state {
    case .inside, .outside, .unknown: break
    }
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    if visit.departureDate == .distantFuture { places.removeAll() }
  }
}

/// A delegate without methods.
final class Deaf: NSObject, CLLocationManagerDelegate {}

// Code for other systems is skipped.
#if os(iOS)
  import UIKit

  extension PlaceKeeper {
    func ask(on controller: UIViewController) {}
  }
#endif
