// Code for hardware or services that Linux does not have compiles too.
import CoreLocation

final class PushAnswer: NSObject, CLLocationPushServiceExtension {
  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping () -> Void
  ) {
    completion()
  }
}

/// A call of a delegate as a value that can go to another task.
enum BeaconEvent: Sendable, Hashable {
  case ranged(count: Int, CLBeaconIdentityConstraint)
  case failed(CLBeaconIdentityConstraint)
}

enum Beacons {
  static func range(_ manager: CLLocationManager, _ uuid: UUID) {
    let constraint = CLBeaconIdentityConstraint(uuid: uuid, major: 1)
    let region = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "shop")
    region.notifyEntryStateOnDisplay = true
    guard CLLocationManager.isRangingAvailable() else { return }
    manager.startRangingBeacons(satisfying: constraint)
    manager.startMonitoring(for: region)
    manager.startMonitoringLocationPushes { token, error in
      guard case CLLocationPushServiceError.unsupportedPlatform? = error else { return }
      _ = token
    }
  }

  static func heading(_ manager: CLLocationManager) -> CLLocationDirection? {
    guard CLLocationManager.headingAvailable() else { return nil }
    manager.headingFilter = kCLHeadingFilterNone
    manager.headingOrientation = .landscapeLeft
    manager.startUpdatingHeading()
    return manager.heading?.trueHeading
  }
}
