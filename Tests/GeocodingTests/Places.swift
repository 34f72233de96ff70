import Geocoding
import Geodesy

let gate = GeocodedPlace(
  coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), name: "Brandenburger Tor",
  locality: "Berlin", isoCountryCode: "DE", country: "Deutschland")
let tower = GeocodedPlace(
  coordinate: Coordinate(latitude: 52.5208, longitude: 13.4094), name: "Fernsehturm",
  locality: "Berlin", isoCountryCode: "DE", country: "Deutschland")

/// About 11 m north of a place for every step.
func beside(_ place: GeocodedPlace, steps: Double = 1) -> Coordinate {
  Coordinate(
    latitude: place.coordinate.latitude + steps * 0.0001, longitude: place.coordinate.longitude)
}

/// Knows one answer, at once or not.
struct FixedGeocoder: Geocoder {
  let answer: Result<[GeocodedPlace], GeocoderError>
  var isAtOnce = false

  func places(for request: GeocoderRequest) async throws(GeocoderError) -> [GeocodedPlace] {
    try answer.get()
  }

  func answerAtOnce(to request: GeocoderRequest) -> Result<[GeocodedPlace], GeocoderError>? {
    isAtOnce ? answer : nil
  }
}
