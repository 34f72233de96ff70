import CoreLocation

/// The screen that shows where the device is; a line of input has it look on without an end.
@MainActor final class LocationScreen {
  private let helper = LocationHelper()

  func show() {
    helper.askPermission { _ in
      self.helper.getLatestLocation { location in
        say("\(location.coordinate.latitude) \(location.coordinate.longitude)")
      }
    }
    ChapterProgram.onLine {
      // The helper would stop them at the first location, which is the last one known.
      self.helper.locationManager.delegate = nil
      self.helper.locationManager.startUpdatingLocation()
    }
  }
}
