import CoreLocation
import Testing

@Suite("regions")
struct RegionTests {
  static func circle(_ radius: Double = 100, id: String = "home") -> CLCircularRegion {
    CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 0, longitude: 0), radius: radius, identifier: id)
  }

  @Test("7.10 entries and exits are reported by default")
  func notifications() {
    let region = Self.circle()
    #expect(region.notifyOnEntry && region.notifyOnExit)
    region.notifyOnEntry = false
    #expect(!region.notifyOnEntry && region.notifyOnExit)
    region.notifyOnExit = false
    #expect(!region.notifyOnExit)
  }

  @Test("a circle is closed, by the geodesic on WGS 84")
  func contains() {
    // One degree of the equator is 111319.4908 m long.
    let edge = CLLocationCoordinate2D(latitude: 0, longitude: 1)
    let way = CLLocation(latitude: 0, longitude: 0).distance(
      from: CLLocation(latitude: 0, longitude: 1))
    #expect(Self.circle(way).contains(edge))
    #expect(Self.circle(way.nextUp).contains(edge))
    #expect(!Self.circle(way.nextDown).contains(edge))
    #expect(Self.circle(1).contains(CLLocationCoordinate2D(latitude: 0, longitude: 0)))
  }

  @Test("a circle reaches over the antimeridian and over a pole")
  func wraps() {
    let fiji = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: -17, longitude: 179.999), radius: 1000,
      identifier: "fiji")
    #expect(fiji.contains(CLLocationCoordinate2D(latitude: -17, longitude: -179.999)))
    let pole = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 89.999, longitude: 0), radius: 1000,
      identifier: "pole")
    #expect(pole.contains(CLLocationCoordinate2D(latitude: 89.999, longitude: 180)))
  }

  @Test(
    "an invalid coordinate is in no circle",
    arguments: [(.nan, 0), (0, .nan), (91, 0), (0, 181), (.infinity, 0)] as [(Double, Double)])
  func invalidPlace(latitude: Double, longitude: Double) {
    let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    #expect(!Self.circle(40_000_000).contains(place))
    let nowhere = CLCircularRegion(center: place, radius: 40_000_000, identifier: "nowhere")
    #expect(!nowhere.contains(place))
    #expect(!nowhere.contains(CLLocationCoordinate2D(latitude: 0, longitude: 0)))
  }

  @Test("a circle without a radius contains nothing", arguments: [0, -1, .nan] as [Double])
  func noRadius(radius: Double) {
    #expect(!Self.circle(radius).contains(CLLocationCoordinate2D(latitude: 0, longitude: 0)))
  }

  @Test("7.16 regions are equal by identifier and kind")
  func equality() {
    #expect(Self.circle(100) == Self.circle(200))
    #expect(Self.circle(100).hash == Self.circle(200).hash)
    #expect(Self.circle() != Self.circle(id: "work"))
    let beacons = CLBeaconRegion(uuid: UUID(), identifier: "home")
    #expect(Self.circle() != beacons && beacons != Self.circle())
    #expect(!Self.circle().isEqual("home"))
    let set: Set<CLRegion> = [Self.circle(100), Self.circle(200), beacons]
    #expect(set.count == 2)
  }

  @Test("a region of a subclass equals the one that a delegate gets")
  func subclass() {
    final class Shop: CLCircularRegion {}
    let shop = Shop(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 1), radius: 9, identifier: "home")
    #expect(shop == Self.circle() && Self.circle() == shop)
  }

  @Test("a copy is a separate, equal object")
  func copy() throws {
    let region = Self.circle()
    region.notifyOnExit = false
    let copy = try #require(region.copy() as? CLCircularRegion)
    #expect(copy !== region && copy == region)
    #expect(copy.radius == 100 && !copy.notifyOnExit && copy.notifyOnEntry)
    copy.notifyOnEntry = false
    #expect(region.notifyOnEntry)
    let beacons = CLBeaconRegion(uuid: UUID(), major: 7, identifier: "b")
    beacons.notifyEntryStateOnDisplay = true
    let twin = try #require(beacons.copy() as? CLBeaconRegion)
    #expect(twin.uuid == beacons.uuid && twin.major == 7 && twin.minor == nil)
    #expect(twin.notifyEntryStateOnDisplay)
    #expect((CLRegion().copy() as? CLRegion)?.identifier.isEmpty == true)
  }

  @Test("empty regions are useless and harmless")
  func empty() {
    #expect(CLRegion().identifier.isEmpty)
    #expect(CLCircularRegion().radius == 0)
    #expect(CLBeaconRegion().major == nil)
  }

  @Test("a description names region, centre and radius")
  func description() {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1.5, longitude: -2), radius: 30,
      identifier: "100% %s %d")
    #expect(
      region.description == "CLCircularRegion (identifier:'100% %s %d', "
        + "center:<+1.50000000,-2.00000000>, radius:30.00m)")
    #expect(CLRegion().description == "CLRegion (identifier:'')")
  }

  @Test("16 a beacon region stores its arguments and has no data to send")
  func beacons() {
    let uuid = UUID()
    let constraint = CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 65_535)
    let region = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "b")
    #expect(region.beaconIdentityConstraint == constraint)
    #expect(region.uuid == uuid && region.proximityUUID == uuid)
    #expect(region.major == 1 && region.minor == 65_535)
    #expect(!region.notifyEntryStateOnDisplay)
    #expect(region.peripheralData(withMeasuredPower: nil).count == 0)
    #expect(CLBeaconRegion(uuid: uuid, identifier: "").major == nil)
    #expect(CLBeaconRegion(uuid: uuid, major: 2, minor: 3, identifier: "").minor == 3)
    #expect(CLBeaconRegion(proximityUUID: uuid, identifier: "").uuid == uuid)
    #expect(CLBeaconRegion(proximityUUID: uuid, major: 2, identifier: "").major == 2)
    #expect(CLBeaconRegion(proximityUUID: uuid, major: 2, minor: 3, identifier: "").minor == 3)
    let any = CLBeaconRegion(uuid: uuid, identifier: "").beaconIdentityConstraint
    #expect(any == CLBeaconIdentityConstraint(uuid: uuid))
    let major = CLBeaconRegion(uuid: uuid, major: 4, identifier: "").beaconIdentityConstraint
    #expect(major == CLBeaconIdentityConstraint(uuid: uuid, major: 4))
    #expect(major != any && major.hash != any.hash)
  }
}
