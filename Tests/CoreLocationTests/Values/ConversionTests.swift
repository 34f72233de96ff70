@testable import CoreLocation
import Geodesy
import Services
import Testing
import Tracking

@Suite("between the engine's values and Core Location's")
struct ConversionTests {
  static let place = Coordinate(latitude: 52.5, longitude: 13.25)
  static let time = Timestamp(nanoseconds: 1_749_047_213_250_000_000)

  @Test("14.4 unknown values of a fix are -1, an unknown altitude is 0")
  func unknown() {
    let location = CLLocation(
      Location(Fix(time: Self.time, coordinate: Self.place), from: .receiver))
    #expect(location.coordinate.latitude == 52.5 && location.coordinate.longitude == 13.25)
    #expect(location.timestamp == Date(timeIntervalSince1970: 1_749_047_213.25))
    #expect(location.horizontalAccuracy == 25)
    #expect(location.altitude == 0 && location.verticalAccuracy == -1)
    #expect(location.ellipsoidalAltitude == 0)
    #expect(location.speed == -1 && location.speedAccuracy == -1)
    #expect(location.course == -1 && location.courseAccuracy == -1)
    #expect(location.floor == nil)
  }

  @Test("14.6 14.7 the values of a fix are unchanged, with its time and both altitudes")
  func known() {
    let location = CLLocation(Location(Self.full, from: .simulation))
    #expect(location.horizontalAccuracy == 4 && location.verticalAccuracy == 6)
    #expect(location.altitude == 34 && location.ellipsoidalAltitude == 73.5)
    #expect(location.timestamp == Self.full.time.map { Date($0) })
    #expect(location.speed == 1.5 && location.speedAccuracy == 0.25)
    #expect(location.course == 0 && location.courseAccuracy == 9)
  }

  @Test("14.9 a recording is simulated, and a receiver behind gpsd an accessory")
  func origin() {
    let replayed = CLLocation(Location(Self.full, from: .simulation)).sourceInformation
    #expect(replayed?.isSimulatedBySoftware == true && replayed?.isProducedByAccessory == false)
    let received = CLLocation(Location(Self.full, from: .receiver)).sourceInformation
    #expect(received?.isSimulatedBySoftware == false && received?.isProducedByAccessory == true)
  }

  @Test("an altitude without an accuracy is valid, a vertical accuracy without one is not")
  func altitude() {
    var fix = Fix(time: Self.time, coordinate: Self.place)
    fix.horizontalAccuracy = 10
    fix.altitude = 100
    let high = CLLocation(Location(fix, from: .simulation))
    #expect(high.altitude == 100)
    #expect(abs(high.verticalAccuracy - 13.4) < 0.1)
    fix.altitude = nil
    fix.verticalAccuracy = 3
    #expect(CLLocation(Location(fix, from: .simulation)).verticalAccuracy == -1)
  }

  @Test("12.1 a coarse location has the accuracy of its cell")
  func coarse() {
    var report = Location(Self.full, from: .receiver)
    report.cellRadius = 5_000
    #expect(CLLocation(report).horizontalAccuracy == 5_000)
  }

  @Test("a fix without a time is in the distant past")
  func timeless() {
    let location = CLLocation(Location(Fix(time: nil, coordinate: Self.place), from: .simulation))
    #expect(location.timestamp == .distantPast)
  }

  @Test("a fix survives being a location, times to the microsecond")
  func roundTrip() {
    #expect(Fix(CLLocation(Location(Self.full, from: .receiver))) == Self.full)
    for nanoseconds: Int64 in [
      0, 1_000, -1_000, 978_307_200_000_001_000, 1_795_000_000_123_457_000,
    ] {
      let time = Timestamp(nanoseconds: nanoseconds)
      #expect(Date(time).time == time)
    }
  }

  @Test("an invalid value of a location is unknown in a fix")
  func invalid() {
    let fix = Fix(
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 99,
        horizontalAccuracy: -1, verticalAccuracy: -1, timestamp: Date(Self.time)))
    #expect(fix.mode == .none)
    #expect(fix.horizontalAccuracy == nil && fix.altitude == nil && fix.verticalAccuracy == nil)
    #expect(fix.speed == nil && fix.course == nil)
    #expect(fix.speedAccuracy == nil && fix.courseAccuracy == nil)
  }

  @Test("a time beyond what the engine holds is its nearest end")
  func extremeTimes() {
    #expect(Date.distantPast.time == .distantPast)
    #expect(Date.distantFuture.time == Timestamp(nanoseconds: .max))
    #expect(Date(timeIntervalSinceReferenceDate: .infinity).time == Timestamp(nanoseconds: .max))
    #expect(Date(timeIntervalSinceReferenceDate: .nan).time == .distantPast)
    #expect(Date(timeIntervalSinceReferenceDate: -1e300).time == .distantPast)
  }

  @Test("6.2 a stay that has not ended departs in the distant future")
  func arrival() {
    let stay = Stay(
      arrival: Self.time, departure: nil, coordinate: Self.place, horizontalAccuracy: 30)
    let visit = CLVisit(stay)
    #expect(visit.arrivalDate == Date(Self.time) && visit.departureDate == .distantFuture)
    #expect(visit.coordinate.latitude == 52.5 && visit.coordinate.longitude == 13.25)
    #expect(visit.horizontalAccuracy == 30)
  }

  @Test("6.3 a stay whose arrival was not observed began in the distant past")
  func departure() {
    let stay = Stay(
      arrival: nil, departure: Self.time, coordinate: Self.place, horizontalAccuracy: 30)
    #expect(CLVisit(stay).arrivalDate == .distantPast)
    #expect(CLVisit(stay).departureDate == Date(Self.time))
  }

  @Test("a region survives being a circle")
  func region() {
    var region = Region(identifier: "home", center: Self.place, radius: 120)
    region.notifiesOnEntry = false
    #expect(Region(CLCircularRegion(region)) == region)
    region.notifiesOnEntry = true
    region.notifiesOnExit = false
    #expect(Region(CLCircularRegion(region)) == region)
  }

  @Test(
    "a failure is the error with its number",
    arguments: [
      .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied,
      .regionMonitoringFailure, .deferredFailed, .deferredNotUpdatingLocation,
      .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable,
      .promptDeclined, .historicalLocation,
    ] as [Failure])
  func failure(_ failure: Failure) {
    #expect(CLError(failure).code.rawValue == failure.rawValue)
  }

  static var full: Fix {
    var fix = Fix(time: time, coordinate: place)
    fix.horizontalAccuracy = 4
    fix.altitude = 34
    fix.ellipsoidalAltitude = 73.5
    fix.verticalAccuracy = 6
    fix.speed = 1.5
    fix.speedAccuracy = 0.25
    fix.course = 0
    fix.courseAccuracy = 9
    return fix
  }
}
