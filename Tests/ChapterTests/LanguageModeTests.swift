import CoreLocation
import Geocoding
import Geodesy
import Testing

@testable import ChapterSwift5
@testable import ChapterSwift6

extension ChapterSwift5.LocationHelper: Chapter {}
extension ChapterSwift6.LocationHelper: Chapter {}

@Suite("The chapter: language modes", .timeLimit(.minutes(90)))
struct LanguageModeTests {
  /// Everything that the helper can do, once.
  private func story(_ make: () -> some Chapter) async throws -> [String] {
    var configuration = LocationService.Configuration(permission: .allow)
    let spot = Coordinate(latitude: 52.5, longitude: 13.4)
    configuration.geocoder = StubGeocoder([.init(GeocodedPlace(coordinate: spot, name: "Mitte"))])
    return try await LocationService.isolated(configuration) { service in
      let helper = make()
      var lines: [String] = []
      helper.askPermission { lines.append("\($0)") }
      service.settle()
      helper.getLatestLocation { lines.append("at \($0.coordinate.latitude)") }
      try Recording.one.play(service)
      let location = try #require(helper.trackedLocations.last)
      lines.append(
        await withCheckedContinuation { continuation in
          helper.getLocationName(for: location) { continuation.resume(returning: $0) }
        })
      helper.setGeofence(
        at: location.coordinate, { lines.append("exit") }, { lines.append("enter") })
      try Recording.walk30.play(service)
      #expect(!helper.isTrackingSignificantLocationChanges)
      helper.monitorSignificantChanges { _ in lines.append("change") }
      #expect(helper.isTrackingSignificantLocationChanges)
      service.settle()
      return lines
    }
  }

  @Test("AT-43 the helper is built, and does the same, in Swift 5 and in Swift 6 mode")
  func modes() async throws {
    let expected = [
      "authorizedAlways", "at 52.5", "Mitte", "exit", "enter", "exit", "enter", "change",
    ]
    #expect(try await story { ChapterSwift5.LocationHelper() } == expected)
    #expect(try await story { ChapterSwift6.LocationHelper() } == expected)
  }
}
