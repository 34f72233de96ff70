import Geodesy
import TestSupport
import Testing

@testable import Geocoding

@Suite("Names of stays", .timeLimit(.minutes(90))) struct StayNamerTests {
  private let first = StayNamer.Stay(device: "van", arrival: 1)
  private let second = StayNamer.Stay(device: "van", arrival: 2)
  private let entry = StubGeocoder.Entry(gate, delay: .untilReleased)

  @Test("an immediate name is given immediately, and none where none is known")
  func atOnce() {
    let namer = StayNamer(Gazetteer(), waits: false)
    #expect(namer.name(of: first, at: gate.coordinate) == "Berlin, Germany")
    let stub = StayNamer(StubGeocoder([]), waits: false)
    #expect(stub.name(of: first, at: gate.coordinate) == nil)
    let nowhere = Coordinate(latitude: .nan, longitude: 0)
    #expect(namer.name(of: first, at: nowhere) == nil)
  }

  @Test("a live event does not wait for a name, and each stay is looked up once")
  func live() async throws {
    let stub = StubGeocoder([entry])
    let namer = StayNamer(stub, waits: false)
    #expect(namer.name(of: first, at: gate.coordinate) == nil)
    await stub.waitUntilPending()
    #expect(namer.name(of: first, at: gate.coordinate) == nil)
    #expect(stub.requestCount == 1)
    stub.release()
    var name: String?
    try await eventually("the name") {
      name = namer.name(of: first, at: gate.coordinate)
      return name != nil
    }
    #expect(name == "Brandenburger Tor, Berlin, Deutschland")
    #expect(stub.requestCount == 1)
    #expect(namer.name(of: second, at: gate.coordinate) == nil)
    await stub.waitUntilPending()
    #expect(stub.requestCount == 2)
    stub.release()
  }

  @Test("a table that answers without a hold answers at once")
  func table() {
    let namer = StayNamer(StubGeocoder([.init(gate)]), waits: false)
    #expect(namer.name(of: first, at: gate.coordinate) == "Brandenburger Tor, Berlin, Deutschland")
  }
}

@Suite("Labels of places") struct LabelTests {
  @Test("name, town and country, each once")
  func label() {
    var place = GeocodedPlace(coordinate: gate.coordinate)
    #expect(place.label == nil)
    (place.thoroughfare, place.subThoroughfare) = ("High Street", "12")
    #expect(place.label == "High Street 12")
    (place.name, place.locality, place.country) = ("Monaco", "Monaco", "Monaco")
    #expect(place.label == "Monaco")
  }
}
