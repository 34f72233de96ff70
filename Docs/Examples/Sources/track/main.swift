import CoreLocation

/// Prints a line about every 100 m.
final class Follower: NSObject, CLLocationManagerDelegate {
  private var last: CLLocation?
  private var distance = 0.0

  /// Called once when the manager exists, and whenever the user changes the permission.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
    default:
      print("not allowed to know where this is")
      exit(1)
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations {
      distance += last.map { location.distance(from: $0) } ?? 0
      last = location
      let place = location.coordinate
      print(
        "\(location.timestamp.formatted(.iso8601))",
        String(format: "%.5f,%.5f %6.0f m", place.latitude, place.longitude, distance))
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print(error.localizedDescription)
  }
}

let manager = CLLocationManager()
let follower = Follower()
manager.distanceFilter = 100
manager.delegate = follower

// A recording ends; a receiver does not.
Task {
  await LocationService.shared.waitForEnd()
  exit(0)
}
RunLoop.main.run()
