import Geocoding
import Geodesy
import Locking
import TestSupport
import Testing

@testable import CoreLocation

let stubGate = GeocodedPlace(
  coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), name: "Brandenburger Tor",
  locality: "Berlin", isoCountryCode: "DE", country: "Deutschland")
let stubGateLocation = CLLocation(latitude: 52.5163, longitude: 13.3777)

/// What a handler was given.
struct GeocoderAnswer: Sendable {
  var names: [String?]?
  var code: CLError.Code?
  var description: String?
}

/// Handlers that note what they are given, and stop a test that calls them off the main queue.
final class GeocoderAnswers: Sendable {
  private let noted = Mutex<[GeocoderAnswer]>([])

  var all: [GeocoderAnswer] { noted.withLock { $0 } }
  var codes: [CLError.Code?] { all.map(\.code) }

  /// Returns when everything that is on the main queue now has run.
  static func delivered() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  func handler(then next: @escaping () -> Void = {}) -> CLGeocodeCompletionHandler {
    { [self] placemarks, error in
      dispatchPrecondition(condition: .onQueue(.main))
      noted.withLock {
        $0.append(
          GeocoderAnswer(
            names: placemarks?.map(\.name), code: (error as? CLError)?.code,
            description: error?.localizedDescription))
      }
      next()
    }
  }
}

/// A clock that stands still.
private final class StoppedClock: Sendable {
  private let time = Mutex(Duration.seconds(1000))
  var now: Duration { time.withLock { $0 } }
  func advance(by step: Duration) { time.withLock { $0 += step } }
}

extension CLGeocoder {
  /// A geocoder that asks a stub, at a time that stands still.
  convenience init(asking stub: StubGeocoder, limit: Int? = nil) {
    self.init(
      GeocodingContext(stub, rateLimiter: GeocodingRateLimiter(limit: limit), now: { .zero }))
  }
}

@Suite("CLGeocoder", .timeLimit(.minutes(90))) struct GeocoderTests {
  @Test("11.4 a name needs no permission")
  func permission() async throws {
    var configuration = LocationService.Configuration(permission: .deny)
    configuration.geocoder = StubGeocoder([.init(stubGate)])
    let placemarks = try await LocationService.isolated(configuration) { _ in
      try await CLGeocoder().reverseGeocodeLocation(stubGateLocation)
    }
    #expect(placemarks.map(\.name) == ["Brandenburger Tor"])
  }

  @Test("13.1 a geocoder is geocoding from the call until the handler is called")
  func isGeocoding() async {
    let stub = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    let geocoder = CLGeocoder(asking: stub)
    #expect(!geocoder.isGeocoding)
    await withCheckedContinuation { continuation in
      geocoder.reverseGeocodeLocation(stubGateLocation) { _, _ in
        #expect(!geocoder.isGeocoding)
        continuation.resume()
      }
      #expect(geocoder.isGeocoding)
      Task {
        await stub.waitUntilPending()
        stub.release()
      }
    }
  }

  @Test("13.1 a second request is rejected, and the first continues") func busy() async {
    let stub = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    let (geocoder, answers) = (CLGeocoder(asking: stub), GeocoderAnswers())
    await withCheckedContinuation { continuation in
      geocoder.reverseGeocodeLocation(
        stubGateLocation, completionHandler: answers.handler { continuation.resume() })
      geocoder.geocodeAddressString("Berlin", completionHandler: answers.handler())
      Task {
        await stub.waitUntilPending()
        await GeocoderAnswers.delivered()
        #expect(answers.codes == [.geocodeCanceled])
        stub.release()
      }
    }
    #expect(answers.codes == [.geocodeCanceled, nil])
    #expect(answers.all[0].description?.contains("has a request in progress") == true)
    #expect(answers.all[1].names == ["Brandenburger Tor"])
    #expect(stub.requestCount == 1)
  }

  @Test("13.1 a handler may make another request, and another") func askInHandler() async {
    let (geocoder, answers) = (
      CLGeocoder(asking: StubGeocoder([.init(stubGate)])), GeocoderAnswers()
    )
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      func ask(_ left: Int) {
        geocoder.reverseGeocodeLocation(
          stubGateLocation,
          completionHandler: answers.handler {
            if left > 1 { ask(left - 1) } else { continuation.resume() }
          })
      }
      ask(20)
    }
    #expect(answers.codes == Array(repeating: nil, count: 20))
  }

  @Test("13.2 the 51st request in 60 s of all geocoders fails with network")
  func rateLimit() async throws {
    let time = StoppedClock()
    let stub = StubGeocoder([.init(stubGate)])
    let context = GeocodingContext(
      stub, rateLimiter: GeocodingRateLimiter(limit: 50), now: { time.now })
    let ask = { try await CLGeocoder(context).reverseGeocodeLocation(stubGateLocation).count }
    for _ in 0..<50 { #expect(try await ask() == 1) }
    time.advance(by: .milliseconds(59_500))
    let error = await #expect(throws: CLError.self) { try await ask() }
    #expect(error?.code == .network)
    let cause = try #require(error?.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(cause.domain == "GEOErrorDomain")
    #expect(cause.code == -3)
    #expect(cause.userInfo["maxRequests"] as? Int == 50)
    #expect(cause.userInfo["windowSize"] as? Int == 60)
    #expect(cause.userInfo["timeUntilReset"] as? Int == 1)
    #expect(stub.requestCount == 50)
    time.advance(by: .milliseconds(500))
    #expect(try await ask() == 1)
  }

  @Test("13.2 without a limit any number is answered") func noLimit() async throws {
    let geocoder = CLGeocoder(asking: StubGeocoder([.init(stubGate)]))
    for _ in 0..<200 {
      #expect(try await geocoder.reverseGeocodeLocation(stubGateLocation).count == 1)
    }
  }

  @Test("13.3 cancelGeocode calls the pending handler with geocodeCanceled, later and once")
  func cancelPending() async {
    let stub = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    let (geocoder, answers) = (CLGeocoder(asking: stub), GeocoderAnswers())
    geocoder.reverseGeocodeLocation(stubGateLocation, completionHandler: answers.handler())
    await stub.waitUntilPending()
    geocoder.cancelGeocode()
    #expect(!geocoder.isGeocoding)
    geocoder.cancelGeocode()
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled])
    stub.release()
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled])
    #expect(stub.pendingCount == 0)
  }

  @Test("13.3 without a request cancelGeocode does nothing") func cancelIdle() async throws {
    let geocoder = CLGeocoder(asking: StubGeocoder([.init(stubGate)]))
    geocoder.cancelGeocode()
    #expect(try await geocoder.reverseGeocodeLocation(stubGateLocation).count == 1)
    geocoder.cancelGeocode()
    #expect(!geocoder.isGeocoding)
  }

  @Test("13.3 after cancelGeocode another request may be made at once") func cancelAndAsk() async {
    let stub = StubGeocoder([
      .init(stubGate, names: ["held"], delay: .untilReleased), .init(stubGate),
    ])
    let (geocoder, answers) = (CLGeocoder(asking: stub), GeocoderAnswers())
    await withCheckedContinuation { continuation in
      geocoder.geocodeAddressString("held", completionHandler: answers.handler())
      geocoder.cancelGeocode()
      geocoder.geocodeAddressString(
        "Berlin", completionHandler: answers.handler { continuation.resume() })
    }
    #expect(answers.codes == [.geocodeCanceled, nil])
  }

  @Test("13.3 an answer that waits for the main queue can still be cancelled")
  @MainActor func cancelAnswered() async throws {
    let stub = StubGeocoder([.init(stubGate)])
    let (geocoder, answers) = (CLGeocoder(asking: stub), GeocoderAnswers())
    // Here on the main queue nothing is delivered until the first await.
    geocoder.reverseGeocodeLocation(stubGateLocation, completionHandler: answers.handler())
    try blockUntil("the request") { stub.requestCount > 0 }
    geocoder.cancelGeocode()
    #expect(answers.all.isEmpty)
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled])
  }

  @Test(
    "13.4 a provider's error is a CLError with its code",
    arguments: [
      (GeocoderError.noResult, CLError.Code.geocodeFoundNoResult),
      (.partialResult, .geocodeFoundPartialResult), (.cancelled, .geocodeCanceled),
      (.network("the cable is cut"), .network), (.invalidRequest("?"), .geocodeFoundNoResult),
    ])
  func errors(error: GeocoderError, code: CLError.Code) async {
    let area = Circle(center: stubGate.coordinate, radius: 10)
    let geocoder = CLGeocoder(asking: StubGeocoder([.init(error, in: area)]))
    let thrown = await #expect(throws: CLError.self) {
      _ = try await geocoder.reverseGeocodeLocation(stubGateLocation)
    }
    #expect(thrown?.code == code)
    #expect(thrown?.localizedDescription == error.description)
    #expect(!geocoder.isGeocoding)
  }

  @Test("13.4 the best placemark comes first, with all known values") func placemarks()
    async throws
  {
    var place = stubGate
    place.horizontalAccuracy = 70
    place.thoroughfare = "Pariser Platz"
    place.timeZoneIdentifier = "Europe/Berlin"
    let other = GeocodedPlace(
      coordinate: Coordinate(latitude: 52.52, longitude: 13.3777), name: "Reichstag")
    let stub = StubGeocoder([.init(other, radius: 1000), .init(place)])
    let asked = CLLocation(
      coordinate: stubGateLocation.coordinate, altitude: 0, horizontalAccuracy: 5,
      verticalAccuracy: -1,
      timestamp: Date(timeIntervalSinceReferenceDate: 1234))
    let found = try await CLGeocoder(asking: stub).reverseGeocodeLocation(asked)
    #expect(found.map(\.name) == ["Brandenburger Tor", "Reichstag"])
    #expect(found[0].locality == "Berlin")
    #expect(found[0].thoroughfare == "Pariser Platz")
    #expect(found[0].isoCountryCode == "DE")
    #expect(found[0].timeZone?.identifier == "Europe/Berlin")
    #expect(found[0].location?.horizontalAccuracy == 70)
    #expect(found[0].location?.timestamp == asked.timestamp)
    let region = try #require(found[0].region as? CLCircularRegion)
    #expect(region.radius == 70)
    #expect(region.identifier == "<+52.51630000,+13.37770000> radius 70.00")
    #expect(found[1].region == nil)
    #expect(found[1].location?.horizontalAccuracy == 100)
  }

  @Test("13.4 invalid coordinates and texts give no result, with the reason")
  @MainActor func badRequests() async {
    let (geocoder, answers) = (
      CLGeocoder(asking: StubGeocoder([.init(stubGate)])), GeocoderAnswers()
    )
    let nowhere = CLLocation(latitude: 91, longitude: 0)
    geocoder.reverseGeocodeLocation(nowhere, completionHandler: answers.handler())
    #expect(!geocoder.isGeocoding)
    geocoder.geocodeAddressString(" ", completionHandler: answers.handler())
    geocoder.geocodeAddressString(
      "Berlin", inRegionCenteredAt: kCLLocationCoordinate2DInvalid, inRegionRadius: 5,
      preferredLocale: nil, completionHandler: answers.handler())
    #expect(answers.all.isEmpty)
    await GeocoderAnswers.delivered()
    #expect(answers.codes == Array(repeating: .geocodeFoundNoResult, count: 3))
    #expect(answers.all.allSatisfy { $0.description?.contains("expected") == true })
  }

  @Test("13.5 without a provider every request fails with network, and does not hang")
  func noProvider() async {
    let geocoder = CLGeocoder(GeocodingContext(NoGeocoder()))
    let error = await #expect(throws: CLError.self) {
      _ = try await geocoder.reverseGeocodeLocation(stubGateLocation)
    }
    #expect(error?.code == .network)
    #expect(error?.localizedDescription.contains("no geocoder is configured") == true)
  }
}
