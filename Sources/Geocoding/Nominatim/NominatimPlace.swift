internal import Foundation
internal import Geodesy

/// A place in the response of a server, in the format `jsonv2`.
///
/// Source: https://nominatim.org/release-docs/latest/api/Output/.
struct NominatimPlace: Decodable {
  private let lat: String
  private let lon: String
  private let category: String?
  private let type: String?
  private let name: String?
  private let address: [String: String]?
  private let boundingbox: [String]?

  /// The place; nil without a valid position.
  /// - Parameter asked: The coordinate of the request; nil for a request by text.
  func place(asked: Coordinate?) -> GeocodedPlace? {
    guard let coordinate = Self.coordinate(lat, lon) else { return nil }
    var place = GeocodedPlace(coordinate: coordinate)
    place.distance = asked?.distance(to: coordinate)
    place.horizontalAccuracy = reach.map { max($0, place.distance ?? 0) }
    place.thoroughfare = first("road", "pedestrian", "footway", "square")
    place.subThoroughfare = first("house_number")
    place.locality = first("city", "town", "village", "hamlet", "municipality")
    place.subLocality = first("suburb", "neighbourhood", "quarter", "city_district", "borough")
    place.administrativeArea = first("state", "region", "province", "state_district")
    place.subAdministrativeArea = first("county")
    place.postalCode = first("postcode")
    place.country = first("country")
    place.isoCountryCode = first("country_code").flatMap(Self.countryCode)
    let landmarks = ["tourism", "historic", "leisure"].compactMap { first($0) }
    place.areasOfInterest = landmarks.isEmpty ? nil : landmarks
    let name = Self.text(name)
    if type == "water" || category == "waterway" { place.inlandWater = name }
    if type == "ocean" || type == "sea" { place.ocean = name }
    place.name = name ?? address(of: place) ?? place.locality ?? place.country
    return place
  }

  /// The street with the house number, in the order of the country.
  private func address(of place: GeocodedPlace) -> String? {
    guard let street = place.thoroughfare, let number = place.subThoroughfare else {
      return place.thoroughfare
    }
    let isNumberFirst = place.isoCountryCode.map(Self.numberFirst.contains) ?? false
    return isNumberFirst ? "\(number) \(street)" : "\(street) \(number)"
  }

  /// The countries where the house number comes before the street.
  ///
  /// Source: the templates of OpenCage's address-formatting, and New Zealand Post.
  private static let numberFirst = Set(
    """
    AE AU BD BM BZ CA CD CI DZ EG FR GB GF GG GH GP HK IE IL IM IN JE KE LK LU MC MG MQ MT MY NA NC \
    NG NZ PF PH PK RE RW SA SG TN TT TZ UG US VI VN YT ZA ZM ZW
    """.split(separator: " ").map(String.init))

  /// Half the diagonal of the place's box, metres.
  private var reach: Double? {
    guard let box = boundingbox, box.count == 4, let southWest = Self.coordinate(box[0], box[2]),
      let northEast = Self.coordinate(box[1], box[3])
    else { return nil }
    return southWest.distance(to: northEast) / 2
  }

  /// The first of these parts of the address that is there: countries use different ones.
  private func first(_ keys: String...) -> String? {
    for key in keys {
      if let text = Self.text(address?[key]) { return text }
    }
    return nil
  }

  private static func text(_ text: String?) -> String? {
    let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Two letters in capitals; nil for anything else.
  private static func countryCode(_ text: String) -> String? {
    let isCode = text.utf8.count == 2 && text.allSatisfy { $0.isASCII && $0.isLetter }
    return isCode ? text.uppercased() : nil
  }

  private static func coordinate(_ latitude: String, _ longitude: String) -> Coordinate? {
    guard let latitude = Double(latitude), let longitude = Double(longitude) else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }
}

/// An error in the response of a server.
///
/// Without a result it is the text `Unable to geocode`; some servers send it with status 404.
struct NominatimErrorBody: Decodable {
  private struct Details: Decodable {
    let message: String?
  }

  let message: String

  private enum CodingKeys: CodingKey { case error }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let text = try? container.decode(String.self, forKey: .error) {
      message = text
    } else {
      message = try container.decode(Details.self, forKey: .error).message ?? "an error"
    }
  }

  /// Whether the server knows nothing there, which is no error of the request.
  var isNoResult: Bool { message.lowercased().hasPrefix("unable to geocode") }
}
