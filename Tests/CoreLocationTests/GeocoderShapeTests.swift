import Geocoding
import Geodesy
import Testing

@testable import CoreLocation

/// A geocoder as tests of programs make it.
final class FakeGeocoder: CLGeocoder {
  override init() { super.init() }
  override var isGeocoding: Bool { true }
  override func cancelGeocode() {}
  override func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    completionHandler([CLPlacemark(stubGate, at: location.timestamp)], nil)
  }
  override func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] { [] }
  override func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    completionHandler(nil, nil)
  }
}

/// What a program that can change its geocoder asks for.
protocol NameFinder {
  var isGeocoding: Bool { get }
  func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler)
  func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
  func cancelGeocode()
}
extension CLGeocoder: NameFinder {}

/// A view model of the kind that most programs have.
@MainActor final class NameModel {
  let geocoder: CLGeocoder
  var name: String?

  init(_ geocoder: CLGeocoder) { self.geocoder = geocoder }

  func find(_ location: CLLocation) async throws {
    name = try await geocoder.reverseGeocodeLocation(location).first?.name
  }

  func find(_ location: CLLocation, then done: @escaping () -> Void) {
    geocoder.reverseGeocodeLocation(location) { placemarks, error in
      self.name = placemarks?.first?.name ?? error?.localizedDescription
      done()
    }
  }
}

@Suite("Programs with CLGeocoder", .timeLimit(.minutes(90))) struct GeocoderShapeTests {
  /// The chapter's way: a geocoder that nobody keeps and a handler that is not Sendable.
  func locationName(
    _ geocoder: CLGeocoder, for location: CLLocation, _ completion: @escaping (String) -> Void
  ) {
    geocoder.reverseGeocodeLocation(location) { placemarks, error in
      if let error {
        completion("An error ocurred: \(error.localizedDescription)")
      } else {
        completion(placemarks?.first?.name ?? "Unkown location")
      }
    }
  }

  @Test("AT-16, AT-17, AT-18 a name, an error, or neither") func chapter() async {
    let nameless = GeocodedPlace(coordinate: Coordinate(latitude: 1, longitude: 1))
    let stub = StubGeocoder([.init(stubGate), .init(nameless)])
    let cases = [
      (stubGateLocation, "Brandenburger Tor"),
      (CLLocation(latitude: 0, longitude: 0), "An error ocurred: nothing is known there"),
      (CLLocation(latitude: 1, longitude: 1), "Unkown location"),
    ]
    for (location, expected) in cases {
      let name = await withCheckedContinuation { continuation in
        locationName(CLGeocoder(asking: stub), for: location) { continuation.resume(returning: $0) }
      }
      #expect(name == expected)
    }
  }

  @Test("13.6 a view model on the main actor uses both forms") @MainActor func viewModel()
    async throws
  {
    let model = NameModel(CLGeocoder(asking: StubGeocoder([.init(stubGate)])))
    try await model.find(stubGateLocation)
    #expect(model.name == "Brandenburger Tor")
    model.name = nil
    await withCheckedContinuation { continuation in
      model.find(stubGateLocation) { continuation.resume() }
    }
    #expect(model.name == "Brandenburger Tor")
  }

  @Test("a subclass that answers by itself answers the asynchronous form too") func fake()
    async throws
  {
    let fake = FakeGeocoder()
    #expect(try await fake.reverseGeocodeLocation(stubGateLocation).map(\.name) == [stubGate.name])
    #expect(try await fake.reverseGeocodeLocation(stubGateLocation, preferredLocale: nil).isEmpty)
    // Neither placemarks nor an error.
    let error = await #expect(throws: CLError.self) {
      _ = try await fake.geocodeAddressString("x")
    }
    #expect(error?.code == .geocodeFoundNoResult)
  }

  @Test("the country has its name in the preferred locale, otherwise that of the provider")
  func country() async throws {
    let geocoder = CLGeocoder(GeocodingContext(Gazetteer()))
    var names: [String?] = []
    for locale in [nil, Locale(identifier: "fr_FR"), Locale(identifier: "it")] {
      let places = try await geocoder.reverseGeocodeLocation(
        stubGateLocation, preferredLocale: locale)
      names.append(places.first?.country)
    }
    #expect(names == ["Germany", "Allemagne", "Germania"])
  }

  @Test("the request has the language of the locale, otherwise of the service") func language()
    async throws
  {
    var english = stubGate
    english.name = "Brandenburg Gate"
    let stub = StubGeocoder([.init(stubGate), .init(english, language: "en-GB")])
    let locale = Locale(identifier: "en_GB")
    let plain = CLGeocoder(asking: stub)
    #expect(try await plain.reverseGeocodeLocation(stubGateLocation).first?.name == stubGate.name)
    let asked = try await plain.reverseGeocodeLocation(stubGateLocation, preferredLocale: locale)
    #expect(asked.first?.name == english.name)
    let service = CLGeocoder(GeocodingContext(stub, language: "en-GB"))
    #expect(try await service.reverseGeocodeLocation(stubGateLocation).first?.name == english.name)
    let other = try await service.geocodeAddressString(
      "Berlin", in: nil, preferredLocale: Locale(identifier: "fr"))
    #expect(other.first?.name == stubGate.name)
  }

  @Test("a circle is the first area to search, another region has no effect") func region()
    async throws
  {
    let far = GeocodedPlace(
      coordinate: Coordinate(latitude: 44.47, longitude: -71.18), name: "far", locality: "Berlin")
    let geocoder = CLGeocoder(asking: StubGeocoder([.init(stubGate), .init(far)]))
    let circle = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 44, longitude: -71), radius: 100_000,
      identifier: "there")
    #expect(try await geocoder.geocodeAddressString("Berlin", in: circle).first?.name == "far")
    #expect(
      try await geocoder.geocodeAddressString("Berlin", in: CLRegion()).first?.name == stubGate.name
    )
    let name = await withCheckedContinuation { continuation in
      geocoder.geocodeAddressString(
        "Berlin", inRegionCenteredAt: circle.center, inRegionRadius: circle.radius,
        preferredLocale: nil
      ) { placemarks, _ in continuation.resume(returning: placemarks?.first?.name) }
    }
    #expect(name == "far")
  }

  @Test(
    "an address dictionary becomes one line",
    arguments: [
      (
        ["Street": "Pariser Platz 1", "City": "Berlin", "ZIP": "10117", "Country": "Germany"],
        "Pariser Platz 1, Berlin, 10117, Germany"
      ),
      (
        ["SubThoroughfare": "1", "Thoroughfare": "Main St", "State": "NH", "ZIP": "03570"],
        "1 Main St, NH 03570"
      ),
      (["Name": "Reichstag"], "Reichstag"), (["City": "", "CountryCode": "DE"], "DE"), ([:], ""),
    ] as [([String: String], String)])
  func dictionary(parts: [String: String], line: String) {
    #expect(AddressText(parts).line == line)
  }

  @Test("the lines of an address are used if its parts are unknown") func lines() {
    let lines = ["Pariser Platz 1", "10117 Berlin"]
    #expect(
      AddressText(["FormattedAddressLines": lines]).line == "Pariser Platz 1, 10117 Berlin")
    #expect(AddressText(["FormattedAddressLines": lines, "City": "Bonn"]).line == "Bonn")
  }

  @Test("a placemark made from nothing has no values, and differs from one that has")
  func emptyPlacemark() {
    let empty = CLPlacemark()
    #expect(empty.location == nil && empty.name == nil && empty.areasOfInterest == nil)
    #expect(empty == CLPlacemark() && empty.hash == CLPlacemark().hash)
    #expect(empty != CLPlacemark(stubGate, at: Date()))
  }

  @Test("an address dictionary finds its place") func oldWay() async {
    let stub = StubGeocoder([.init(stubGate, names: ["Pariser Platz, Berlin"])])
    let address: [AnyHashable: Any] = ["Street": "Pariser Platz", "City": "Berlin"]
    let name = await withCheckedContinuation { continuation in
      CLGeocoder(asking: stub).geocodeAddressDictionary(address) { placemarks, _ in
        continuation.resume(returning: placemarks?.first?.name)
      }
    }
    #expect(name == "Brandenburger Tor")
  }
}
