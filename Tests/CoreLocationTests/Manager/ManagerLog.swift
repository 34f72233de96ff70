import CoreLocation
import Locking
import Services
import Tracking

/// A delegate that writes down what it is told.
final class ManagerLog: NSObject, CLLocationManagerDelegate {
  /// What it was told, one line each.
  private(set) var lines: [String] = []
  /// The locations it was told, as they came together.
  private(set) var batches: [[CLLocation]] = []
  private(set) var headings: [CLHeading] = []
  private(set) var visits: [CLVisit] = []
  private(set) var regions: [CLRegion] = []
  private(set) var errors: [any Error] = []
  /// Is called for every line, from within the delegate's method.
  var react: (CLLocationManager, String) -> Void = { _, _ in }

  /// Everything but permissions, locations and visits.
  var regionLines: [String] {
    lines.filter { ["start", "state", "enter", "exit", "refus"].contains($0.prefix(5).trimmed) }
  }
  var locations: [CLLocation] { batches.flatMap { $0 } }

  /// Forgets what it was told.
  func clear() {
    lines = []
    batches = []
    headings = []
    visits = []
    regions = []
    errors = []
  }

  private func write(_ manager: CLLocationManager, _ line: String) {
    lines.append(line)
    react(manager, line)
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    batches.append(locations)
    write(manager, "locations \(locations.count)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    headings.append(newHeading)
    write(manager, "heading \(newHeading.magneticHeading) \(newHeading.trueHeading)")
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    regions.append(region)
    write(manager, "state \(state) \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error
  ) {
    errors.append(error)
    write(manager, "no beacons of \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    errors.append(error)
    write(manager, "no beacons like \(beaconConstraint.major ?? 0)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    regions.append(region)
    write(manager, "enter \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    regions.append(region)
    write(manager, "exit \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    errors.append(error)
    write(manager, "failed \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error
  ) {
    errors.append(error)
    write(
      manager, "refused \(region?.identifier ?? "") \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    write(
      manager,
      "permission \(manager.authorizationStatus) \(manager.accuracyAuthorization.rawValue)")
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    regions.append(region)
    write(manager, "start \(region.identifier)")
  }

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    write(manager, "paused")
  }

  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    write(manager, "resumed")
  }

  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {
    write(manager, "deferral \((error as? CLError).map { "\($0.code.rawValue)" } ?? "done")")
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    visits.append(visit)
    write(manager, visit.departureDate == .distantFuture ? "arrival" : "departure")
  }
}

extension Substring {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

/// A manager with a delegate that writes down what it is told.
struct LoggedManager {
  let manager = CLLocationManager()
  let log = ManagerLog()

  init() { manager.delegate = log }
}
