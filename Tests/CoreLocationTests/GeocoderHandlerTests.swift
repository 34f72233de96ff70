import Geocoding
import Geodesy
import Locking
import TestSupport
import Testing

@testable import CoreLocation

@Suite("Handlers of CLGeocoder", .timeLimit(.minutes(90))) struct GeocoderHandlerTests {
  @Test("1.3 the handler is called on the main queue, after the call has returned")
  @MainActor func asynchronous() async {
    let (geocoder, answers) = (
      CLGeocoder(asking: StubGeocoder([.init(stubGate)])), GeocoderAnswers()
    )
    await withCheckedContinuation { continuation in
      geocoder.reverseGeocodeLocation(
        stubGateLocation, completionHandler: answers.handler { continuation.resume() })
      geocoder.cancelGeocode()
      geocoder.geocodeAddressString("", completionHandler: answers.handler())
      #expect(answers.all.isEmpty)
    }
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled, .geocodeFoundNoResult])
  }

  @Test("AT-20 1,000 requests from several tasks on one geocoder are answered once each")
  func shared() async {
    let stub = StubGeocoder([.init(stubGate)])
    let answers = GeocoderAnswers()
    // Safe: a CLGeocoder guards its state.
    nonisolated(unsafe) let geocoder = CLGeocoder(asking: stub)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<125 {
            await withCheckedContinuation { continuation in
              geocoder.reverseGeocodeLocation(
                stubGateLocation, completionHandler: answers.handler { continuation.resume() })
              if (number + task).isMultiple(of: 5) { geocoder.cancelGeocode() }
            }
          }
        }
      }
    }
    let codes = answers.codes
    #expect(codes.count == 1000)
    #expect(codes.allSatisfy { $0 == nil || $0 == .geocodeCanceled })
    #expect(!geocoder.isGeocoding)
  }

  @Test("AT-20 1,000 geocoders answer at once, each once")
  func many() async throws {
    let stub = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    let (context, answers) = (GeocodingContext(stub), GeocoderAnswers())
    for _ in 0..<1000 {
      CLGeocoder(context).reverseGeocodeLocation(
        stubGateLocation, completionHandler: answers.handler())
    }
    await stub.waitUntilPending(1000)
    #expect(answers.all.isEmpty)
    stub.release()
    try await eventually("1,000 answers") { answers.all.count == 1000 }
    await GeocoderAnswers.delivered()
    #expect(answers.codes == Array(repeating: nil, count: 1000))
  }

  @Test("AT-20 a geocoder that is released during a request calls its handler") func letGo() async {
    let stub = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    let answers = GeocoderAnswers()
    weak var gone: CLGeocoder?
    await withCheckedContinuation { continuation in
      do {
        let geocoder = CLGeocoder(asking: stub)
        gone = geocoder
        geocoder.reverseGeocodeLocation(
          stubGateLocation, completionHandler: answers.handler { continuation.resume() })
      }
      #expect(gone == nil)
      Task {
        await stub.waitUntilPending()
        stub.release()
      }
    }
    #expect(answers.codes == [nil])
  }

  @Test("AT-20 a handler is released after its call, whatever the answer is")
  func handlersAreFreed() async {
    final class Token: Sendable {}
    let area = Circle(center: stubGate.coordinate, radius: 10)
    let held = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    let cases = [
      CLGeocoder(asking: StubGeocoder([.init(stubGate)])),
      CLGeocoder(asking: StubGeocoder([.init(.noResult, in: area)])),
      CLGeocoder(asking: StubGeocoder([.init(stubGate)]), limit: 0), CLGeocoder(asking: held),
    ]
    for (number, geocoder) in cases.enumerated() {
      weak var freed: Token?
      await withCheckedContinuation { continuation in
        let token = Token()
        freed = token
        geocoder.reverseGeocodeLocation(stubGateLocation) { _, _ in
          withExtendedLifetime(token) { continuation.resume() }
        }
        if number == 3 { geocoder.cancelGeocode() }
      }
      await GeocoderAnswers.delivered()
      #expect(freed == nil)
    }
  }

  @Test("an empty list of a provider is no result") func emptyList() async {
    struct Empty: Geocoder {
      func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
        []
      }
    }
    let error = await #expect(throws: CLError.self) {
      _ = try await CLGeocoder(GeocodingContext(Empty())).geocodeAddressString("Berlin")
    }
    #expect(error?.code == .geocodeFoundNoResult)
  }

  @Test("a provider that ignores its cancellation does not delay the handler")
  func deafProvider() async throws {
    let stub = StubGeocoder([.init(stubGate, delay: .untilReleased)])
    struct Deaf: Geocoder {
      let stub: StubGeocoder
      func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
        try await Task { [stub] () throws(GeocoderError) in try await stub.places(for: request) }
          .result.mapError { $0 as? GeocoderError ?? .cancelled }.get()
      }
    }
    let (geocoder, answers) = (
      CLGeocoder(GeocodingContext(Deaf(stub: stub))), GeocoderAnswers()
    )
    geocoder.reverseGeocodeLocation(stubGateLocation, completionHandler: answers.handler())
    await stub.waitUntilPending()
    geocoder.cancelGeocode()
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled])
    // Its late answer goes nowhere, also while the next request is under way.
    geocoder.reverseGeocodeLocation(stubGateLocation, completionHandler: answers.handler())
    await stub.waitUntilPending(2)
    stub.release(1)
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled])
    #expect(geocoder.isGeocoding)
    stub.release()
    try await eventually("the end of the request") { !geocoder.isGeocoding }
    // It ended, and its answer is on the way.
    await GeocoderAnswers.delivered()
    #expect(answers.codes == [.geocodeCanceled, nil])
  }
}
