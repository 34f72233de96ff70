import CoreLocation

/// Prints where somebody stays, on arriving and on leaving.
final class Diary: NSObject, CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    // Visits are for a program that does not run all the time, for which it needs always.
    case .notDetermined: manager.requestAlwaysAuthorization()
    case .authorizedAlways, .authorizedWhenInUse: manager.startMonitoringVisits()
    default:
      print("not allowed to know where this is")
      exit(1)
    }
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    let place = String(format: "%.4f,%.4f", visit.coordinate.latitude, visit.coordinate.longitude)
    print(place, "from", text(visit.arrivalDate), "until", text(visit.departureDate))
  }

  private func text(_ date: Date) -> String {
    switch date {
    case .distantPast: "before it was looked at"
    case .distantFuture: "now"
    default: date.formatted(.iso8601)
    }
  }
}

let manager = CLLocationManager()
let diary = Diary()
manager.delegate = diary

// A recording has an end; a receiver has none.
Task {
  await LocationService.shared.waitForEnd()
  exit(0)
}
RunLoop.main.run()
