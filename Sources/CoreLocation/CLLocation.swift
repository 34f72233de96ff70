public import Foundation
internal import Geodesy

/// A fix: a place, when the device was there, and how well that is known.
///
/// It never changes. A subclass may override what it likes; everything here, the distance, the
/// archive and the comparison, asks the properties.
// Sendable: its stored properties are constants, and the classes among them are Sendable.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// All that a location holds, inline: a location is one allocation.
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

  /// Makes a location at 0, 0 and now; nothing else is known.
  public override init() {
    values = Values(timestamp: Date())
    super.init()
  }

  /// Makes a location of a place in degrees, now; the horizontal accuracy is 0, nothing else known.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = Values(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
      timestamp: Date())
    super.init()
  }

  /// Makes a location of a place, its altitude, their errors in metres and a time.
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

  /// Makes a location with a course in degrees and a speed in metres per second as well.
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

  /// Makes a location with the errors of course and speed as well.
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

  /// Makes a location that says where it came from as well.
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

  /// Reads a location from an archive; nil when its place or its time is not there.
  public required init?(coder: NSCoder) {
    guard let values = Values(coder) else { return nil }
    self.values = values
    super.init()
  }

  /// The place.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }

  /// Metres above mean sea level; invalid when ``verticalAccuracy`` is negative.
  open var altitude: CLLocationDistance { values.altitude }

  /// Metres above the WGS 84 ellipsoid; 0 when the source did not tell.
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

  /// When the device was there by its receiver's time, not when it was told.
  open var timestamp: Date { values.timestamp }

  /// The floor, nil when it is not known.
  open var floor: CLFloor? { values.floor }

  /// Where the location came from, nil when nobody said.
  open var sourceInformation: CLLocationSourceInformation? { values.sourceInformation }

  /// The distance to `location` along the WGS 84 ellipsoid in metres, without the altitudes.
  ///
  /// Right to 20 nm for any two places; −1 when one of the coordinates is invalid.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    let (here, there) = (Coordinate(coordinate), Coordinate(location.coordinate))
    return here.isValid && there.isValid ? here.distance(to: there) : -1
  }

  /// Returns the location itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the location to an archive.
  open func encode(with coder: NSCoder) {
    encodeValues(to: coder)
  }

  /// Whether `object` is a location with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLLocation else { return false }
    return self === other || hasValues(of: other)
  }

  /// A hash of place and time.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(coordinate.latitude)
    hasher.combine(coordinate.longitude)
    hasher.combine(timestamp)
    return hasher.finalize()
  }

  /// Place, accuracy, motion and time as Apple's systems print them.
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
