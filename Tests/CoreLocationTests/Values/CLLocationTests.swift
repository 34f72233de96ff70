import CoreLocation
import Testing

@Suite("CLLocation")
struct CLLocationTests {
  static let place = CLLocationCoordinate2D(latitude: 51.27069009, longitude: 7.193159)
  static let time = Date(timeIntervalSinceReferenceDate: 770_740_013.25)

  static var full: CLLocation {
    CLLocation(
      coordinate: place, altitude: 230.5, horizontalAccuracy: 2, verticalAccuracy: 3,
      course: 271.5, courseAccuracy: 4, speed: 13.9, speedAccuracy: 0.5, timestamp: time,
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false))
  }

  @Test("14.5 a location from two numbers has no other values")
  func twoNumbers() {
    let before = Date()
    let location = CLLocation(latitude: 1, longitude: 2)
    #expect(location.coordinate.latitude == 1 && location.coordinate.longitude == 2)
    #expect(location.altitude == 0 && location.ellipsoidalAltitude == 0)
    #expect(location.horizontalAccuracy == 0 && location.verticalAccuracy == -1)
    #expect(location.course == -1 && location.courseAccuracy == -1)
    #expect(location.speed == -1 && location.speedAccuracy == -1)
    #expect(location.floor == nil && location.sourceInformation == nil)
    #expect(location.timestamp >= before && location.timestamp <= Date())
  }

  @Test("an empty location is at 0, 0")
  func nothing() {
    let location = CLLocation()
    #expect(location.coordinate.latitude == 0 && location.coordinate.longitude == 0)
    #expect(CLLocationCoordinate2DIsValid(location.coordinate))
    #expect(location.verticalAccuracy == -1 && location.speed == -1 && location.course == -1)
  }

  @Test("each initialiser stores its arguments")
  func initialisers() {
    let plain = CLLocation(
      coordinate: Self.place, altitude: 230.5, horizontalAccuracy: 2, verticalAccuracy: 3,
      timestamp: Self.time)
    #expect(plain.altitude == 230.5 && plain.horizontalAccuracy == 2)
    #expect(plain.verticalAccuracy == 3 && plain.timestamp == Self.time)
    #expect(plain.course == -1 && plain.speed == -1)
    let moving = CLLocation(
      coordinate: Self.place, altitude: 230.5, horizontalAccuracy: 2, verticalAccuracy: 3,
      course: 271.5, speed: 13.9, timestamp: Self.time)
    #expect(moving.course == 271.5 && moving.speed == 13.9)
    #expect(moving.courseAccuracy == -1 && moving.speedAccuracy == -1)
    let known = CLLocation(
      coordinate: Self.place, altitude: 230.5, horizontalAccuracy: 2, verticalAccuracy: 3,
      course: 271.5, courseAccuracy: 4, speed: 13.9, speedAccuracy: 0.5, timestamp: Self.time)
    #expect(known.courseAccuracy == 4 && known.speedAccuracy == 0.5)
    #expect(known.sourceInformation == nil)
    #expect(Self.full.sourceInformation?.isSimulatedBySoftware == true)
    #expect(Self.full.sourceInformation?.isProducedByAccessory == false)
  }

  @Test(
    "14.1 the distance is the geodesic on WGS 84",
    arguments: [
      ((40.7128, -74.006), (51.5074, -0.1278), 5_585_233.579),
      ((0, 0), (0, 1), 111_319.491),
      ((0, 179.5), (0, -179.5), 111_319.491),
      ((90, 0), (90, 123), 0),
      ((90, 0), (-90, 0), 20_003_931.459),
    ])
  func distance(from: (Double, Double), to: (Double, Double), metres: Double) {
    let start = CLLocation(latitude: from.0, longitude: from.1)
    let end = CLLocation(latitude: to.0, longitude: to.1)
    #expect(abs(start.distance(from: end) - metres) < 0.001)
    #expect(start.distance(from: end) == end.distance(from: start))
  }

  @Test("the altitude does not affect the distance")
  func flatDistance() {
    let high = CLLocation(
      coordinate: Self.place, altitude: 8_000, horizontalAccuracy: 1, verticalAccuracy: 1,
      timestamp: Self.time)
    #expect(high.distance(from: Self.full) == 0)
  }

  @Test(
    "14.2 the distance of an invalid coordinate is -1",
    arguments: [(250, 0), (0, 181), (-90.001, 0), (.nan, 0), (0, .infinity), (-180, -180)]
      as [(Double, Double)])
  func invalidDistance(latitude: Double, longitude: Double) {
    let nowhere = CLLocation(latitude: latitude, longitude: longitude)
    #expect(nowhere.distance(from: Self.full) == -1)
    #expect(Self.full.distance(from: nowhere) == -1)
    #expect(nowhere.distance(from: nowhere) == -1)
  }

  @Test("14.8 the description is Apple's, with a time that is the same in every locale")
  func description() {
    #expect(
      Self.full.description
        == "<+51.27069009,+7.19315900> +/- 2.00m (speed 13.90 mps / course 271.50) "
        + "@ 2025-06-04T14:26:53.250Z")
    let west = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: -1.5, longitude: -2), altitude: 0,
      horizontalAccuracy: -1, verticalAccuracy: -1, timestamp: .distantPast)
    #expect(
      west.description.hasPrefix(
        "<-1.50000000,-2.00000000> +/- -1.00m (speed -1.00 mps / course -1.00)"))
  }

  @Test("a description with NaN or infinity does not trap", arguments: [Double.nan, .infinity])
  func strangeDescription(number: Double) {
    let strange = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: number, longitude: -number), altitude: number,
      horizontalAccuracy: number, verticalAccuracy: number, course: number, speed: number,
      timestamp: Date(timeIntervalSinceReferenceDate: number))
    #expect(strange.description.hasPrefix("<"))
  }

  @Test("locations with the same values are equal and hash alike")
  func equality() {
    #expect(Self.full == Self.full)
    #expect(Self.full.hash == Self.full.hash)
    #expect(Set([Self.full, Self.full]).count == 1)
    #expect(!Self.full.isEqual("a text") && !Self.full.isEqual(nil))
    let plain = CLLocation(
      coordinate: Self.place, altitude: 230.5, horizontalAccuracy: 2, verticalAccuracy: 3,
      course: 271.5, courseAccuracy: 4, speed: 13.9, speedAccuracy: 0.5, timestamp: Self.time)
    #expect(plain != Self.full)
    let later = CLLocation(
      coordinate: Self.place, altitude: 0, horizontalAccuracy: 2, verticalAccuracy: 3,
      timestamp: Self.time + 1)
    #expect(plain != later)
  }

  @Test("a location with NaN equals itself")
  func identity() {
    let nowhere = CLLocation(latitude: .nan, longitude: .nan)
    #expect(nowhere == nowhere)
  }

  @Test("a copy of an immutable object is the object itself")
  func copy() throws {
    let location = Self.full
    #expect(try #require(location.copy() as? CLLocation) === location)
  }

  @Test("a location may go to another task")
  func sendable() async {
    let location = Self.full
    let latitude = await Task.detached { location.coordinate.latitude }.value
    #expect(latitude == Self.place.latitude)
  }

  @Test("overridden properties are used")
  func subclass() {
    let moved = Moved(latitude: 0, longitude: 0)
    let here = CLLocation(latitude: 0, longitude: 0)
    #expect(abs(moved.distance(from: here) - 111_319.491) < 0.001)
    #expect(here.distance(from: moved) == moved.distance(from: here))
    #expect(moved.description.hasPrefix("<+0.00000000,+1.00000000>"))
    #expect(moved != here && moved == moved)
  }
}

// Sendable: it has no properties of its own.
private final class Moved: CLLocation, @unchecked Sendable {
  override var coordinate: CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: 0, longitude: 1)
  }
}
