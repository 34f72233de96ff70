public import Foundation

/// The calls of a manager.
///
/// Every method has a default that does nothing; implement those that you need. All are called where
/// the manager was made: on the main queue, or on the run loop of another thread.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// New locations, oldest first; never empty.
  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

  /// A new heading, at least ``CLLocationManager/headingFilter`` from the last one.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)

  /// Whether a compass may be calibrated on the screen; never called here: there is no such display.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

  /// The state of a region: determined for the first time, changed, or requested.
  ///
  /// For a crossing it is called before the entry or the exit.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)

  /// Beacons of a region; never called here.
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)

  /// Beacons of a region cannot be ranged: there is no radio for them.
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error)

  /// Beacons that match a constraint; never called here.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint)

  /// Beacons cannot be ranged: there is no radio for them.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error)

  /// The device entered a region; every manager gets it, whichever registered the region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

  /// The device left a region; every manager gets it, whichever registered the region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

  /// No location: after `denied` none follows, after `locationUnknown` more may come.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

  /// A region cannot be monitored.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error)

  /// The older name of ``locationManagerDidChangeAuthorization(_:)``, called only if that one is not
  /// implemented.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

  /// The status or accuracy of the permission changed; also called once after the manager was made.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

  /// The monitoring of a region has started.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

  /// Updates were paused because the device is stationary; start them again when you need them.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)

  /// Paused updates were started again.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

  /// A deferral ended; without an error it reached its distance or its timeout.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

  /// The device arrived at a place, or left it; every manager gets it.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

extension CLLocationManagerDelegate {
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {}

  /// Returns false.
  public func locationManagerShouldDisplayHeadingCalibration(
    _ manager: CLLocationManager
  ) -> Bool { false }

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFailWithError error: any Error
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error
  ) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}

  /// Calls the method of the older name.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
  ) {}

  /// Does nothing.
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}

  /// Does nothing.
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}
