import Geocoding
import Geodesy
import Testing

@Suite("A chain of geocoders") struct GeocoderChainTests {
  private let here = gate.coordinate

  @Test("the first geocoder that answers is used") func first() async throws {
    let never = StubGeocoder([.init(tower, radius: 1_000_000)])
    let chain = GeocoderChain([
      FixedGeocoder(answer: .failure(.noResult)), FixedGeocoder(answer: .failure(.network("down"))),
      StubGeocoder([.init(gate)]), never,
    ])
    #expect(try await chain.reverse(here).map(\.name) == ["Brandenburger Tor"])
    #expect(never.requestCount == 0)
  }

  @Test("if no geocoder answers, the failure is that of the last one") func last() async {
    let (no, down) = (GeocoderError.noResult, GeocoderError.network("down"))
    for errors in [[no, down], [down, no]] {
      let chain = GeocoderChain(errors.map { FixedGeocoder(answer: .failure($0)) })
      await #expect(throws: errors[1]) { try await chain.reverse(here) }
    }
  }

  @Test(
    "other failures end it",
    arguments: [GeocoderError.cancelled, .partialResult, .invalidRequest("x")])
  func ended(error: GeocoderError) async throws {
    let next = StubGeocoder([.init(gate)])
    let chain = GeocoderChain([FixedGeocoder(answer: .failure(error), isAtOnce: true), next])
    await #expect(throws: error) { try await chain.reverse(here) }
    #expect(next.requestCount == 0)
    #expect(chain.answerAtOnce(to: try .reverse(here)) == .failure(error))
  }

  @Test("an empty chain reports that there is no geocoder") func none() async throws {
    await #expect(throws: GeocoderError.self) { try await GeocoderChain([]).reverse(here) }
  }

  @Test("an immediate lookup gives what the chain would answer") func atOnce() throws {
    let request = try GeocoderRequest.reverse(here)
    let found = FixedGeocoder(answer: .success([gate]), isAtOnce: true)
    let nothing = FixedGeocoder(answer: .failure(.noResult), isAtOnce: true)
    let slow = FixedGeocoder(answer: .success([tower]))
    #expect(GeocoderChain([found, slow]).answerAtOnce(to: request) == .success([gate]))
    #expect(GeocoderChain([nothing, found]).answerAtOnce(to: request) == .success([gate]))
    #expect(GeocoderChain([slow, found]).answerAtOnce(to: request) == nil)
    #expect(GeocoderChain([nothing, slow]).answerAtOnce(to: request) == nil)
    #expect(GeocoderChain([nothing, nothing]).answerAtOnce(to: request) == .failure(.noResult))
  }
}
