import CoreLocation
import Testing

@Suite("constants and enums")
struct ConstantTests {
  @Test("constants have Apple's values")
  func constants() {
    #expect(kCLDistanceFilterNone == -1 && kCLHeadingFilterNone == -1)
    #expect(kCLLocationAccuracyBestForNavigation == -2 && kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1000 && kCLLocationAccuracyThreeKilometers == 3000)
    #expect(kCLLocationAccuracyReduced == 6_380_000)
    #expect(CLLocationDistanceMax == .greatestFiniteMagnitude)
    #expect(CLTimeIntervalMax == .greatestFiniteMagnitude)
    #expect(kCLErrorDomain == "kCLErrorDomain")
    #expect(
      !kCLErrorUserInfoAlternateRegionKey.isEmpty && !CLLocationPushServiceErrorDomain.isEmpty)
  }

  @Test(
    "14.3 a coordinate is valid from pole to pole and from end to end",
    arguments: [
      (0, 0, true), (90, 180, true), (-90, -180, true), (90.000001, 0, false),
      (0, -180.000001, false), (.nan, 0, false), (0, .nan, false), (.infinity, 0, false),
    ] as [(Double, Double, Bool)])
  func validity(latitude: Double, longitude: Double, isValid: Bool) {
    #expect(
      CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)) == isValid)
  }

  @Test("the invalid coordinate is invalid, a new one is 0, 0")
  func coordinates() {
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    #expect(kCLLocationCoordinate2DInvalid.latitude == -180)
    #expect(kCLLocationCoordinate2DInvalid.longitude == -180)
    var coordinate = CLLocationCoordinate2D()
    #expect(coordinate.latitude == 0 && coordinate.longitude == 0)
    coordinate.latitude = 5
    coordinate.longitude = 6
    #expect(coordinate.latitude == 5 && coordinate.longitude == 6)
    #expect(MemoryLayout<CLLocationCoordinate2D>.size == 16)
  }

  @Test("a coordinate is not equatable, hashable or codable by itself")
  func bareCoordinate() {
    let coordinate: Any = CLLocationCoordinate2D()
    #expect(!(coordinate is any Equatable) && !(coordinate is any Encodable))
  }

  @Test("raw values are Apple's")
  func rawValues() {
    let states: [CLRegionState] = [.unknown, .inside, .outside]
    #expect(states.map(\.rawValue) == [0, 1, 2])
    let statuses: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4] as [Int32])
    #expect(CLAuthorizationStatus.authorized == .authorizedAlways)
    let accuracies: [CLAccuracyAuthorization] = [.fullAccuracy, .reducedAccuracy]
    #expect(accuracies.map(\.rawValue) == [0, 1])
    let activities: [CLActivityType] = [
      .other, .automotiveNavigation, .fitness, .otherNavigation, .airborne,
    ]
    #expect(activities.map(\.rawValue) == [1, 2, 3, 4, 5])
    let orientations: [CLDeviceOrientation] = [
      .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    #expect(orientations.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6] as [Int32])
    let proximities: [CLProximity] = [.unknown, .immediate, .near, .far]
    #expect(proximities.map(\.rawValue) == [0, 1, 2, 3])
  }
}
