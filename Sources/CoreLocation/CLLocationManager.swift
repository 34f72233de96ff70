public import Foundation
internal import Locking
internal import Services

/// Tells its delegate where the device is, and of regions and visits.
///
/// The delegate is called where the manager was made: on the main queue, or on the run loop of the
/// thread; a thread that does not run its loop hears nothing. All methods may be called from any
/// thread and from within the delegate's methods; what they bring about comes later. Within
/// ``LocationService/isolated(_:_:)`` the delegate is called by whoever plays something.
open class CLLocationManager: NSObject {
  let service: LocationService
  let inbox: Inbox
  /// Whom the service knows the manager by.
  private(set) var client = ClientID(0)
  private let listener = Mutex(Listener())
  private let looks = Mutex(Looks())

  /// Unchecked, as the delegate is only referred to here: the reference is read and written under the
  /// lock of `listener`, and what it refers to is called on the thread where the manager was made.
  private struct Listener: @unchecked Sendable {
    weak var delegate: (any CLLocationManagerDelegate)?

    /// The delegate on its way out of the lock: to copy the weak reference costs more.
    var held: Held { Held(delegate: delegate) }

    /// Unchecked for the same reason: it goes from the lock to the call on the manager's thread.
    struct Held: @unchecked Sendable {
      let delegate: (any CLLocationManagerDelegate)?
    }
  }

  /// What is kept and has no effect here.
  private struct Looks {
    var showsIndicator = false
    var headingFilter: CLLocationDegrees = 1
    var headingOrientation = CLDeviceOrientation.portrait
  }

  /// Makes a manager that calls its delegate where it is made.
  public override init() {
    service = LocationService.current
    inbox = Inbox(target: service.target, room: service.room)
    super.init()
    inbox.adopt(self)
    client = service.attach(.manager, inbox)
  }

  deinit { service.detach(client) }

  /// Who is told; held weakly.
  ///
  /// Set it right after the manager was made: what comes while there is none is lost.
  open var delegate: (any CLLocationManagerDelegate)? {
    get { listener.withLock { $0.held }.delegate }
    set {
      let next = Listener(delegate: newValue)
      listener.withLock { $0 = next }
      if newValue != nil { service.deliverPending(to: client, inbox) }
    }
  }

  // MARK: What there is

  /// Whether there is a source of locations, and it is switched on.
  ///
  /// It may take a moment when the source is gpsd on another host.
  open class func locationServicesEnabled() -> Bool { LocationService.current.hasSource }

  /// Whether there is a compass: no.
  open class func headingAvailable() -> Bool { false }

  /// Whether significant changes can be followed: yes.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

  /// Whether regions of a class can be monitored: circles can.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLCircularRegion.Type
  }

  /// Whether beacons can be looked for: no, as there is no radio for them.
  open class func isRangingAvailable() -> Bool { false }

  /// Whether receivers hold locations back by themselves: no.
  ///
  /// ``allowDeferredLocationUpdates(untilTraveled:timeout:)`` works all the same.
  open class func deferredLocationUpdatesAvailable() -> Bool { false }

  // MARK: Permission

  /// What the user allows, as it was asked before iOS 14.
  open class func authorizationStatus() -> CLAuthorizationStatus {
    LocationService.current.authorizationStatus
  }

  /// What the user allows.
  open var authorizationStatus: CLAuthorizationStatus { service.authorizationStatus }

  /// How exactly places are told; it means something only when they are.
  open var accuracyAuthorization: CLAccuracyAuthorization { service.accuracyAuthorization }

  /// Whether places may be told at any time.
  open var isAuthorizedForWidgetUpdates: Bool { authorizationStatus == .authorizedAlways }

  /// Asks the user for places while the program is in use; nothing when that is decided.
  ///
  /// It needs the purpose `NSLocationWhenInUseUsageDescription`.
  open func requestWhenInUseAuthorization() { service.authorize { $0.requestWhenInUse() } }

  /// Asks the user for places at any time; nothing when that is decided, but for one request to widen
  /// what is allowed while the program is in use.
  ///
  /// It needs `NSLocationAlwaysAndWhenInUseUsageDescription` as well.
  open func requestAlwaysAuthorization() { service.authorize { $0.requestAlways() } }

  /// Asks the user for exact places while the program is in use, for the purpose with a key.
  ///
  /// `completion` is called where the manager was made. Without an error the user has answered: look
  /// at ``accuracyAuthorization``.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    let completion = completion.map { Handoff($0) }
    service.requestFullAccuracy(key: purposeKey) { [inbox] failure in
      inbox.put(.call { _ in completion?.content(failure.map { CLError($0) }) })
    }
  }

  /// Asks the user for exact places while the program is in use, for the purpose with a key.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Asks the user for exact places while the program is in use, and waits for the answer.
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

  /// What is followed, which decides when updates are paused; `other` at first.
  open var activityType: CLActivityType {
    get { CLActivityType(rawValue: settings.activity.rawValue) ?? .other }
    set { set(\.activity, Activity(rawValue: newValue.rawValue) ?? .other) }
  }

  /// Metres from the last location that was told to the next; ``kCLDistanceFilterNone`` at first.
  ///
  /// A location that is much more exact is told in any case. It is for standard updates only.
  open var distanceFilter: CLLocationDistance {
    get { settings.distanceFilter }
    set { set(\.distanceFilter, newValue) }
  }

  /// The accuracy that is wished for, metres; ``kCLLocationAccuracyBest`` at first.
  ///
  /// Less exact locations are told as well. ``kCLLocationAccuracyReduced`` asks for the coarse ones.
  open var desiredAccuracy: CLLocationAccuracy {
    get { settings.desiredAccuracy }
    set { set(\.desiredAccuracy, newValue) }
  }

  /// Whether standard updates are paused while the device rests; true at first.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { settings.pausesAutomatically }
    set { set(\.pausesAutomatically, newValue) }
  }

  /// Whether locations are told in the background; false at first.
  ///
  /// A program here is in use unless ``LocationService/isInBackground`` says otherwise.
  open var allowsBackgroundLocationUpdates: Bool {
    get { settings.allowsBackground }
    set { set(\.allowsBackground, newValue) }
  }

  /// Whether use in the background is shown; kept, but without effect.
  open var showsBackgroundLocationIndicator: Bool {
    get { looks.withLock { $0.showsIndicator } }
    set { looks.withLock { $0.showsIndicator = newValue } }
  }

  /// Degrees from one heading to the next, 1 at first; kept, but without effect.
  open var headingFilter: CLLocationDegrees {
    get { looks.withLock { $0.headingFilter } }
    set { looks.withLock { $0.headingFilter = newValue } }
  }

  /// How the device is held; kept, but without effect.
  open var headingOrientation: CLDeviceOrientation {
    get { looks.withLock { $0.headingOrientation } }
    set { looks.withLock { $0.headingOrientation = newValue } }
  }

  // MARK: What is known

  /// The last location that is known, nil before any; also from before the program was started.
  open var location: CLLocation? { service.look(\.core.lastReport).map { CLLocation($0) } }

  /// The last heading: none, as there is no compass.
  open var heading: CLHeading? { nil }

  /// The largest radius of a region, metres.
  open var maximumRegionMonitoringDistance: CLLocationDistance {
    service.look(\.core.profile.longestRadius)
  }

  /// What is monitored for the whole program; the identifiers tell which regions they are.
  open var monitoredRegions: Set<CLRegion> {
    Set(service.look(\.core.monitoredRegions).map { CLCircularRegion($0) })
  }

  /// The regions whose beacons are looked for: none.
  open var rangedRegions: Set<CLRegion> { [] }

  /// The constraints that beacons are looked for by: none.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

  // MARK: Standard updates

  /// Starts to tell of locations, the last known one first; nothing new while it does.
  open func startUpdatingLocation() { perform { $0.startUpdating($1) } }

  /// Ends it, and a request for one location; none of their locations is told afterwards.
  open func stopUpdatingLocation() { service.stopUpdating(client) }

  /// Asks for one location: it is told, or that there is none, after 10 s at most.
  open func requestLocation() { perform { $0.requestLocation($1) } }

  /// Holds locations back in the background until the device has gone so many metres, or for so many
  /// seconds; its end is told once.
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    perform { $0.allowDeferral($1, distance: distance, timeout: timeout) }
  }

  /// Ends that: what was held back is told.
  open func disallowDeferredLocationUpdates() { perform { $0.disallowDeferral($1) } }

  /// Hands over at most `sampleCount` of the locations that were seen, evenly over time, oldest first.
  ///
  /// `handler` is called where the manager was made; with `denied` when places may not be told, and
  /// with `historicalLocationError` when `sampleCount` is not above 0.
  open func requestHistoricalLocations(
    purposeKey: String, sampleCount: Int,
    completionHandler handler: @escaping ([CLLocation], (any Error)?) -> Void
  ) {
    let handler = Handoff(handler)
    let found = service.history(count: sampleCount)
    inbox.put(
      .call { _ in
        switch found {
        case .success(let reports): handler.content(reports.map { CLLocation($0) }, nil)
        case .failure(let failure): handler.content([], CLError(failure))
        }
      })
  }

  // MARK: Other services

  /// Starts to tell of locations that are far from the last one told, the last known one first.
  open func startMonitoringSignificantLocationChanges() {
    perform { $0.startSignificantChanges($1) }
  }

  /// Ends that.
  open func stopMonitoringSignificantLocationChanges() {
    perform { $0.stopSignificantChanges($1) }
  }

  /// Starts to tell all managers of visits, also after the program was started anew.
  open func startMonitoringVisits() { service.perform { $0.startVisits() } }

  /// Ends that, for all managers.
  open func stopMonitoringVisits() { service.perform { $0.stopVisits() } }

  /// Monitors a region for all managers, also after the program was started anew.
  ///
  /// It replaces one with the same identifier. Only circles can be monitored; else, and for one that
  /// is too large or not on the Earth, the delegate is told `regionMonitoringFailure`.
  open func startMonitoring(for region: CLRegion) {
    if let circle = region as? CLCircularRegion {
      let region = Region(circle)
      return perform { $0.startMonitoring(region, for: $1) }
    }
    let region = Handoff(twinOf: region)
    tellLater { manager, delegate in
      delegate.locationManager(
        manager, monitoringDidFailFor: region.content,
        withError: CLError(.regionMonitoringFailure))
    }
  }

  /// Ends the monitoring of the region with this identifier, whichever manager began it.
  open func stopMonitoring(for region: CLRegion) { service.stopMonitoring(region.identifier) }

  /// Asks on which side of a region's edge the device is; the delegate is told what is known.
  open func requestState(for region: CLRegion) {
    if let circle = region as? CLCircularRegion {
      let region = Region(circle)
      return perform { $0.requestState(region, for: $1) }
    }
    let region = Handoff(twinOf: region)
    tellLater { manager, delegate in
      delegate.locationManager(manager, didDetermineState: .unknown, for: region.content)
    }
  }

  // MARK: What needs hardware

  /// Does nothing, as there is no compass.
  open func startUpdatingHeading() {}

  /// Does nothing, as there is no compass.
  open func stopUpdatingHeading() {}

  /// Does nothing, as there is no compass.
  open func dismissHeadingCalibrationDisplay() {}

  /// Beacons cannot be looked for: the delegate is told `rangingUnavailable`.
  open func startRangingBeacons(in region: CLBeaconRegion) {
    let region = Handoff(twinOf: region)
    tellLater { manager, delegate in
      delegate.locationManager(
        manager, rangingBeaconsDidFailFor: region.content,
        withError: CLError(.rangingUnavailable))
    }
  }

  /// Does nothing, as no beacons are looked for.
  open func stopRangingBeacons(in region: CLBeaconRegion) {}

  /// Beacons cannot be looked for: the delegate is told `rangingUnavailable`.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    let constraint = Handoff(constraint)
    tellLater { manager, delegate in
      delegate.locationManager(
        manager, didFailRangingFor: constraint.content, error: CLError(.rangingUnavailable))
    }
  }

  /// Does nothing, as no beacons are looked for.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}

  /// Locations cannot be asked for from afar: `completion` is given `unsupportedPlatform`, where the
  /// manager was made.
  open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)? = nil) {
    let completion = completion.map { Handoff($0) }
    inbox.put(
      .call { _ in
        completion?.content(nil, CLLocationPushServiceError(.unsupportedPlatform))
      })
  }

  /// Does nothing, as no locations are asked for from afar.
  open func stopMonitoringLocationPushes() {}

  private var settings: UpdateSettings {
    let client = client
    return service.look { $0.core[settings: client] }
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
