import Foundation
import Testing
import WaymarkCoreLocation
import WaymarkFoundation

@Suite("Locations of Core Location")
struct LocationTests {
  private let noon = Timestamp(nanoseconds: 1_777_723_200_000_000_000)

  @Test("every value of a fix is that of the location, and comes back")
  func wholeFix() throws {
    var fix = Fix(time: noon, coordinate: Coordinate(latitude: 48.5, longitude: 8.25))
    (fix.horizontalAccuracy, fix.verticalAccuracy, fix.altitude) = (5, 7, 120)
    (fix.speed, fix.speedAccuracy, fix.course, fix.courseAccuracy) = (3, 0.5, 90, 4)
    fix.ellipsoidalAltitude = 168
    let location = CLLocation(fix: fix)
    #expect(location.coordinate.latitude == 48.5 && location.coordinate.longitude == 8.25)
    #expect(location.horizontalAccuracy == 5 && location.verticalAccuracy == 7)
    #expect(location.altitude == 120 && location.ellipsoidalAltitude == 168)
    #expect(location.speed == 3 && location.speedAccuracy == 0.5)
    #expect(location.course == 90 && location.courseAccuracy == 4)
    #expect(location.timestamp == Date(noon))
    #expect(Fix(location: location) == fix)
  }

  @Test("what is unknown is negative in a location, and nil in a fix")
  func unknown() {
    let bare = CLLocation(
      fix: Fix(time: nil, coordinate: Coordinate(latitude: 1, longitude: 2)))
    #expect(bare.speed < 0 && bare.course < 0 && bare.verticalAccuracy < 0)
    // Clients drop a location without an accuracy.
    #expect(bare.horizontalAccuracy > 0 && bare.timestamp == .distantPast)
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 9,
      horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: -1, timestamp: Date(noon))
    let fix = Fix(location: location)
    #expect(fix.time == noon && fix.mode == .none)
    #expect(fix.horizontalAccuracy == nil && fix.altitude == nil && fix.verticalAccuracy == nil)
    #expect(fix.speed == nil && fix.course == nil)
  }

  @Test("coordinates are the same numbers")
  func coordinates() {
    let place = Coordinate(latitude: -12.5, longitude: 180)
    let converted = CLLocationCoordinate2D(coordinate: place)
    #expect(converted.latitude == -12.5 && converted.longitude == 180)
    #expect(Coordinate(location: converted) == place)
  }

  @Test("the locations of a program go through the engine")
  func engine() throws {
    let yard = Fence(id: "yard", center: Coordinate(latitude: 48, longitude: 8), radius: 100)
    var tracker = Tracker(rules: Rules(fences: try FenceSet([yard])))
    var events: [Event] = []
    for second in 0..<60 {
      let location = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48 + Double(second) * 1e-4, longitude: 8),
        altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1, course: 0, speed: 11,
        timestamp: Date(noon + .seconds(second)))
      tracker.ingest(Fix(location: location), into: &events)
    }
    #expect(events.compactMap(\.fence) == ["yard", "yard"])
    #expect(events.last?.crossing != nil)
  }
}
