import CoreLocation

/// The screen that shows where the device is; a line of input has it look again.
@MainActor final class LocationScreen {
  private let helper = LocationHelper()

  func show() {
    helper.getLatestLocation { location in
      say("\(location.coordinate.latitude) \(location.coordinate.longitude)")
    }
    ChapterProgram.onLine { self.helper.locationManager.startUpdatingLocation() }
  }
}
