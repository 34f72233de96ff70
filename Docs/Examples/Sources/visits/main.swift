import CoreLocation

/// Prints each visit, on arrival and on departure.
final class Diary: NSObject, CLLocationManagerDelegate {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    // Visits serve programs that do not always run, so they need the permission `always`.
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
    case .distantPast: "before the first fix"
    case .distantFuture: "now"
    default: date.formatted(.iso8601)
    }
  }
}

let manager = CLLocationManager()
let diary = Diary()
manager.delegate = diary

// A recording ends; a receiver does not.
Task {
  await LocationService.shared.waitForEnd()
  exit(0)
}
RunLoop.main.run()
