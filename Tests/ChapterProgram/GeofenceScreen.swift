import CoreLocation

/// The screen on which the chapter shows where the device is, and whether it left that place.
@MainActor final class GeofenceScreen {
  private let helper = LocationHelper()
  private var status = "Awaiting geofence event" {
    didSet { say(status) }
  }

  func show() {
    say(status)
    helper.askPermission { status in
      guard status == .authorizedAlways else { return say("not allowed") }
      self.locate()
    }
    ChapterProgram.onLine {}
  }

  private func locate() {
    helper.getLatestLocation { location in
      say("\(location.coordinate.latitude) \(location.coordinate.longitude)")
      self.helper.setGeofence(
        at: location.coordinate, { self.status = "Left the place" },
        { self.status = "Back at the place" })
      self.helper.getLocationName(for: location) { name in say(name) }
    }
  }
}
