import CoreLocation

/// What a reader of a textbook chapter on location services has at its end: one object that asks for
/// permission, finds the device, names the place, follows significant changes and sets a geofence.
///
/// It stands for client code: it is made for Apple's Core Location, knows nothing of this package, and
/// has the weaknesses of its model, which the acceptance tests know.
class LocationHelper: NSObject {
  let locationManager: CLLocationManager
  private(set) var trackedLocations: [CLLocation] = []
  private(set) var isTrackingSignificantLocationChanges = false

  private var permissionHandler: ((CLAuthorizationStatus) -> Void)?
  private var latestLocationHandler: ((CLLocation) -> Void)?
  private var significantChangeHandler: ((CLLocation) -> Void)?
  private var exitHandler: (() -> Void)?
  private var enterHandler: (() -> Void)?

  init(_ locationManager: CLLocationManager) {
    self.locationManager = locationManager
    super.init()
    locationManager.delegate = self
  }

  override convenience init() {
    self.init(CLLocationManager())
  }

  func askPermission(_ handler: @escaping (CLAuthorizationStatus) -> Void) {
    let status = CLLocationManager.authorizationStatus()
    guard status == .notDetermined else { return handler(status) }
    permissionHandler = handler
    locationManager.requestAlwaysAuthorization()
  }

  func getLatestLocation(_ handler: @escaping (CLLocation) -> Void) {
    if let location = trackedLocations.last { return handler(location) }
    guard CLLocationManager.locationServicesEnabled() else { return }
    latestLocationHandler = handler
    locationManager.startUpdatingLocation()
  }

  func getLocationName(for location: CLLocation, _ handler: @escaping (String) -> Void) {
    let geocoder = CLGeocoder()
    geocoder.reverseGeocodeLocation(location) { placemarks, error in
      if let error {
        handler("An error ocurred: \(error.localizedDescription)")
      } else {
        handler(placemarks?.first?.name ?? "Unkown location")
      }
    }
  }

  func monitorSignificantChanges(_ handler: @escaping (CLLocation) -> Void) {
    guard type(of: locationManager).significantLocationChangeMonitoringAvailable() else { return }
    significantChangeHandler = handler
    locationManager.allowsBackgroundLocationUpdates = true
    locationManager.startMonitoringSignificantLocationChanges()
    isTrackingSignificantLocationChanges = true
  }

  func setGeofence(
    at coordinate: CLLocationCoordinate2D, _ exitHandler: @escaping () -> Void,
    _ enterHandler: @escaping () -> Void
  ) {
    guard type(of: locationManager).isMonitoringAvailable(for: CLCircularRegion.self) else {
      return
    }
    let region = CLCircularRegion(center: coordinate, radius: 30, identifier: "geofence")
    self.exitHandler = exitHandler
    self.enterHandler = enterHandler
    locationManager.startMonitoring(for: region)
  }
}

extension LocationHelper: CLLocationManagerDelegate {
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    permissionHandler?(status)
    permissionHandler = nil
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    latestLocationHandler?(location)
    latestLocationHandler = nil
    if isTrackingSignificantLocationChanges {
      significantChangeHandler?(location)
    } else {
      manager.stopUpdatingLocation()
    }
    trackedLocations.append(contentsOf: locations)
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    enterHandler?()
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    exitHandler?()
  }
}
