// An application without explicit actors: its classes and their conformances are on the main actor.
import CoreLocation
import Observation

@Observable
final class PlaceModel: NSObject, CLLocationManagerDelegate {
  private(set) var place: CLLocation?
  private(set) var status: CLAuthorizationStatus
  private(set) var town: String?
  private(set) var trouble: CLError.Code?
  @ObservationIgnored private let manager = CLLocationManager()
  @ObservationIgnored private var monitor: CLMonitor?
  @ObservationIgnored private var session: CLServiceSession?

  override init() {
    status = manager.authorizationStatus
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
  }

  func start() {
    if status == .notDetermined { manager.requestWhenInUseAuthorization() }
    manager.startUpdatingLocation()
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    status = manager.authorizationStatus
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    place = locations.last
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    trouble = (error as? CLError)?.code
  }

  func follow() async throws {
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      place = update.location ?? place
      if update.stationary { return }
    }
  }

  func findTown() async throws {
    guard let place else { return }
    town = try await CLGeocoder().reverseGeocodeLocation(place).first?.locality
  }

  func watch(_ places: [String: CLLocationCoordinate2D]) async throws {
    session = CLServiceSession(authorization: .always)
    let monitor = await CLMonitor("places")
    self.monitor = monitor
    for (name, center) in places {
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: center, radius: 100), identifier: name,
        assuming: .unsatisfied)
    }
    for try await event in await monitor.events where event.state == .satisfied {
      town = event.identifier
    }
  }
}
