import Geocoding
import Locking
import Services
import Testing

@testable import CoreLocation

@Suite("Settings from the environment")
struct ServiceEnvironmentTests {
  private func read(_ environment: [String: String]) -> (LocationService.Configuration, [String]) {
    let lines = Box()
    let configuration = LocationService.Configuration.of(
      environment: environment, log: { lines.add($0) })
    return (configuration, lines.all)
  }

  private final class Box: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// What holds when a program starts under the permission.
  private func status(_ configuration: LocationService.Configuration) -> CLAuthorizationStatus {
    var configuration = configuration
    configuration.source = .none
    return LocationService(ServiceSetup(shared: configuration), isIsolated: false)
      .authorizationStatus
  }

  @Test("nothing: gpsd on this machine, precise, and every request is granted")
  func nothing() {
    let (configuration, lines) = read(["PATH": "/bin", "WAYMARK_PROFILE": ""])
    #expect(configuration.source == .gpsd(host: "localhost", port: 2947))
    #expect(configuration.profile == .precise)
    #expect(configuration.stateFolder == nil)
    #expect(configuration.permission == .allow && configuration.purposes == nil)
    #expect(status(configuration) == .notDetermined)
    #expect(lines == [])
  }

  @Test("the guide names every variable, and no other")
  func guide() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let text = try String(contentsOf: root.appending(path: "Docs/CoreLocation.md"), encoding: .utf8)
    let named = Set(text.matches(of: /WAYMARK_[A-Z]+/).map { String($0.output) })
    #expect(named == Set(LocationService.Configuration.Variable.allCases.map(\.rawValue)))
  }

  @Test("valid values")
  func values() {
    let (configuration, lines) = read([
      "WAYMARK_SOURCE": "trip.gpx?speed=max", "WAYMARK_PROFILE": "apple",
      "WAYMARK_PERMISSION": "whenInUse", "WAYMARK_STATE": "/some/where",
      "STATE_DIRECTORY": "/a:/b",
    ])
    #expect(configuration.source == .recording(path: "trip.gpx", speed: .infinity))
    #expect(configuration.profile == .apple)
    #expect(configuration.stateFolder == "/some/where")
    #expect(configuration.permission == .whenInUse)
    #expect(lines == [])
    #expect(read(["STATE_DIRECTORY": "/a:/b"]).0.stateFolder == "/a")
  }

  @Test("the geocoder is the gazetteer, that of a file, or none; none for a wrong value")
  func geocoders() {
    #expect(read([:]).0.geocoder is Gazetteer)
    #expect(read(["WAYMARK_GEOCODER": "gazetteer"]).0.geocoder is Gazetteer)
    let (none, silence) = read(["WAYMARK_GEOCODER": "none"])
    #expect(none.geocoder is NoGeocoder && silence == [])
    let (wrong, lines) = read(["WAYMARK_GEOCODER": "osm"])
    #expect(wrong.geocoder is NoGeocoder)
    #expect(
      lines == [
        "WAYMARK_GEOCODER: found 'osm', expected gazetteer, none or the path of a gazetteer, with a "
          + "slash in it; geocoding is unavailable"
      ])
    let (gone, why) = read(["WAYMARK_GEOCODER": "/no/file.wmg"])
    #expect(gone.geocoder is NoGeocoder)
    #expect(
      why == ["WAYMARK_GEOCODER: /no/file.wmg: there is no such file; geocoding is unavailable"])
  }

  @Test("a launch is recognised by its variable")
  func launched() {
    typealias Configuration = LocationService.Configuration
    #expect(Configuration.isLaunch(["WAYMARK_LAUNCHED": "location"]))
    #expect(!Configuration.isLaunch(["WAYMARK_LAUNCHED": ""]) && !Configuration.isLaunch([:]))
  }

  @Test(
    "permissions",
    arguments: [
      ("allow", CLAuthorizationStatus.notDetermined), ("deny", .denied),
      ("restrict", .restricted), ("always", .authorizedAlways),
      ("whenInUse", .authorizedWhenInUse), ("ask", .notDetermined),
      ("/no/such/file", .notDetermined), ("yes", .denied), ("Always", .denied),
    ])
  func permissions(text: String, expected: CLAuthorizationStatus) {
    #expect(status(read(["WAYMARK_PERMISSION": text]).0) == expected)
  }

  @Test(
    "an invalid value is one line that names the variable, and the safe choice",
    arguments: [
      ("WAYMARK_SOURCE", "gpsd:/here"), ("WAYMARK_SOURCE", "http://host"),
      ("WAYMARK_SOURCE", "trip.gpx?speed=0"), ("WAYMARK_PROFILE", "android"),
      ("WAYMARK_PERMISSION", "yes"), ("WAYMARK_PURPOSES", "/no/such/Info.plist"),
      ("WAYMARK_SOURSE", "none"),
    ])
  func wrong(name: String, value: String) throws {
    let (configuration, lines) = read([name: value])
    #expect(lines.count == 1)
    #expect(try #require(lines.first).contains(name))
    if name == "WAYMARK_SOURCE" { #expect(configuration.source == .none) }
  }
}
