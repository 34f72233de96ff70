import CoreLocation
import Geocoding
import Geodesy
import Synchronization
import Testing

@testable import ChapterSwift6

@Suite("The chapter: names of places", .timeLimit(.minutes(90)))
struct PlaceNameTests {
  private static let spot = Coordinate(latitude: 52.5, longitude: 13.4)
  private static let here = CLLocation(latitude: 52.5, longitude: 13.4)

  private func service(_ geocoder: any Geocoder) -> LocationService.Configuration {
    var configuration = LocationService.Configuration()
    configuration.geocoder = geocoder
    return configuration
  }

  /// What the helper calls the place.
  private func name(_ geocoder: any Geocoder) async -> String {
    await LocationService.isolated(service(geocoder)) { _ in
      let helper = Helper()
      return await withCheckedContinuation { continuation in
        helper.getLocationName(for: Self.here) { continuation.resume(returning: $0) }
      }
    }
  }

  @Test("AT-16 a place is reported by its name")
  func hit() async {
    let place = GeocodedPlace(coordinate: Self.spot, name: "Fischerinsel")
    #expect(await name(StubGeocoder([.init(place)])) == "Fischerinsel")
  }

  @Test("AT-17 an error is reported by its description")
  func error() async {
    let area = Circle(center: Self.spot, radius: 100)
    let name = await name(StubGeocoder([.init(.network("no server"), in: area)]))
    #expect(name.hasPrefix("An error ocurred: "))
    #expect(name.count > "An error ocurred: ".count)
    let nothing = await self.name(StubGeocoder([]))
    #expect(nothing.hasPrefix("An error ocurred: "))
  }

  @Test("AT-18 a place without a name is an unknown one")
  func nameless() async {
    let place = GeocodedPlace(coordinate: Self.spot)
    #expect(await name(StubGeocoder([.init(place)])) == "Unkown location")
  }

  @Test("AT-19 offline: an error and no wait, and tracking continues meanwhile")
  func offline() async throws {
    #expect(await name(NoGeocoder()).hasPrefix("An error ocurred: "))
    let place = GeocodedPlace(coordinate: Self.spot, name: "Fischerinsel")
    let slow = StubGeocoder([.init(place, delay: .untilReleased)])
    try await LocationService.isolated(service(slow)) { service in
      let (helper, diary) = (Helper(), Diary())
      diary.manager.startUpdatingLocation()
      let names = Mutex<[String]>([])
      helper.getLocationName(for: Self.here) { name in names.withLock { $0.append(name) } }
      await slow.waitUntilPending()
      try Recording.walk30.play(service)
      #expect(diary.locations.count == Recording.walk30.points.count)
      #expect(names.withLock { $0 } == [])
      slow.release()
    }
  }

  @Test("AT-20 the completion runs once, whatever comes of it")
  func once() async {
    let place = GeocodedPlace(coordinate: Self.spot, name: "Fischerinsel")
    let area = Circle(center: Self.spot, radius: 100)
    let geocoders: [any Geocoder] = [
      StubGeocoder([.init(place)]), StubGeocoder([]), NoGeocoder(),
      StubGeocoder([.init(.network("no server"), in: area)]),
      StubGeocoder([.init(GeocodedPlace(coordinate: Self.spot))]),
    ]
    for geocoder in geocoders {
      let calls = Mutex(0)
      await LocationService.isolated(service(geocoder)) { _ in
        let helper = Helper()
        await withCheckedContinuation { continuation in
          helper.getLocationName(for: Self.here) { _ in
            // A second call would be a second resume, which traps.
            calls.withLock { $0 += 1 }
            continuation.resume()
          }
        }
        // What is on the main queue by now has run.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
      }
      #expect(calls.withLock { $0 } == 1)
    }
  }
}
