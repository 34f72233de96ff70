import CoreLocation
import Services
import Synchronization
import TestSupport

@testable import ChapterSwift5
@testable import ChapterSwift6

/// The helper's surface, which both builds of it have.
protocol Chapter: AnyObject {
  var trackedLocations: [CLLocation] { get }
  var isTrackingSignificantLocationChanges: Bool { get }
  func askPermission(_ handler: @escaping (CLAuthorizationStatus) -> Void)
  func getLatestLocation(_ handler: @escaping (CLLocation) -> Void)
  func getLocationName(for location: CLLocation, _ handler: @escaping (String) -> Void)
  func monitorSignificantChanges(_ handler: @escaping (CLLocation) -> Void)
  func setGeofence(
    at coordinate: CLLocationCoordinate2D, _ exitHandler: @escaping () -> Void,
    _ enterHandler: @escaping () -> Void)
}

/// The helper that most tests are made with.
typealias Helper = ChapterSwift6.LocationHelper

/// A manager of a machine that can do nothing but locate.
final class PlainManager: CLLocationManager {
  override class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  override class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }
}

/// A user who answers prompts when the test says so.
final class User: Sendable {
  private let prompts = Mutex<[@Sendable (PromptAnswer) -> Void]>([])
  private let messages = Mutex<[String]>([])

  /// Nothing is decided, and every prompt waits.
  var configuration: LocationService.Configuration {
    var configuration = LocationService.Configuration()
    configuration.policy = .function { _, reply in
      self.prompts.withLock { $0.append(reply) }
    }
    configuration.log = { line in self.messages.withLock { $0.append(line) } }
    return configuration
  }

  var promptCount: Int { prompts.withLock { $0.count } }
  var lines: [String] {
    LocationService.drainLog()
    return messages.withLock { $0 }
  }

  func answer(_ answer: PromptAnswer) { prompts.withLock { $0.last }?(answer) }
}

/// A delegate of a client that uses managers by itself.
final class Diary: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  private(set) var lines: [String] = []
  private(set) var batches: [[CLLocation]] = []
  private(set) var regions: [CLRegion] = []
  private(set) var visits: [CLVisit] = []
  private(set) var errors: [any Error] = []
  /// Where the device was when each line was written.
  private(set) var times: [Date] = []

  override init() {
    super.init()
    manager.delegate = self
  }

  var locations: [CLLocation] { batches.flatMap { $0 } }
  var crossings: [String] { lines.filter { $0.hasPrefix("enter") || $0.hasPrefix("exit") } }

  private func write(_ line: String) {
    lines.append(line)
    times.append(manager.location?.timestamp ?? .distantPast)
  }

  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    write("permission \(status)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    batches.append(locations)
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    regions.append(region)
    write("enter \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    regions.append(region)
    write("exit \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    visits.append(visit)
    write(visit.departureDate == .distantFuture ? "arrival" : "departure")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    errors.append(error)
  }
}
