// Mocks of Apple's classes in test code: subclasses with settable properties and their own
// initialisers.
import CoreLocation

class MockLocation: CLLocation {
  private var place = CLLocationCoordinate2D()
  private var pace: CLLocationSpeed = 0

  override init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    super.init(latitude: latitude, longitude: longitude)
  }

  init(at place: CLLocationCoordinate2D) {
    self.place = place
    super.init(
      coordinate: place, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1,
      timestamp: Date())
  }

  override init() {
    super.init()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  override var coordinate: CLLocationCoordinate2D {
    get { place }
    set { place = newValue }
  }
  override var speed: CLLocationSpeed {
    get { pace }
    set { pace = newValue }
  }
  override var floor: CLFloor? { MockFloor(level: 2) }
  override var sourceInformation: CLLocationSourceInformation? {
    CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false)
  }
  override func distance(from location: CLLocation) -> CLLocationDistance { 42 }
}

/// A subclass without initialisers inherits all of them.
class PlainLocation: CLLocation {}

let plain = PlainLocation(latitude: 1, longitude: 2)
let moving = PlainLocation(
  coordinate: kCLLocationCoordinate2DInvalid, altitude: 1, horizontalAccuracy: 2,
  verticalAccuracy: 3, course: 4, courseAccuracy: 5, speed: 6, speedAccuracy: 7, timestamp: Date())

class MockFloor: CLFloor {
  private let number: Int
  init(level: Int) {
    number = level
    super.init()
  }
  required init?(coder: NSCoder) {
    number = 0
    super.init(coder: coder)
  }
  override var level: Int { number }
}

class MockVisit: CLVisit {
  var arrival = Date.distantPast
  override var arrivalDate: Date {
    get { arrival }
    set { arrival = newValue }
  }
  override var departureDate: Date { .distantFuture }
  override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2DMake(1, 2) }
  override var horizontalAccuracy: CLLocationAccuracy { 10 }
}

class MockHeading: CLHeading {
  override var magneticHeading: CLLocationDirection { 90 }
  override var trueHeading: CLLocationDirection { 91 }
  override var headingAccuracy: CLLocationDirection { 1 }
  override var timestamp: Date { Date() }
}

class MockSource: CLLocationSourceInformation {
  override init() {
    super.init(softwareSimulationState: false, andExternalAccessoryState: false)
  }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
  override var isSimulatedBySoftware: Bool { true }
}

class MockConstraint: CLBeaconIdentityConstraint {
  override init(uuid: UUID) {
    super.init(uuid: uuid)
  }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
  override var major: UInt16? { 7 }
}

class MockBeaconRegion: CLBeaconRegion {
  override init(proximityUUID: UUID, identifier: String) {
    super.init(proximityUUID: proximityUUID, identifier: identifier)
  }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
  override var minor: NSNumber? { 9 }
}

class NamedRegion: CLRegion {
  var name = ""
  override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NamedRegion()
    copy.name = name
    return copy
  }
  override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(name as NSString, forKey: "name")
  }
  override class var supportsSecureCoding: Bool { false }
  override func isEqual(_ object: Any?) -> Bool { (object as? NamedRegion)?.name == name }
  override var hash: Int { name.hashValue }
  override var description: String { name }
}

class MockBeacon: CLBeacon {
  override var uuid: UUID { UUID() }
  override var major: NSNumber { 1 }
  override var proximity: CLProximity { .near }
  override var rssi: Int { -60 }
}

class MockRegion: CLCircularRegion {
  var isInside = false
  override init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    super.init(center: center, radius: radius, identifier: identifier)
  }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
  override func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { isInside }
  override var notifyOnEntry: Bool {
    get { false }
    set {}
  }
  override var identifier: String { "mock" }
}

class MockPlacemark: CLPlacemark {
  override init(placemark: CLPlacemark) {
    super.init(placemark: placemark)
  }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
  override var name: String? { "a name" }
}

/// A placemark made from nothing, as in books on testing.
class PlainPlacemark: CLPlacemark {
  var coordinate: CLLocationCoordinate2D?
  override var location: CLLocation? {
    coordinate.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
  }
}

/// A placemark with its own property for each of Apple's.
class MutablePlacemark: CLPlacemark {
  private var city: String?
  override init() {
    super.init()
  }
  required init?(coder: NSCoder) {
    city = coder.decodeObject(forKey: "city") as? String
    super.init(coder: coder)
  }
  override var locality: String? {
    get { city }
    set { city = newValue }
  }
}

let placemarks = [CLPlacemark(), PlainPlacemark(), MutablePlacemark()]

class MockGeocoder: CLGeocoder {
  var placemarks: [CLPlacemark] = []
  override func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    completionHandler(placemarks, nil)
  }
  override func cancelGeocode() {}
  override var isGeocoding: Bool { false }
}

class MockManager: CLLocationManager {
  static var mockStatus: CLAuthorizationStatus = .notDetermined
  var started = 0
  var last: CLLocation?
  private weak var listener: CLLocationManagerDelegate?

  override class func authorizationStatus() -> CLAuthorizationStatus { mockStatus }
  override class func locationServicesEnabled() -> Bool { true }
  override var authorizationStatus: CLAuthorizationStatus { Self.mockStatus }
  override var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
  override var delegate: CLLocationManagerDelegate? {
    get { listener }
    set { listener = newValue }
  }
  override var location: CLLocation? {
    get { last }
    set { last = newValue }
  }
  override var desiredAccuracy: CLLocationAccuracy {
    didSet { started += 1 }
  }
  override var distanceFilter: CLLocationDistance {
    get { kCLDistanceFilterNone }
    set { _ = newValue }
  }
  override var allowsBackgroundLocationUpdates: Bool {
    get { false }
    set {}
  }
  override var monitoredRegions: Set<CLRegion> { [] }
  override func requestAlwaysAuthorization() {
    Self.mockStatus = .authorizedAlways
    delegate?.locationManager(self, didChangeAuthorization: .authorizedAlways)
    delegate?.locationManagerDidChangeAuthorization(self)
  }
  override func startUpdatingLocation() {
    started += 1
    delegate?.locationManager(self, didUpdateLocations: [last ?? MockLocation()])
  }
  override func stopUpdatingLocation() { started -= 1 }
  override func requestLocation() { startUpdatingLocation() }
  override func startMonitoring(for region: CLRegion) {
    delegate?.locationManager(self, didStartMonitoringFor: region)
    delegate?.locationManager(self, didEnterRegion: region)
  }
  override func startMonitoringVisits() {
    delegate?.locationManager(self, didVisit: CLVisit())
  }
  override func startUpdatingHeading() {
    delegate?.locationManager(self, didUpdateHeading: CLHeading())
  }
}
