// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// An application in Swift 6: streams, monitors, sessions, and a delegate on the main actor.
import CoreLocation

@MainActor
final class Follower: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let geocoder = CLGeocoder()
  private(set) var last: CLLocation?

  override init() {
    super.init()
    manager.delegate = self
  }

  nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: manager.requestLocation()
    case .denied, .restricted, .notDetermined: break
    @unknown default: break
    }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    // Locations can go to another task.
    Task { @MainActor in last = locations.last }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  {}

  func name() async throws -> String? {
    guard let last else { return nil }
    return try await geocoder.reverseGeocodeLocation(last).first?.name
  }

  func name(_ completion: @escaping (String?) -> Void) {
    guard let last else { return completion(nil) }
    geocoder.reverseGeocodeLocation(last) { placemarks, error in
      completion(placemarks?.first?.name ?? error?.localizedDescription)
    }
  }

  func exact() async throws {
    try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Delivery")
  }
}

/// An actor stores values that can go from task to task.
actor Logbook {
  private var locations: [CLLocation] = []
  private var statuses: [CLAuthorizationStatus] = []

  func note(_ location: CLLocation) { locations.append(location) }
  func note(_ status: CLAuthorizationStatus) { statuses.append(status) }

  func run() async {
    let session = CLServiceSession(authorization: .whenInUse)
    let background = CLBackgroundActivitySession()
    defer {
      session.invalidate()
      background.invalidate()
    }
    do {
      for try await update in CLLocationUpdate.liveUpdates(.fitness) {
        if update.authorizationDenied || update.locationUnavailable { break }
        guard let location = update.location, !update.stationary else { continue }
        note(location)
      }
      for try await diagnostic in session.diagnostics where diagnostic.authorizationDenied {
        break
      }
    } catch CLError.denied {
      locations = []
    } catch let error as CLError where error.code == .locationUnknown {
      _ = error.alternateRegion
    } catch {
      _ = (error as NSError).domain == kCLErrorDomain
    }
  }
}

enum Gate {
  static func watch(_ place: CLLocationCoordinate2D) async throws {
    let monitor = await CLMonitor("gate")
    let circle = CLMonitor.CircularGeographicCondition(center: place, radius: 100)
    await monitor.add(circle, identifier: "gate", assuming: .unsatisfied)
    for identifier in await monitor.identifiers {
      guard let record = await monitor.record(for: identifier) else { continue }
      _ = record.condition as? CLMonitor.CircularGeographicCondition
      _ = record.lastEvent.state == .satisfied
    }
    for try await event in await monitor.events {
      switch event.state {
      case .satisfied, .unsatisfied: break
      case .unknown, .unmonitored: return
      @unknown default: return
      }
      _ = event.refinement
    }
    await monitor.remove("gate")
  }

  static func first() async throws -> CLLocation? {
    try await CLLocationUpdate.liveUpdates().first { $0.location != nil }?.location
  }
}

extension CLLocationCoordinate2D: @retroactive Equatable, @retroactive Hashable {
  public static func == (a: CLLocationCoordinate2D, b: CLLocationCoordinate2D) -> Bool {
    a.latitude == b.latitude && a.longitude == b.longitude
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }
}

extension CLLocationCoordinate2D: @retroactive Codable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(
      latitude: try container.decode(Double.self), longitude: try container.decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(latitude)
    try container.encode(longitude)
  }
}
