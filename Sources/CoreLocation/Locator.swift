public import Foundation
internal import Locking
internal import Services
internal import Tracking

/// Asks for places and follows them with `async` and `await`: the recommended way for new code.
///
/// Every caller is answered, with what was asked or with a ``LocatorError``; waiting is measured on the
/// engine's time, so that a recording played at any speed gives the same answers. Each method asks
/// the user for permission where nobody decided yet, once for all who wait.
public final class Locator: Sendable {
  let service: LocationService
  /// What was asked for is wanted as long as the locator is there.
  private let sessions = Mutex<[CLServiceSession.AuthorizationRequirement: CLServiceSession]>([:])

  /// Makes a locator on a location service.
  public init(service: LocationService = .current) {
    self.service = service
  }

  // MARK: Permission

  /// Asks for permission if nobody decided yet, and says what is decided.
  ///
  /// It waits for the user, and returns when the task is cancelled. The status is `notDetermined` when
  /// the user was not asked.
  public func authorization(
    for requirement: CLServiceSession.AuthorizationRequirement
  ) async -> CLAuthorizationStatus {
    let run = session(for: requirement).diagnostics.makeAsyncIterator().run
    while let diagnosis = await run.next(), diagnosis.authorizationRequestInProgress {}
    return service.authorizationStatus
  }

  /// Permission to know places, or why there is none.
  func authorize() async throws {
    let status = await authorization(for: .whenInUse)
    try Task.checkCancellation()
    if let refusal = refusal(status) { throw refusal }
  }

  /// Why nothing is told with a status; nil when there is no reason.
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
      // Somebody may have been quicker.
      let kept = sessions[requirement] ?? session
      sessions[requirement] = kept
      return kept
    }
  }

  // MARK: Where

  /// Where the device is.
  ///
  /// - Parameters:
  ///   - accuracy: Metres; a location that is less exact is not returned. Below 0 the best, which is
  ///     5 m.
  ///   - maximumAge: Seconds; a location that is known already is returned if it is no older. With 0
  ///     only a new one will do.
  ///   - timeout: Seconds of engine time to wait for a new one.
  /// - Throws: ``LocatorError``, or `CancellationError` when the task is cancelled.
  public func location(
    accuracy: CLLocationAccuracy = 100, maximumAge: TimeInterval = 15, timeout: TimeInterval = 10
  ) async throws -> CLLocation {
    try await authorize()
    let known = service.freshReport(maximumAge).map { CLLocation($0) }
    if let known, fits(known, accuracy) { return known }
    let run = StreamRun(.observer([]), in: service)
    service.perform { core in
      core[settings: run.id].desiredAccuracy = accuracy
      core.requestLocation(run.id, within: max(0, timeout))
    }
    while let notice = await run.next() {
      switch notice {
      case .locations(let reports, _):
        guard let location = reports.last.map({ CLLocation($0) }) else { continue }
        guard fits(location, accuracy) else { throw LocatorError.timedOut(best: location) }
        return location
      case .failed(.denied): throw refusal(service.authorizationStatus) ?? .denied
      case .failed:
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

  /// At most `count` of the locations that the service has seen, evenly over time, oldest first.
  ///
  /// The service keeps a bounded number of them, however long it runs.
  /// - Throws: ``LocatorError`` when the program may not know where the device is.
  public func history(count: Int = 100) throws -> [CLLocation] {
    if let refusal = refusal(service.authorizationStatus) { throw refusal }
    return service.perform { $0.history(count: max(0, count)) }.map { CLLocation($0) }
  }

  // MARK: What happens

  /// Locations far from the one told before, 500 m or more; nothing of the past.
  public func significantChanges() -> LocationStream<CLLocation> {
    LocationStream(service, .significantChanges) { notice in
      guard case .locations(let reports, .significantChange) = notice else { return nil }
      return reports.last.map { CLLocation($0) }
    }
  }

  /// Stays at a place: the one that goes on, if there is one, then each arrival and departure.
  public func visits() -> LocationStream<CLVisit> { service.visits }

  /// Crossings of regions from now on, with the region's identifier.
  ///
  /// The regions are monitored while somebody iterates; one that a manager monitors already under the
  /// same identifier is replaced, and stays.
  public func crossings(of regions: CLCircularRegion...) -> RegionCrossings {
    RegionCrossings(locator: self, regions: regions.map { Region($0) })
  }
}

extension LocationService {
  /// The last location that is known, if it is no older than so many seconds.
  fileprivate func freshReport(_ maximumAge: TimeInterval) -> Report? {
    // While no source runs only the system's clock knows what time it is.
    let clock: Timestamp? = if case .gpsd = setup.source { Date().time } else { nil }
    return perform { core in
      guard maximumAge > 0, let report = core.lastReport, let time = report.fix.time,
        let now = [core.now, clock].compactMap(\.self).max(),
        now.seconds(since: time) <= maximumAge
      else { return nil }
      return report
    }
  }
}
