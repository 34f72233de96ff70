import CoreLocation

/// Whether the program was launched for what it asked for, which it says.
@MainActor func sayHowLaunched() -> Bool {
  let isLaunched = LocationService.shared.wasLaunchedForLocation
  say(isLaunched ? "launched for a location" : "started by hand")
  return isLaunched
}

/// Asks for significant changes; by hand that is all, launched it tells one.
@MainActor final class ChangeFollower {
  private let helper = LocationHelper()

  func begin() {
    let isLaunched = sayHowLaunched()
    helper.monitorSignificantChanges { location in
      say("change \(location.timestamp.formatted(.iso8601))")
      ChapterProgram.end()
    }
    if !isLaunched { ChapterProgram.end() }
  }
}

/// Asks for visits; by hand that is all, launched it tells one.
@MainActor final class VisitFollower: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  func begin() {
    let isLaunched = sayHowLaunched()
    manager.startMonitoringVisits()
    manager.delegate = self
    if !isLaunched { ChapterProgram.end() }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    let isOver = visit.departureDate != .distantFuture
    say(
      isOver
        ? "departure \(visit.departureDate.formatted(.iso8601))"
        : "arrival \(visit.arrivalDate.formatted(.iso8601))")
    Task { @MainActor in ChapterProgram.end() }
  }
}

/// Asks for permission, says what was decided, and ends.
@MainActor final class PermissionAsker {
  private let helper = LocationHelper()

  func begin() {
    helper.askPermission { status in
      say("permission \(status.rawValue)")
      ChapterProgram.end()
    }
  }
}

/// Shows the first heading that has both norths, and ends.
@MainActor final class CompassFollower: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  func begin() {
    manager.delegate = self
    manager.requestWhenInUseAuthorization()
    guard CLLocationManager.headingAvailable() else {
      say("no compass")
      exit(0)
    }
    manager.headingFilter = kCLHeadingFilterNone
    manager.startUpdatingHeading()
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {
    guard newHeading.headingAccuracy >= 0, newHeading.trueHeading >= 0,
      newHeading.magneticHeading >= 0
    else { return }
    say("heading \(newHeading.trueHeading) \(newHeading.magneticHeading)")
    exit(0)
  }
}
