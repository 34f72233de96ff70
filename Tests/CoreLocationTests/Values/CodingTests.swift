@testable import CoreLocation
import Services
import Testing

@Suite("14.10 archives")
struct CodingTests {
  /// One of every class that can be archived, with all that it can hold.
  static let subjects: [@Sendable () -> any NSObject & NSSecureCoding] = [
    { CLLocationTests.full }, { located() }, { floor(level: -2) },
    {
      CLLocationSourceInformation(softwareSimulationState: false, andExternalAccessoryState: true)
    },
    { visit }, { CLVisit() }, { RegionTests.circle(123.5) }, { CLRegion() }, { beaconRegion },
    { CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 65_535) },
    { CLBeaconIdentityConstraint(uuid: UUID(), major: 0) }, { CLHeading() }, { beacon },
    { placemark }, { CLPlacemark() },
  ]

  @Test("14.10 an archived object decodes to an equal one", arguments: subjects.indices)
  func roundTrip(index: Int) throws {
    let subject = Self.subjects[index]()
    #expect(type(of: subject).supportsSecureCoding)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: subject, requiringSecureCoding: true)
    let back = try #require(try Self.read(data, as: type(of: subject)))
    #expect(back.isEqual(subject) && subject.isEqual(back))
    #expect(back.hash == subject.hash)
    #expect(back.description == subject.description)
  }

  @Test("types that only archives make can be made")
  func archived() {
    #expect(Self.floor(level: -2).level == -2)
    #expect(Self.located().floor?.level == 3 && Self.located().ellipsoidalAltitude == 48.25)
    #expect(
      Self.beacon.rssi == -61 && Self.beacon.proximity == .near && Self.beacon.major == 65_535)
    #expect(Self.beacon.minor == 0 && Self.beacon.accuracy == 1.5)
  }

  @Test("a circle decodes with its centre, radius and notifications")
  func circle() throws {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: -1.25, longitude: 179.5), radius: 77,
      identifier: "ü 1")
    region.notifyOnEntry = false
    let data = try NSKeyedArchiver.archivedData(withRootObject: region, requiringSecureCoding: true)
    let back = try #require(try Self.read(data, as: CLCircularRegion.self) as? CLCircularRegion)
    #expect(back.center.latitude == -1.25 && back.center.longitude == 179.5)
    #expect(back.radius == 77 && back.identifier == "ü 1")
    #expect(!back.notifyOnEntry && back.notifyOnExit)
  }

  @Test("a set of regions decodes as a set")
  func regions() throws {
    let regions: Set<CLRegion> = [RegionTests.circle(id: "a"), RegionTests.circle(id: "b")]
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSSet(set: regions), requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSSet.self, CLCircularRegion.self], from: data)
    #expect(back as? Set<CLRegion> == regions)
  }

  @Test("the archive of a location has Apple's keys")
  func names() throws {
    let text = String(
      decoding: try Self.archive(RegionTests.circle()) + Self.archive(CLLocationTests.full),
      as: UTF8.self)
    for name in [
      "CoordinateLatitude", "CoordinateLongitude", "RawCoordinateLatitude",
      "RawCoordinateLongitude", "Altitude", "HorizontalAccuracy", "Timestamp",
    ] {
      #expect(text.contains("kCLLocationCodingKey" + name))
    }
  }

  // Foundation on Linux stops the program when a secure archive holds a class that was not asked
  // for, so that the parts of one class are handed to another under its name.
  @Test("an archive of another class is rejected", arguments: subjects.indices)
  func otherClass(index: Int) throws {
    let subject = Self.subjects[index]()
    let foreign = try Self.archive(Stranger())
    let read = try Self.read(foreign, as: type(of: subject), standingFor: "Stranger")
    // The values of some classes may all be missing; then nothing of the archive is in the object.
    let empty: [NSObject] = [
      CLPlacemark(), CLFloor(), CLHeading(), CLVisit(), CLBeacon(), CLLocationSourceInformation(),
      Self.invalid,
    ]
    #expect(read.map { empty.contains($0) } ?? true)
    let text = try Self.archive(NSString("no location"))
    #expect(try Self.read(text, as: type(of: subject)) == nil)
  }

  @Test("a truncated archive is rejected", arguments: subjects.indices)
  func cut(index: Int) throws {
    let subject = Self.subjects[index]()
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: subject, requiringSecureCoding: true)
    for length in stride(from: 0, to: data.count, by: 7) {
      #expect((try? Self.read(data.prefix(length), as: type(of: subject))) == nil)
    }
  }

  @Test("an archive of a location may lack any value; without a coordinate it is invalid")
  func missing() throws {
    let data = try Self.archive(CLLocationTests.full)
    let text = String(decoding: data, as: UTF8.self)
    func without(_ names: [String]) throws -> CLLocation? {
      // The XML form spells the names out, so that a changed one is a missing one.
      let changed = names.reduce(text) {
        $0.replacingOccurrences(of: "kCLLocationCodingKey\($1)<", with: "gone\($1)<")
      }
      #expect(changed != text)
      return try? Self.read(Data(changed.utf8), as: CLLocation.self) as? CLLocation
    }
    #expect(try without(["Timestamp"])?.timestamp == .distantPast)
    let nowhere = try without(["CoordinateLatitude", "RawCoordinateLatitude", "HorizontalAccuracy"])
    #expect(nowhere?.horizontalAccuracy == -1 && nowhere?.timestamp == CLLocationTests.time)
    let raw = try without(["CoordinateLatitude", "CoordinateLongitude"])
    #expect(raw?.coordinate.latitude == CLLocationTests.place.latitude)
    let slow = try without(["Speed", "VerticalAccuracy", "SourceInformation"])
    #expect(slow?.speed == -1 && slow?.verticalAccuracy == -1 && slow?.course == 271.5)
    #expect(slow != nil && slow?.sourceInformation == nil)
  }

  @Test("a mutable subclass that archives values of its own decodes")
  func mutableSubclasses() throws {
    for mutable in [
      MutableFloor(), MutableHeading(), MutableVisit(), MutableBeacon(), MutableLocation(),
    ] as [any NSObject & Mutable] {
      mutable.number = 7
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: mutable, requiringSecureCoding: true)
      let back = try Self.read(data, as: type(of: mutable)) as? any Mutable
      #expect(back?.number == 7, "\(type(of: mutable))")
    }
  }

  /// What an archive holds; nil when it is nothing of the class.
  ///
  /// - Parameter name: A class of this module under whose name it was written.
  static func read(
    _ data: Data, as type: AnyClass, standingFor name: String? = nil
  ) throws -> NSObject? {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    if let name { unarchiver.setClass(type, forClassName: "CoreLocationTests." + name) }
    let object = unarchiver.decodeObject(of: [type], forKey: NSKeyedArchiveRootObjectKey)
    // Foundation does not hold texts to the class that was asked for.
    return (object as? NSObject).flatMap { $0.isKind(of: type) ? $0 : nil }
  }

  /// The archive as XML, in which names can be seen and changed.
  static func archive(_ object: Any) throws -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.outputFormat = .xml
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return archiver.encodedData
  }

  // MARK: One of each

  /// A floor as only an archive can make it.
  static func floor(level: Int) -> CLFloor {
    return reborn(Upstairs(level), as: CLFloor.self) ?? CLFloor()
  }

  /// A location with a floor and an altitude above the ellipsoid.
  static func located() -> CLLocation {
    return reborn(Indoors(latitude: 1, longitude: 2), as: CLLocation.self) ?? CLLocation()
  }

  /// What an archive without any value of a location gives.
  static var invalid: CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: -1,
      verticalAccuracy: -1, timestamp: .distantPast)
  }

  static var visit: CLVisit {
    CLVisit(
      Stay(
        arrival: ConversionTests.time, departure: nil, coordinate: ConversionTests.place,
        horizontalAccuracy: 25))
  }

  static var beaconRegion: CLBeaconRegion {
    let region = CLBeaconRegion(uuid: UUID(), major: 3, identifier: "b")
    region.notifyEntryStateOnDisplay = true
    region.notifyOnExit = false
    return region
  }

  static var beacon: CLBeacon {
    return reborn(Heard(), as: CLBeacon.self) ?? CLBeacon()
  }

  static var placemark: CLPlacemark {
    var contents = CLPlacemark.Contents()
    contents.location = CLLocationTests.full
    contents.region = RegionTests.circle()
    contents.timeZone = TimeZone(identifier: "Europe/Berlin")
    contents.name = "Café 5"
    contents.thoroughfare = "Hauptstraße"
    contents.subThoroughfare = "5"
    contents.locality = "Köln"
    contents.isoCountryCode = "DE"
    contents.areasOfInterest = ["Dom", "Rhein"]
    return CLPlacemark(contents)
  }

  /// What an archive of `object` gives when it is read as one of its superclass.
  private static func reborn<T: NSObject>(_ object: T, as superclass: T.Type) -> T? {
    let name = String(describing: type(of: object))
    return try? read(archive(object), as: superclass, standingFor: name) as? T
  }
}

// Archives know classes that are not nested only.

// Sendable: its property is a constant.
final class Upstairs: CLFloor, @unchecked Sendable {
  private let chosen: Int

  init(_ level: Int) {
    chosen = level
    super.init()
  }

  required init?(coder: NSCoder) { nil }

  override var level: Int { chosen }
}

// Sendable: it has no properties of its own.
final class Indoors: CLLocation, @unchecked Sendable {
  override var floor: CLFloor? { CodingTests.floor(level: 3) }
  override var ellipsoidalAltitude: Double { 48.25 }
}

final class Heard: CLBeacon {
  override var major: NSNumber { 65_535 }
  override var proximity: CLProximity { .near }
  override var accuracy: Double { 1.5 }
  override var rssi: Int { -61 }
  override var timestamp: Date { CLLocationTests.time }
}

/// A subclass in the manner of test doubles: its own value replaces those of the superclass, in archives
/// as well.
protocol Mutable: AnyObject, NSSecureCoding { var number: Int { get set } }

// Sendable: the tests use each object on one thread.
final class MutableFloor: CLFloor, Mutable, @unchecked Sendable {
  var number = 0
  override init() { super.init() }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
    number = coder.decodeInteger(forKey: "number")
  }
  override func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

final class MutableHeading: CLHeading, Mutable {
  var number = 0
  override init() { super.init() }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
    number = coder.decodeInteger(forKey: "number")
  }
  override func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

final class MutableVisit: CLVisit, Mutable {
  var number = 0
  override init() { super.init() }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
    number = coder.decodeInteger(forKey: "number")
  }
  override func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

final class MutableBeacon: CLBeacon, Mutable {
  var number = 0
  override init() { super.init() }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
    number = coder.decodeInteger(forKey: "number")
  }
  override func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

// Sendable: the tests use each object on one thread.
final class MutableLocation: CLLocation, Mutable, @unchecked Sendable {
  var number = 0
  override init() { super.init() }
  required init?(coder: NSCoder) {
    super.init(coder: coder)
    number = coder.decodeInteger(forKey: "number")
  }
  override func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
}

/// Something that is archived under a location's name.
final class Stranger: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  override init() {}
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) { coder.encode(1.5, forKey: "something") }
}
