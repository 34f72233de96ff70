import CoreLocation
import Round
import Testing

@Suite("A round")
struct RoundTests {
  private let places = [
    CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 47.9886, longitude: 7.8412), radius: 80,
      identifier: "home"),
    CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 47.991388, longitude: 7.846827), radius: 60,
      identifier: "bakery"),
  ]
  /// A walk to the bakery and home, from Waymark's folder of recordings.
  private let trace = URL(filePath: #filePath).appending(
    path: "../../../../../traces/out-and-back/track.gpx"
  ).standardized.path

  @Test("a walk to the bakery and home comes to each once, and ends at home")
  func walk() throws {
    // The test has its own service: no receiver, no files, and all events arrive on this thread.
    try LocationService.isolated { service in
      let round = Round(places)
      try service.replay(trace)
      #expect(round.entries == ["home": 1, "bakery": 1])
      #expect(round.present == ["home"])
      #expect(round.problem == nil)
    }
  }

  @Test("a user who takes the permission away is not followed any more")
  func refused() throws {
    try LocationService.isolated { service in
      let round = Round(places)
      service.authorizationStatus = .denied
      try service.replay(trace)
      #expect(round.entries == [:])
    }
  }

  @Test("a place is entered between two fixes made by hand")
  func byHand() {
    LocationService.isolated { service in
      let round = Round(places)
      let latitudes = [47.9950, 47.9948, 47.9930, 47.9914, 47.9914, 47.9914]
      for (second, latitude) in latitudes.enumerated() {
        service.deliver([
          CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: 7.846827),
            altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1,
            timestamp: Date(timeIntervalSince1970: 1_790_000_000 + 30 * Double(second)))
        ])
      }
      #expect(round.entries == ["bakery": 1])
    }
  }
}
