import CoreLocation

final class Follower: NSObject, CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
    default: print("not allowed to know where this is")
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations { print(location) }
  }
}

let manager = CLLocationManager()
let follower = Follower()
manager.delegate = follower
RunLoop.main.run()
