public import Foundation
internal import Geodesy

/// A fix: a position, its time, and its accuracy.
///
/// It is immutable. Distance, coding and comparison use the properties, which a subclass may override.
// Sendable: its stored properties are constants, and the classes among them are Sendable.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// All values of a location, stored inline: a location is one allocation.
  struct Values {
    var coordinate = CLLocationCoordinate2D()
    var altitude: CLLocationDistance = 0
    var ellipsoidalAltitude: CLLocationDistance = 0
    var horizontalAccuracy: CLLocationAccuracy = 0
    var verticalAccuracy: CLLocationAccuracy = -1
    var course: CLLocationDirection = -1
    var courseAccuracy: CLLocationDirectionAccuracy = -1
    var speed: CLLocationSpeed = -1
    var speedAccuracy: CLLocationSpeedAccuracy = -1
    var timestamp: Date
    var floor: CLFloor?
    var sourceInformation: CLLocationSourceInformation?
  }

  private let values: Values

  init(_ values: Values) {
    self.values = values
    super.init()
  }

  /// Makes a location at 0, 0 with the current time; other values are unknown.
  public override init() {
    values = Values(timestamp: Date())
    super.init()
  }

  /// Makes a location from degrees with the current time; the horizontal accuracy is 0, other values
  /// are unknown.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = Values(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
      timestamp: Date())
    super.init()
  }

  /// Makes a location from a coordinate, an altitude, their accuracies in metres and a time.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, timestamp: timestamp)
    super.init()
  }

  /// Makes a location that also has a course in degrees and a speed in metres per second.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    speed: CLLocationSpeed, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, speed: speed, timestamp: timestamp)
    super.init()
  }

  /// Makes a location that also has the accuracies of course and speed.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp)
    super.init()
  }

  /// Makes a location that also has a source.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp, sourceInformation: sourceInfo)
    super.init()
  }

  /// Decodes a location; missing values are unknown.
  ///
  /// A subclass may archive values of its own in place of these. Without a coordinate the location is
  /// invalid: its ``horizontalAccuracy`` is negative.
  public required init?(coder: NSCoder) {
    values = Values(coder)
    super.init()
  }

  /// The position in degrees (WGS 84).
  open var coordinate: CLLocationCoordinate2D { values.coordinate }

  /// Metres above mean sea level; invalid when ``verticalAccuracy`` is negative.
  open var altitude: CLLocationDistance { values.altitude }

  /// Metres above the WGS 84 ellipsoid; 0 when the source does not give it.
  open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }

  /// Radius of uncertainty in metres (68 %); negative when the coordinate is invalid.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }

  /// Error of the altitude in metres, one sigma; negative when the altitude is invalid.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }

  /// Direction of motion in degrees clockwise from true north, 0..<360; negative when invalid.
  open var course: CLLocationDirection { values.course }

  /// Error of the course in degrees, one sigma; negative when unknown.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }

  /// Metres per second over ground; negative when invalid.
  open var speed: CLLocationSpeed { values.speed }

  /// Error of the speed in metres per second, one sigma; negative when unknown.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }

  /// The time of the fix by the receiver or the recording, not the time of delivery.
  open var timestamp: Date { values.timestamp }

  /// The floor; nil when unknown.
  open var floor: CLFloor? { values.floor }

  /// The source of the location; nil when unknown.
  open var sourceInformation: CLLocationSourceInformation? { values.sourceInformation }

  /// The distance to `location` along the WGS 84 ellipsoid in metres, without the altitudes.
  ///
  /// The error is at most 20 nm for any two positions. The result is −1 if a coordinate is invalid.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    let (here, there) = (Coordinate(coordinate), Coordinate(location.coordinate))
    return here.isValid && there.isValid ? here.distance(to: there) : -1
  }

  /// Returns the location itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the location.
  open func encode(with coder: NSCoder) {
    encodeValues(to: coder)
  }

  /// Whether `object` is a location with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLLocation else { return false }
    return self === other || hasValues(of: other)
  }

  /// A hash of the coordinate and the time.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(coordinate.latitude)
    hasher.combine(coordinate.longitude)
    hasher.combine(timestamp)
    return hasher.finalize()
  }

  /// Position, accuracy, motion and time in the form of Apple's systems.
  ///
  /// The time is in UTC, the same in every locale and zone.
  open override var description: String {
    String(
      format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ ", coordinate.latitude,
      coordinate.longitude, horizontalAccuracy, speed, course) + timestamp.spelled
  }

  private func hasValues(of other: CLLocation) -> Bool {
    timestamp == other.timestamp && coordinate.latitude == other.coordinate.latitude
      && coordinate.longitude == other.coordinate.longitude
      && numbers.elementsEqual(other.numbers) && floor == other.floor
      && sourceInformation == other.sourceInformation
  }

  private var numbers: [Double] {
    [
      altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, course, courseAccuracy,
      speed, speedAccuracy,
    ]
  }
}
