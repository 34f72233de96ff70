internal import Delivering
public import Foundation
internal import Locking
internal import Services

/// Reports locations, headings, region crossings and visits to its delegate.
///
/// The delegate is called where the manager was made: on the main queue, or on the run loop of the
/// thread. A thread that does not run its loop gets no calls. All methods may be called from any thread
/// and from within the delegate's methods; the delegate is called for them later. Within
/// `LocationService.isolated` the thread that replays calls the delegate.
open class CLLocationManager: NSObject {
  let service: LocationService
  let queue: ManagerQueue
  /// The manager's ID in the service.
  private(set) var client = ClientID(0)
  private let weakDelegate = Mutex(WeakDelegate())
  private let inertSettings = Mutex(InertSettings())

  /// Unchecked: the reference is read and written under the lock only, and the delegate is called on
  /// the thread where the manager was made.
  private struct WeakDelegate: @unchecked Sendable {
    weak var delegate: (any CLLocationManagerDelegate)?

    /// The delegate for use outside of the lock; copying the weak reference would cost more.
    var strong: StrongDelegate { StrongDelegate(delegate: delegate) }
  }

  /// Unchecked: it goes from the lock to the call on the manager's thread.
  private struct StrongDelegate: @unchecked Sendable {
    let delegate: (any CLLocationManagerDelegate)?
  }

  /// Settings that the core does not need as they are.
  private struct InertSettings {
    var showsIndicator = false
    var headingOrientation = CLDeviceOrientation.portrait
  }

  /// Makes a manager that calls its delegate where it is made.
  public override init() {
    service = LocationService.current
    queue = ManagerQueue(target: service.target, counter: service.fullQueues)
    super.init()
    queue.setManager(self)
    client = service.attach(.manager, queue)
    queue.checkThread(log: service.setup.log)
  }

  deinit { service.detach(client) }

  /// The delegate, a weak reference.
  ///
  /// Set it right after making the manager: deliveries without a delegate are lost.
  open var delegate: (any CLLocationManagerDelegate)? {
    get { weakDelegate.withLock { $0.strong }.delegate }
    set {
      let next = WeakDelegate(delegate: newValue)
      weakDelegate.withLock { $0 = next }
      if newValue != nil { service.deliverPending(to: client, queue) }
    }
  }

  // MARK: Availability

  /// Whether there is a source of locations, and location services are on.
  ///
  /// It may take a moment when the source is gpsd on another host.
  open class func locationServicesEnabled() -> Bool { LocationService.current.hasSource }

  /// Whether the source may have a compass.
  ///
  /// That is known when it reports: true from its first heading on, and false while 30 fixes came without
  /// one. Before that it is true for gpsd and a recording, and false without a source.
  open class func headingAvailable() -> Bool { LocationService.current.mayHaveCompass }

  /// Whether significant changes can be monitored: yes.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

  /// Whether regions of a class can be monitored: only circles.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLCircularRegion.Type
  }

  /// Whether beacons can be ranged: no, there is no radio for them.
  open class func isRangingAvailable() -> Bool { false }

  /// Whether receivers defer locations by themselves: no.
  ///
  /// ``allowDeferredLocationUpdates(untilTraveled:timeout:)`` works nevertheless.
  open class func deferredLocationUpdatesAvailable() -> Bool { false }

  // MARK: Permission

  /// The program's permission, in the form before iOS 14.
  open class func authorizationStatus() -> CLAuthorizationStatus {
    LocationService.current.authorizationStatus
  }

  /// The program's permission.
  open var authorizationStatus: CLAuthorizationStatus { service.authorizationStatus }

  /// How accurate locations may be; meaningful only with permission.
  open var accuracyAuthorization: CLAccuracyAuthorization { service.accuracyAuthorization }

  /// Whether widgets may use locations: with permission for any time.
  open var isAuthorizedForWidgetUpdates: Bool { authorizationStatus == .authorizedAlways }

  /// Requests permission while the program is in use; does nothing if the user has decided.
  ///
  /// It needs the purpose `NSLocationWhenInUseUsageDescription`.
  open func requestWhenInUseAuthorization() { service.authorize { $0.requestWhenInUse() } }

  /// Requests permission at any time; does nothing if the user has decided, except for one request to
  /// extend permission while in use.
  ///
  /// It also needs `NSLocationAlwaysAndWhenInUseUsageDescription`.
  open func requestAlwaysAuthorization() { service.authorize { $0.requestAlways() } }

  /// Requests full accuracy while the program is in use, for the purpose with a key.
  ///
  /// `completion` is called where the manager was made. Without an error the user has answered: check
  /// ``accuracyAuthorization``.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    let completion = completion.map { UncheckedTransfer($0) }
    service.requestFullAccuracy(key: purposeKey) { [queue] failure in
      queue.put(.call { _ in completion?.content(failure.map { CLError($0) }) })
    }
  }

  /// Requests full accuracy while the program is in use, for the purpose with a key.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Requests full accuracy while the program is in use, and waits for the answer.
  ///
  /// - Throws: ``CLError`` `promptDeclined` when the user could not be asked.
  open nonisolated(nonsending) func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    let failure = await withCheckedContinuation { continuation in
      service.requestFullAccuracy(key: purposeKey) { continuation.resume(returning: $0) }
    }
    if let failure { throw CLError(failure) }
  }

  // MARK: Settings

  /// The kind of movement, which decides when updates are paused; initially `other`.
  open var activityType: CLActivityType {
    get { CLActivityType(rawValue: settings.activity.rawValue) ?? .other }
    set { set(\.activity, Activity(rawValue: newValue.rawValue) ?? .other) }
  }

  /// Least distance from the last reported location to the next, metres; initially
  /// ``kCLDistanceFilterNone``.
  ///
  /// A location that is much more accurate is reported anyway. It applies to standard updates only.
  open var distanceFilter: CLLocationDistance {
    get { settings.distanceFilter }
    set { set(\.distanceFilter, newValue) }
  }

  /// The desired accuracy, metres; initially ``kCLLocationAccuracyBest``.
  ///
  /// Less accurate locations are reported too. ``kCLLocationAccuracyReduced`` selects coarse locations.
  open var desiredAccuracy: CLLocationAccuracy {
    get { settings.desiredAccuracy }
    set { set(\.desiredAccuracy, newValue) }
  }

  /// Whether standard updates are paused while the device is stationary; initially true.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { settings.pausesAutomatically }
    set { set(\.pausesAutomatically, newValue) }
  }

  /// Whether locations are reported in the background; initially false.
  ///
  /// A program is in use unless ``LocationService/isInBackground`` is set.
  open var allowsBackgroundLocationUpdates: Bool {
    get { settings.allowsBackground }
    set { set(\.allowsBackground, newValue) }
  }

  /// Whether use in the background is shown; stored, without effect.
  open var showsBackgroundLocationIndicator: Bool {
    get { inertSettings.withLock { $0.showsIndicator } }
    set { inertSettings.withLock { $0.showsIndicator = newValue } }
  }

  /// Least change from the last reported heading to the next, degrees; initially 1,
  /// ``kCLHeadingFilterNone`` for all.
  ///
  /// From 359 to 1 it is 2 degrees. A heading that knows more or less than the last one is reported anyway.
  open var headingFilter: CLLocationDegrees {
    get { settings.headingFilter }
    set { set(\.headingFilter, newValue) }
  }

  /// The orientation of the device to which later headings refer; initially `portrait`, the axis of the
  /// compass.
  ///
  /// `landscapeLeft` is 90 degrees to the right of it. Others than the four upright ones change nothing.
  open var headingOrientation: CLDeviceOrientation {
    get { inertSettings.withLock { $0.headingOrientation } }
    set {
      inertSettings.withLock { $0.headingOrientation = newValue }
      if let offset = newValue.offset { set(\.headingOffset, offset) }
    }
  }

  // MARK: State

  /// The last known location, also from an earlier launch; nil before the first.
  open var location: CLLocation? { service.read(\.core.lastLocation).map { CLLocation($0) } }

  /// The last heading reported to this manager; nil before the first.
  open var heading: CLHeading? {
    let client = client
    return service.read { $0.core.heading(of: client) }.map { CLHeading($0) }
  }

  /// The largest radius of a region that can be monitored, metres.
  open var maximumRegionMonitoringDistance: CLLocationDistance {
    service.read(\.core.profile.longestRadius)
  }

  /// The regions monitored for the whole program, as new objects with the same identifiers.
  open var monitoredRegions: Set<CLRegion> {
    Set(service.read(\.core.monitoredRegions).map { CLCircularRegion($0) })
  }

  /// The regions whose beacons are ranged: none.
  open var rangedRegions: Set<CLRegion> { [] }

  /// The constraints whose beacons are ranged: none.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

  // MARK: Standard updates

  /// Starts standard updates, with the last known location first; no effect if already started.
  open func startUpdatingLocation() { perform { $0.startUpdating($1) } }

  /// Stops standard updates and a request for one location; their locations in the queue are dropped.
  open func stopUpdatingLocation() { service.stopUpdating(client) }

  /// Requests one location; the delegate gets it, or an error, after at most 10 s.
  open func requestLocation() { perform { $0.requestLocation($1) } }

  /// Defers locations in the background until the device has moved `distance` metres, or for `timeout`
  /// seconds; the end is reported once.
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    perform { $0.allowDeferral($1, distance: distance, timeout: timeout) }
  }

  /// Ends the deferral; the deferred locations are reported.
  open func disallowDeferredLocationUpdates() { perform { $0.disallowDeferral($1) } }

  /// Passes at most `sampleCount` of the past locations to `handler`, evenly over time, oldest first.
  ///
  /// `handler` is called where the manager was made; with `denied` without permission, and with
  /// `historicalLocationError` when `sampleCount` is not above 0.
  open func requestHistoricalLocations(
    purposeKey: String, sampleCount: Int,
    completionHandler handler: @escaping ([CLLocation], (any Error)?) -> Void
  ) {
    let handler = UncheckedTransfer(handler)
    let found = service.history(count: sampleCount)
    queue.put(
      .call { _ in
        switch found {
        case .success(let locations): handler.content(locations.map { CLLocation($0) }, nil)
        case .failure(let failure): handler.content([], CLError(failure))
        }
      })
  }

  // MARK: Other services

  /// Starts to report locations far from the last reported one, with the last known location first.
  open func startMonitoringSignificantLocationChanges() {
    perform { $0.startSignificantChanges($1) }
  }

  /// Stops reporting significant changes.
  open func stopMonitoringSignificantLocationChanges() {
    perform { $0.stopSignificantChanges($1) }
  }

  /// Starts to report visits to all managers, also in later launches of the program.
  open func startMonitoringVisits() { service.perform { $0.startVisits() } }

  /// Stops reporting visits to all managers.
  open func stopMonitoringVisits() { service.perform { $0.stopVisits() } }

  /// Monitors a region for all managers, also in later launches of the program.
  ///
  /// It replaces a region with the same identifier. Only circles can be monitored. For any other region,
  /// and for an invalid or too large circle, the delegate gets `regionMonitoringFailure`.
  open func startMonitoring(for region: CLRegion) {
    if let circle = region as? CLCircularRegion {
      let region = Region(circle)
      return perform { $0.startMonitoring(region, for: $1) }
    }
    service.logOnce(region is CLBeaconRegion ? .beacons : .regions)
    let region = UncheckedTransfer(copyOf: region)
    callDelegateLater { manager, delegate in
      delegate.locationManager(
        manager, monitoringDidFailFor: region.content,
        withError: CLError(.regionMonitoringFailure))
    }
  }

  /// Stops monitoring the region with this identifier, whichever manager started it.
  open func stopMonitoring(for region: CLRegion) { service.stopMonitoring(region.identifier) }

  /// Requests the state of a region, which the delegate gets.
  open func requestState(for region: CLRegion) {
    if let circle = region as? CLCircularRegion {
      let region = Region(circle)
      return perform { $0.requestState(region, for: $1) }
    }
    service.logOnce(region is CLBeaconRegion ? .beacons : .regions)
    let region = UncheckedTransfer(copyOf: region)
    callDelegateLater { manager, delegate in
      delegate.locationManager(manager, didDetermineState: .unknown, for: region.content)
    }
  }

  /// Starts to report headings, with the current one first; no effect if already started.
  ///
  /// It needs no permission; without one, headings have no true north.
  open func startUpdatingHeading() {
    if service.isWithoutSource { service.logOnce(.heading) }
    perform { $0.startHeadings($1) }
  }

  /// Stops reporting headings; those in the queue are dropped.
  open func stopUpdatingHeading() { service.stopHeadings(client) }

  /// Does nothing: there is no display to calibrate a compass with.
  open func dismissHeadingCalibrationDisplay() {}

  // MARK: Services that need other hardware

  /// Reports `rangingUnavailable` to the delegate: there is no radio for beacons.
  open func startRangingBeacons(in region: CLBeaconRegion) {
    service.logOnce(.beacons)
    let region = UncheckedTransfer(copyOf: region)
    callDelegateLater { manager, delegate in
      delegate.locationManager(
        manager, rangingBeaconsDidFailFor: region.content,
        withError: CLError(.rangingUnavailable))
    }
  }

  /// Does nothing: no beacons are ranged.
  open func stopRangingBeacons(in region: CLBeaconRegion) {}

  /// Reports `rangingUnavailable` to the delegate: there is no radio for beacons.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    service.logOnce(.beacons)
    let constraint = UncheckedTransfer(constraint)
    callDelegateLater { manager, delegate in
      delegate.locationManager(
        manager, didFailRangingFor: constraint.content, error: CLError(.rangingUnavailable))
    }
  }

  /// Does nothing: no beacons are ranged.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}

  /// Passes `unsupportedPlatform` to `completion`, where the manager was made: there are no location
  /// pushes here.
  open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)? = nil) {
    service.logOnce(.pushes)
    let completion = completion.map { UncheckedTransfer($0) }
    queue.put(
      .call { _ in
        completion?.content(nil, CLLocationPushServiceError(.unsupportedPlatform))
      })
  }

  /// Does nothing: there are no location pushes.
  open func stopMonitoringLocationPushes() {}

  private var settings: UpdateSettings {
    let client = client
    return service.read { $0.core[settings: client] }
  }

  private func set<Value>(_ path: WritableKeyPath<UpdateSettings, Value>, _ value: Value) {
    let client = client
    service.perform { $0[settings: client][keyPath: path] = value }
  }

  private func perform(_ body: (inout ServiceCore, ClientID) -> Void) {
    let client = client
    service.perform { body(&$0, client) }
  }
}
