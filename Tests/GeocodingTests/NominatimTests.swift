import Foundation
import Geocoding
import Geodesy
import HTTP
import System
import Testing

/// The parameters and addresses of what is asked, and what is made of answers.
@Suite("A server of Nominatim") struct NominatimTests {
  static let gateAnswer = """
    {"place_id":1,"licence":"ODbL","osm_type":"way","lat":"52.5162699","lon":"13.3777034",\
    "category":"tourism","type":"attraction","importance":0.6,"name":"Brandenburger Tor",\
    "display_name":"…","address":{"tourism":"Brandenburger Tor","road":"Pariser Platz",\
    "house_number":"1","suburb":"Mitte","city":"Berlin","ISO3166-2-lvl4":"DE-BE",\
    "postcode":"10117","country":"Deutschland","country_code":"de"},\
    "boundingbox":["52.5161","52.5164","13.3775","13.3779"]}
    """

  private func geocoder(
    _ server: FakeTransport, url: String = "https://nominatim.example/", language: String? = nil,
    interval: Duration = .seconds(1), rounding: Double? = nil, contact: String = "me@example.org"
  ) throws -> NominatimGeocoder {
    let configuration = try NominatimGeocoder.Configuration(
      server: url, contact: contact, language: language, interval: interval, rounding: rounding)
    return NominatimGeocoder(configuration, transport: server, clock: server.clock)
  }

  @Test("a coordinate is requested with all parameters, and every name is read") func reverse()
    async throws
  {
    let server = FakeTransport(Self.gateAnswer)
    let asked = Coordinate(latitude: 52.5163, longitude: 13.3777)
    let places = try await geocoder(server).reverse(asked, language: "de")
    let question = try #require(server.requests.first)
    #expect(question.url.absoluteString.hasPrefix("https://nominatim.example/reverse?"))
    #expect(
      question.items == [
        "lat": "52.5163000", "lon": "13.3777000", "zoom": "18", "format": "jsonv2",
        "addressdetails": "1", "accept-language": "de", "email": "me@example.org",
      ])
    #expect(
      question.headers == [
        "User-Agent": "waymark/\(Release.version) (me@example.org)", "Accept": "application/json",
        "Accept-Language": "de",
      ])
    let place = try #require(places.first)
    #expect(places.count == 1)
    #expect(place.name == "Brandenburger Tor")
    #expect(place.thoroughfare == "Pariser Platz")
    #expect(place.subThoroughfare == "1")
    #expect(place.locality == "Berlin")
    #expect(place.subLocality == "Mitte")
    #expect(place.administrativeArea == nil)
    #expect(place.postalCode == "10117")
    #expect(place.country == "Deutschland")
    #expect(place.isoCountryCode == "DE")
    #expect(place.areasOfInterest == ["Brandenburger Tor"])
    #expect(place.distance == place.coordinate.distance(to: asked))
    let corners = Coordinate(latitude: 52.5161, longitude: 13.3775)
      .distance(to: Coordinate(latitude: 52.5164, longitude: 13.3779))
    #expect(place.horizontalAccuracy == corners / 2)
  }

  @Test("a name is never more certain than the distance to it") func accuracy()
    async throws
  {
    let asked = Coordinate(latitude: 52.53, longitude: 13.3777)
    let place = try await geocoder(FakeTransport(Self.gateAnswer)).reverse(asked)[0]
    #expect(place.horizontalAccuracy == place.distance)
    #expect(try #require(place.distance).rounded() == 1528)
  }

  @Test("a text is sent unchanged, and nearby places come first") func forward() async throws {
    let server = FakeTransport(
      """
      [{"lat":"48.85","lon":"2.35","name":"far"},{"lat":"52.52","lon":"13.40","name":"near"}]
      """)
    let near = Circle(center: Coordinate(latitude: 52.5, longitude: 13.4), radius: 5_000)
    let places = try await geocoder(server, contact: "https://example.org/me")
      .forward("a+b & c/d=é?", near: near)
    #expect(places.map(\.name) == ["near", "far"])
    #expect(places.allSatisfy { $0.distance == nil && $0.horizontalAccuracy == nil })
    let question = try #require(server.requests.first)
    #expect(question.url.absoluteString.contains("q=a%2Bb%20%26%20c%2Fd%3D%C3%A9%3F&"))
    #expect(question.items["limit"] == "10")
    #expect(question.items["email"] == nil)
    #expect(question.items["accept-language"] == nil)
    #expect(question.headers["Accept-Language"] == "*")
    let box = try #require(question.items["viewbox"]).split(separator: ",").compactMap {
      Double($0)
    }
    try #require(box.count == 4)
    #expect(box[0] < 13.34 && box[2] > 13.46 && box[1] < 52.46 && box[3] > 52.54)
  }

  @Test("the request's language takes precedence over the server's settings") func language()
    async throws
  {
    let server = FakeTransport(Self.gateAnswer)
    let geocoder = try geocoder(server, language: "fr")
    let place = Coordinate(latitude: 1, longitude: 2)
    _ = try await geocoder.reverse(place)
    _ = try await geocoder.reverse(place, language: "a\r\nX: y")
    #expect(server.requests.map(\.items["accept-language"]) == ["fr", "a\r\nX: y"])
    #expect(server.requests.map(\.headers["Accept-Language"]) == ["fr", "a%0D%0AX%3A%20y"])
  }

  @Test("an area over the antimeridian is cut there", arguments: [179.99, -179.99])
  func antimeridian(longitude: Double) async throws {
    let server = FakeTransport(#"[{"lat":"0","lon":"0"}]"#)
    let near = Circle(center: Coordinate(latitude: 0, longitude: longitude), radius: 5_000)
    _ = try await geocoder(server).forward("x", near: near)
    let box = try #require(server.requests[0].items["viewbox"]).split(separator: ",")
      .compactMap { Double($0) }
    #expect(longitude > 0 ? box[2] == 180 && box[0] > 179 : box[0] == -180 && box[2] < -179)
  }

  @Test("an area without an end is the world") func world() async throws {
    let server = FakeTransport(#"[{"lat":"0","lon":"0"}]"#)
    let near = Circle(center: gate.coordinate, radius: .infinity)
    _ = try await geocoder(server).forward("x", near: near)
    let box = server.requests[0].items["viewbox"]
    #expect(box == "-180.0000000,-90.0000000,180.0000000,90.0000000")
  }

  @Test("a rounded coordinate is the centre of a cell, and requests no finer detail")
  func rounding()
    async throws
  {
    let server = FakeTransport(Self.gateAnswer)
    let geocoder = try geocoder(server, rounding: 500)
    let asked = Coordinate(latitude: 52.5163, longitude: 13.3777)
    let place = try await geocoder.reverse(asked)[0]
    _ = try await geocoder.reverse(Coordinate(latitude: 52.51631, longitude: 13.37771))
    let (first, second) = (server.requests[0].items, server.requests[1].items)
    #expect(first == second)
    #expect(first["zoom"] == "14")
    let sent = Coordinate(
      latitude: try #require(first["lat"].flatMap(Double.init)),
      longitude: try #require(first["lon"].flatMap(Double.init)))
    #expect(sent != asked)
    #expect(sent.distance(to: asked) < 360)
    #expect(place.distance == place.coordinate.distance(to: asked))
  }

  @Test("the address of the server may have a path and a key, and a slash at its end or none")
  func paths() async throws {
    let server = FakeTransport(Self.gateAnswer)
    for url in ["http://a.example:8080/osm//?key=1%2B2", "http://a.example:8080/osm?key=1%2B2"] {
      let geocoder = try geocoder(server, url: url)
      _ = try await geocoder.reverse(Coordinate(latitude: 1, longitude: 2))
      let asked = try #require(server.requests.last?.url.absoluteString)
      #expect(asked.hasPrefix("http://a.example:8080/osm/reverse?key=1%2B2&lat=1.0000000&lon="))
      #expect(
        geocoder.warning == "place names come from http://a.example:8080/osm/, not encrypted: "
          + "coordinates of stays leave this machine")
    }
  }

  @Test("the source of a cache names all that answers depend on, and no secret") func source()
    throws
  {
    let server = FakeTransport("{}")
    let sources = [
      try geocoder(server, url: "https://a.example/?key=1").configuration.source,
      try geocoder(server, url: "https://a.example", language: "de").configuration.source,
      try geocoder(server, url: "https://a.example", rounding: 100).configuration.source,
      try geocoder(server, url: "https://a.example/x").configuration.source,
    ]
    #expect(
      sources == [
        "https://a.example/ - -", "https://a.example/ de -", "https://a.example/ - 100",
        "https://a.example/x/ - -",
      ])
  }

  @Test("the warning names where coordinates are sent, and how precise they are") func warning()
    throws
  {
    #expect(
      try geocoder(FakeTransport("{}"), rounding: 100).warning
        == "place names come from https://nominatim.example/: coordinates of stays leave this "
        + "machine, rounded to 100 m")
    let server = FakeTransport("{}")
    server.setProxy("http://me:secret@proxy.example:3128")
    #expect(
      try geocoder(server, url: "http://nominatim.example/").warning
        == "place names come from http://nominatim.example/ through the proxy "
        + "http://proxy.example:3128, not encrypted: coordinates of stays leave this machine")
    for host in ["localhost", "127.0.0.1:8080", "[::1]:80"] {
      #expect(
        try geocoder(FakeTransport("{}"), url: "http://\(host)").warning
          == "place names come from http://\(host)/, a server on this machine")
    }
  }

  @Test(
    "a place without a name is called by its street, in the order of the country",
    arguments: [
      ("gb", "12 Main"), ("de", "Main 12"), ("us", "12 Main"), ("??", "Main 12"), ("", "Main 12"),
    ])
  func streets(country: String, name: String) async throws {
    let server = FakeTransport(
      """
      {"lat":"1","lon":"2","name":"","address":{"road":" Main","house_number":"12",\
      "village":"V","country_code":"\(country)"}}
      """)
    let place = try await geocoder(server).reverse(Coordinate(latitude: 1, longitude: 2))[0]
    #expect(place.name == name)
    #expect(place.locality == "V")
    #expect(place.isoCountryCode == (country.first?.isLetter == true ? country.uppercased() : nil))
  }

  @Test(
    "without a place there is no result",
    arguments: [
      (#"{"error":"Unable to geocode"}"#, 200), (#"{"error":"Unable to geocode"}"#, 404),
      ("[]", 200),
    ])
  func nothing(json: String, status: Int) async throws {
    let geocoder = try geocoder(FakeTransport([.json(json, status: status)]))
    await #expect(throws: GeocoderError.noResult) {
      if json == "[]" {
        try await geocoder.forward("x")
      } else {
        try await geocoder.reverse(Coordinate(latitude: 1, longitude: 2))
      }
    }
  }

  @Test(
    "every other response is an error with a remedy",
    arguments: [
      (
        .json("<html>\u{1B}[2J Log in", headers: ["content-type": "text/html"]), "of type text/html"
      ),
      (.json(""), "sent no Nominatim response"), (.json("[]"), "sent no Nominatim response"),
      (.json("null"), "check the address"),
      (.json(#"{"lat":"91","lon":"0"}"#), "sent no Nominatim response"),
      (.json(#"{"lat":"nan","lon":"0"}"#), "sent no Nominatim response"),
      (.json(#"{"lat":1,"lon":0}"#), "sent no Nominatim response"),
      (.json(String(repeating: "[", count: 100_000)), "sent no Nominatim response"),
      (
        .json(#"{"error":{"code":400,"message":"Bad\nlat"}}"#, status: 400),
        "refused (status 400): Bad lat"
      ),
      (.json(#"{"error":"Quota\u001b[31m"}"#), "refused: Quota [31m"),
      (.json("", status: 403), "status 403; read its usage policy"),
      (.json("", status: 302), "status 302; it has moved"),
      (.json("", status: 404), "status 404; check the path"),
      (.json("", status: 500), "status 500; try again later"),
      (.json(gateAnswer, status: 201), "status 201"),
      (.failure(.unreachable("no route")), "is unavailable: no route; check the address"),
      (.failure(.tooLong), "more than 1048576 bytes"),
    ] as [(FakeTransport.Answer, String)])
  func failures(answer: FakeTransport.Answer, text: String) async throws {
    let geocoder = try geocoder(FakeTransport([answer]))
    let error = await #expect(throws: GeocoderError.self) {
      try await geocoder.reverse(Coordinate(latitude: 1, longitude: 2))
    }
    let reason = try #require(error).description
    #expect(error == .network(reason))
    #expect(reason.hasPrefix("https://nominatim.example/ "))
    #expect(reason.contains(text))
    #expect(!reason.contains("\u{1B}") && !reason.contains("\n"))
  }
}

@Suite("Settings of a server") struct NominatimSettingTests {
  private func setting(_ make: () throws -> NominatimGeocoder.Configuration) -> String? {
    do {
      _ = try make()
      return nil
    } catch {
      return (error as? GeocoderSettingError)?.setting
    }
  }

  @Test(
    "an invalid address is rejected",
    arguments: [
      "", "nominatim.example", "ftp://nominatim.example", "https://", "https:///reverse",
      "https://user:pw@nominatim.example", "https://nominatim.example/#x", "file:///etc/passwd",
      "https://a b/", "http//x",
    ])
  func servers(url: String) {
    #expect(setting { try .init(server: url, contact: "me@example.org") } == "server")
  }

  @Test(
    "the error of an invalid address shows no key and no password",
    arguments: [
      ("nominatim.example/?key=secret", "'nominatim.example/?…' is not an address"),
      (
        "ftp://nominatim.example?key=secret",
        "'ftp://nominatim.example?…' is neither https nor http"
      ),
      ("me:secret@nominatim.example", "'…@nominatim.example' is not an address"),
      ("https://me:secret@b b/?x", "'https://…@b b/?…' is not an address"),
      ("nominatim.example#secret", "'nominatim.example#…' is not an address"),
      ("nominatim.example", "'nominatim.example' is not an address"),
    ])
  func secrets(url: String, message: String) {
    #expect {
      try NominatimGeocoder.Configuration(server: url, contact: "me@example.org")
    } throws: {
      ($0 as? GeocoderSettingError)?.reason
        == "\(message); expected the address of a Nominatim server, such as "
        + "https://nominatim.example/"
    }
  }

  @Test(
    "a contact is an e-mail address or a URL",
    arguments: [
      "", " ", "me", "me@", "@example.org", "a@b@c", "me@example.org\r\nX: y", "http://",
      "ftp://x/",
      "me (@x)", "mé@example.org",
    ])
  func contacts(contact: String) {
    #expect(setting { try .init(server: "https://x.example", contact: contact) } == "contact")
  }

  @Test("numbers are within their ranges, bounds included") func ranges() throws {
    let (server, contact) = ("https://x.example", "me@example.org")
    for seconds in [-1, 3601] {
      #expect(
        setting { try .init(server: server, contact: contact, interval: .seconds(seconds)) }
          == "interval")
    }
    for rounding in [0, 0.99, 1_000_001, -5, .nan, .infinity] {
      #expect(
        setting { try .init(server: server, contact: contact, rounding: rounding) } == "rounding")
    }
    for attempts in [0, 11] {
      #expect(
        setting { try .init(server: server, contact: contact, attempts: attempts) } == "attempts")
    }
    for (seconds, rounding, attempts) in [(0, 1.0, 1), (3600, 1_000_000, 10)] {
      #expect(
        setting {
          try .init(
            server: server, contact: contact, interval: .seconds(seconds), rounding: rounding,
            attempts: attempts)
        } == nil)
    }
  }

  @Test(
    "the public server gets at most one request a second",
    arguments: [
      "https://nominatim.openstreetmap.org", "https://NOMINATIM.OpenStreetMap.org./",
      "http://openstreetmap.org/x",
    ])
  func politeness(url: String) {
    let contact = "me@example.org"
    #expect(
      setting { try .init(server: url, contact: contact, interval: .milliseconds(999)) }
        == "interval")
    #expect(setting { try .init(server: url, contact: contact) } == nil)
    #expect(
      setting {
        try .init(
          server: "https://notopenstreetmap.org", contact: contact, interval: .milliseconds(1))
      } == nil)
  }
}
