@testable import GPSD
import Receivers
import Geocoding
import Geodesy
import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("What a configuration sets up", .timeLimit(.minutes(90)))
struct ServiceSetupTests {
  private typealias Configuration = LocationService.Configuration

  /// The program's service as code sets it up, without a source.
  private func service(_ configuration: Configuration) -> LocationService {
    var configuration = configuration
    configuration.source = .none
    return LocationService(
      ServiceSetup(shared: configuration, propertyList: nil), isIsolated: false)
  }

  private func log(_ lines: Log) -> Configuration {
    var configuration = Configuration()
    configuration.log = { lines.add($0) }
    return configuration
  }

  @Test("nothing: as with an empty environment")
  func usual() {
    let code = Configuration()
    let environment = Configuration.of(environment: [:], log: { Issue.record("\($0)") })
    #expect(code.source == environment.source && code.profile == environment.profile)
    #expect(code.stateFolder == environment.stateFolder && code.purposes == environment.purposes)
    let status = service(code).authorizationStatus
    #expect(status == .notDetermined && status == service(environment).authorizationStatus)
    #expect(ServiceSetup(shared: code, propertyList: nil).source == .gpsd(.local))
    #expect(ServiceSetup(shared: code, propertyList: nil).purposes == PurposeStrings())
  }

  @Test("nothing, isolated: no source, allowed at any time, purposes of both kinds")
  func isolated() {
    let setup = ServiceSetup(isolated: Configuration())
    #expect(setup.source == .none && setup.stateFolder == nil)
    #expect(setup.purposes.whenInUse != nil && setup.purposes.always != nil)
    LocationService.isolated { #expect($0.authorizationStatus == .authorizedAlways) }
  }

  // MARK: Permission

  @Test(
    "a permission sets the initial status and the answers",
    arguments: [
      (.allow, .notDetermined, .authorizedWhenInUse), (.deny, .denied, .denied),
      (.restrict, .restricted, .restricted), (.always, .authorizedAlways, .authorizedAlways),
      (.whenInUse, .authorizedWhenInUse, .authorizedWhenInUse),
    ]
      as [(Configuration.Permission, CLAuthorizationStatus, CLAuthorizationStatus)])
  func permissions(
    permission: LocationService.Configuration.Permission, before: CLAuthorizationStatus,
    after: CLAuthorizationStatus
  ) {
    var configuration = Configuration(permission: permission)
    configuration.purposes = .init(whenInUse: "to show you")
    let service = service(configuration)
    #expect(service.authorizationStatus == before)
    service.authorize { $0.requestWhenInUse() }
    #expect(service.authorizationStatus == after)
    LocationService.isolated(configuration) { #expect($0.authorizationStatus == before) }
  }

  @Test("ask means a prompt on the terminal")
  func terminal() {
    guard case .terminal = ServiceSetup(shared: Configuration(permission: .ask)).policy else {
      Issue.record("nobody is asked")
      return
    }
    #expect(service(Configuration(permission: .ask)).authorizationStatus == .notDetermined)
  }

  @Test("a permission file sets the status; one that others can read is rejected")
  func permissionFile() throws {
    let folder = try ScratchFolder()
    let path = folder.file("permission")
    let lines = Log()
    var configuration = log(lines)
    configuration.permission = .file(path)
    #expect(service(configuration).authorizationStatus == .notDetermined)
    try PermissionFile(path: path).write(PermissionRecord(.whenInUse))
    #expect(service(configuration).authorizationStatus == .authorizedWhenInUse)
    LocationService.drainLog()
    #expect(lines.lines == [])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(service(configuration).authorizationStatus == .denied)
    LocationService.drainLog()
    #expect(lines.lines.count == 1 && lines.lines.first?.contains(path) == true)
  }

  // MARK: Purposes

  private static let list = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleName</key><string>van</string>
    <key>NSLocationWhenInUseUsageDescription</key><string>to show you</string>
    <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>to look after you</string>
    <key>NSLocationTemporaryUsageDescriptionDictionary</key>
    <dict><key>trip</key><string>to show the way</string></dict>
    <key>NSLocationDefaultAccuracyReduced</key><true/>
    <key>NSLocationRequireExplicitServiceSession</key><true/>
    </dict></plist>
    """

  @Test("purposes of a property list equal those in code; the Info.plist comes after both")
  func propertyList() throws {
    let folder = try ScratchFolder()
    let path = folder.file("Info.plist")
    try Self.list.write(toFile: path, atomically: true, encoding: .utf8)
    let read = try Configuration.Purposes(propertyList: path)
    let written = Configuration.Purposes(
      whenInUse: "to show you", always: "to look after you",
      temporaryFullAccuracy: ["trip": "to show the way"], defaultsToReducedAccuracy: true,
      requiresExplicitSession: true)
    #expect(read == written)
    let bundled = ServiceSetup(shared: Configuration(), propertyList: path).purposes
    #expect(bundled == PurposeStrings(written))
    var configuration = Configuration()
    configuration.purposes = .init(whenInUse: "to try")
    #expect(
      ServiceSetup(shared: configuration, propertyList: path).purposes
        == PurposeStrings(whenInUse: "to try"))
  }

  @Test("an invalid property list is an error that names it")
  func badPropertyList() throws {
    let folder = try ScratchFolder()
    let path = folder.file("Info.plist")
    let missing = #expect(throws: LocationServiceError.self) {
      try Configuration.Purposes(propertyList: path)
    }
    #expect(missing?.description == "\(path): no such property list")
    try "no list".write(toFile: path, atomically: true, encoding: .utf8)
    let broken = #expect(throws: LocationServiceError.self) {
      try Configuration.Purposes(propertyList: path)
    }
    #expect(broken?.description == "\(path): not a property list; expected an Info.plist")
    // The one beside the program is told of, and there are no purposes.
    let lines = Log()
    #expect(ServiceSetup(shared: log(lines), propertyList: path).purposes == PurposeStrings())
    LocationService.drainLog()
    #expect(lines.lines == ["\(path): not a property list; expected an Info.plist"])
  }

  @Test("11.1 without a purpose there is no prompt, and the message names both ways to give one")
  func missingPurpose() {
    let lines = Log()
    for purposes in [Configuration.Purposes(), .init(whenInUse: "", always: "too")] {
      var configuration = log(lines)
      configuration.purposes = purposes
      let service = service(configuration)
      service.authorize { $0.requestWhenInUse() }
      #expect(service.authorizationStatus == .notDetermined)
    }
    LocationService.drainLog()
    #expect(lines.lines.count == 2)
    for line in lines.lines {
      #expect(line.contains("NSLocationWhenInUseUsageDescription"))
      #expect(line.contains("WAYMARK_PURPOSES") && line.contains("LocationService.Configuration"))
    }
  }

  // MARK: Source

  @Test(
    "a source in code equals the one in the environment",
    arguments: [
      ("gpsd://localhost:2947", .gpsd()), ("gpsd://van:3000", .gpsd(host: "van", port: 3000)),
      ("gpsd://[::1]:2947/dev/ttyUSB0", .gpsd(host: "::1", device: "/dev/ttyUSB0")),
      ("trip.gpx", .recording(path: "trip.gpx", time: .now)),
      ("trip.gpx?speed=10", .recording(path: "trip.gpx", speed: 10, time: .now)),
      (
        "trips.zip?device=van&time=recorded", .recording(path: "trips.zip", device: "van")
      ),
      ("trip.gpx?speed=max", .recording(path: "trip.gpx", speed: .infinity)), ("none", .none),
    ] as [(String, Configuration.Source)])
  func sources(text: String, source: LocationService.Configuration.Source) throws {
    let parsed = try SourceDescription(parsing: text)
    #expect(try SourceDescription(source) == parsed)
    #expect(Configuration.Source(parsed) == source)
  }

  @Test("a recording that code names is played")
  func recording() async {
    await Trip.withTrace(Trip.walk(from: 0, to: 50, start: 0)) { path in
      var configuration = Configuration(permission: .always)
      configuration.source = .recording(path: path, speed: .infinity)
      let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
      var places: [CLLocation] = []
      for await location in service.locations.prefix(37) { places.append(location) }
      #expect(places.last?.timestamp == Trip.start + 36)
    }
  }

  @Test("AT-45 the geocoder that code names is used")
  func geocoder() async throws {
    let place = GeocodedPlace(
      coordinate: Coordinate(latitude: 52.5, longitude: 13.4), name: "Fischerinsel")
    var configuration = Configuration()
    configuration.geocoder = StubGeocoder([.init(place)])
    let service = service(configuration)
    let geocoder = service.run { CLGeocoder() }
    let here = CLLocation(latitude: 52.5, longitude: 13.4)
    #expect(try await geocoder.reverseGeocodeLocation(here).first?.name == "Fischerinsel")
  }
}
