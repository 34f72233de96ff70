public import Foundation
internal import Locking
internal import Services
internal import Tracking

/// Requests and follows locations with `async` and `await`: the recommended way for new code.
///
/// Every caller gets an answer or a ``LocatorError``. Timeouts are in the engine's time, so a recording
/// gives the same answers at any speed. Each method requests permission if the user has not decided
/// yet, with one prompt for all callers.
public final class Locator: Sendable {
  let service: LocationService
  /// The requirements last as long as the locator.
  private let sessions = Mutex<[CLServiceSession.AuthorizationRequirement: CLServiceSession]>([:])

  /// Makes a locator that uses a location service.
  public init(service: LocationService = .current) {
    self.service = service
  }

  // MARK: Permission

  /// Requests permission if the user has not decided yet, and returns the status.
  ///
  /// It waits for the user's answer, and returns when the task is cancelled. The status is
  /// `notDetermined` if the user could not be asked.
  public func authorization(
    for requirement: CLServiceSession.AuthorizationRequirement
  ) async -> CLAuthorizationStatus {
    let subscription = session(for: requirement).diagnostics.makeAsyncIterator().subscription
    while let diagnosis = await subscription.next(), diagnosis.authorizationRequestInProgress {}
    return service.authorizationStatus
  }

  /// Requests permission; throws the reason if it is missing.
  func authorize() async throws {
    let status = await authorization(for: .whenInUse)
    try Task.checkCancellation()
    if let refusal = refusal(status) { throw refusal }
  }

  /// The error for a status; nil for one that allows locations.
  func refusal(_ status: CLAuthorizationStatus) -> LocatorError? {
    switch status {
    case .authorizedAlways, .authorizedWhenInUse: nil
    case .restricted: .restricted
    case .notDetermined: .undecided
    default: service.isEnabled ? .denied : .servicesOff
    }
  }

  private func session(
    for requirement: CLServiceSession.AuthorizationRequirement
  ) -> CLServiceSession {
    if let session = sessions.withLock({ $0[requirement] }) { return session }
    let session = CLServiceSession(ServiceSession(requirement.need), in: service)
    return sessions.withLock { sessions in
      // Another thread may have been faster.
      let stored = sessions[requirement] ?? session
      sessions[requirement] = stored
      return stored
    }
  }

  // MARK: Locations

  /// The location of the device.
  ///
  /// - Parameters:
  ///   - accuracy: Metres; a less accurate location is not returned. A negative value means the best
  ///     accuracy, which is 5 m.
  ///   - maximumAge: Seconds; a known location is returned if it is not older. With 0 only a new
  ///     location is returned.
  ///   - timeout: Seconds of engine time to wait for a new location.
  /// - Throws: ``LocatorError``, or `CancellationError` when the task is cancelled.
  public func location(
    accuracy: CLLocationAccuracy = 100, maximumAge: TimeInterval = 15, timeout: TimeInterval = 10
  ) async throws -> CLLocation {
    try await authorize()
    let known = service.freshReport(maximumAge).map { CLLocation($0) }
    if let known, fits(known, accuracy) { return known }
    let subscription = StreamSubscription(.observer([]), in: service)
    service.perform { core in
      core[settings: subscription.id].desiredAccuracy = accuracy
      core.requestLocation(subscription.id, within: max(0, timeout))
    }
    while let notice = await subscription.next() {
      switch notice {
      case .locations(let locations, _):
        guard let location = locations.last.map({ CLLocation($0) }) else { continue }
        guard fits(location, accuracy) else { throw LocatorError.timedOut(best: location) }
        return location
      case .failed(.denied): throw refusal(service.authorizationStatus) ?? .denied
      case .failed:
        if service.isWithoutSource { throw LocatorError.servicesOff }
        let isUnavailable = service.perform(\.diagnosis.locationUnavailable)
        throw isUnavailable ? LocatorError.unavailable : .timedOut(best: known)
      default: continue
      }
    }
    throw CancellationError()
  }

  private func fits(_ location: CLLocation, _ accuracy: CLLocationAccuracy) -> Bool {
    location.horizontalAccuracy
      <= (accuracy < 0 ? Services.UpdateSettings.bestAccuracy : accuracy)
  }

  /// At most `count` of the past locations of the service, evenly over time, oldest first.
  ///
  /// The service keeps a bounded number of locations, however long it runs.
  /// - Throws: ``LocatorError`` without permission.
  public func history(count: Int = 100) throws -> [CLLocation] {
    if let refusal = refusal(service.authorizationStatus) { throw refusal }
    return service.perform { $0.history(count: max(0, count)) }.map { CLLocation($0) }
  }

  // MARK: Events

  /// Locations from now on, each 500 m or more from the one before.
  public func significantChanges() -> LocationStream<CLLocation> {
    LocationStream(service, .significantChanges) { notice in
      guard case .locations(let locations, .significantChange) = notice else { return nil }
      return locations.last.map { CLLocation($0) }
    }
  }

  /// Stays at a place: the current one, if any, then each arrival and departure.
  public func visits() -> LocationStream<CLVisit> { service.visits }

  /// Crossings of regions from now on.
  ///
  /// The regions are monitored while a task iterates. One that a manager already monitors under the
  /// same identifier is replaced, and stays monitored afterwards.
  public func crossings(of regions: CLCircularRegion...) -> RegionCrossings {
    RegionCrossings(locator: self, regions: regions.map { Region($0) })
  }
}

extension LocationService {
  /// The last known location if it is at most `maximumAge` seconds old.
  fileprivate func freshReport(_ maximumAge: TimeInterval) -> Location? {
    // While no source runs only the system clock has the current time.
    let clock: Timestamp? = if case .gpsd = setup.source { Date().time } else { nil }
    return perform { core in
      guard maximumAge > 0, let location = core.lastLocation, let time = location.fix.time,
        let now = [core.now, clock].compactMap(\.self).max(),
        now.seconds(since: time) <= maximumAge
      else { return nil }
      return location
    }
  }
}
