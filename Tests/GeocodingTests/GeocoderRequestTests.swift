import Geocoding
import Geodesy
import Testing

@Suite("Requests for a geocoder") struct GeocoderRequestTests {
  @Test(
    "an invalid coordinate is rejected",
    arguments: [(91.0, 0.0), (0, 180.1), (.nan, 0), (0, .infinity), (-90.001, 0)])
  func badCoordinate(latitude: Double, longitude: Double) {
    let error = #expect(throws: GeocoderError.self) {
      try GeocoderRequest.reverse(Coordinate(latitude: latitude, longitude: longitude))
    }
    #expect("\(String(describing: error))".contains("expected -90 to 90"))
  }

  @Test("the poles and the antimeridian are places") func edges() throws {
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180)] {
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      #expect(try GeocoderRequest.reverse(coordinate).subject == .coordinate(coordinate))
    }
  }

  @Test("white space between words is one space") func whiteSpace() throws {
    let request = try GeocoderRequest.forward("  Unter den\nLinden\t 1 ", language: "de")
    #expect(request.subject == .text("Unter den Linden 1", near: nil))
    #expect(request.language == "de")
  }

  @Test("a text without words is refused", arguments: ["", "  \n\t"]) func empty(text: String) {
    #expect(throws: GeocoderError.self) { try GeocoderRequest.forward(text) }
  }

  @Test("a text is at most 1,024 bytes long") func limit() throws {
    let longest = String(repeating: "ü", count: GeocoderRequest.textLimit / 2)
    #expect(try GeocoderRequest.forward(longest).subject == .text(longest, near: nil))
    #expect(
      throws: GeocoderError.invalidRequest("the address is 1025 bytes long; expected at most 1024")
    ) { try GeocoderRequest.forward(longest + "x") }
  }

  @Test("a preferred area has a centre and a size") func near() throws {
    let good = Circle(center: gate.coordinate, radius: 1)
    #expect(try GeocoderRequest.forward("a", near: good).subject == .text("a", near: good))
    for bad in [
      Circle(center: gate.coordinate, radius: 0), Circle(center: gate.coordinate, radius: .nan),
      Circle(center: Coordinate(latitude: 99, longitude: 0), radius: 10),
    ] {
      #expect(throws: GeocoderError.self) { try GeocoderRequest.forward("a", near: bad) }
    }
  }
}

@Suite("A window of requests") struct RequestWindowTests {
  @Test("the limit holds in every span") func sliding() {
    var window = RequestWindow(limit: 3, span: .seconds(60))
    #expect(window.wait(at: .zero) == .zero)
    let first = [0, 10, 59, 59].map { window.admit(at: .seconds($0)) }
    #expect(first == [true, true, true, false])
    #expect(window.wait(at: .seconds(59)) == .seconds(1))
    // At 60 s the first one is a whole span old.
    let later = [60, 69, 70].map { window.admit(at: .seconds($0)) }
    #expect(later == [true, false, true])
  }

  @Test("a refused request does not count") func refused() {
    var window = RequestWindow(limit: 1, span: .seconds(60))
    let admitted = (0...120).filter { window.admit(at: .seconds($0)) }
    #expect(admitted == [0, 60, 120])
  }
}

@Suite("No geocoder") struct NoGeocoderTests {
  @Test("every request fails without a geocoder") func network() async throws {
    let error = await #expect(throws: GeocoderError.self) {
      try await NoGeocoder().forward("Berlin")
    }
    #expect(
      error
        == .network("no geocoder is configured; give the location service one for place names"))
  }
}
