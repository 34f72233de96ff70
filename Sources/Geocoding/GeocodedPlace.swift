public import Geodesy

/// A place and its address; unknown parts are nil.
///
/// How much is known depends on the source: a gazetteer has countries, provinces and towns, a
/// server also streets and house numbers. As JSON it is an object with these names, without those
/// that are nil.
public struct GeocodedPlace: Sendable, Hashable, Codable {
  /// The position of the named place, which may differ from the one in the request.
  public var coordinate: Coordinate
  /// Radius of the area that the name stands for, metres: the accuracy of the name as a position.
  public var horizontalAccuracy: Double?
  /// Distance of the named place from the coordinate in the request, metres; nil for a request by
  /// text.
  public var distance: Double?
  /// The name of the place on its own, such as `Brandenburg Gate` or `12 High Street`.
  public var name: String?
  /// The street.
  public var thoroughfare: String?
  /// The house number.
  public var subThoroughfare: String?
  /// The city, town or village.
  public var locality: String?
  /// The part of the city, town or village.
  public var subLocality: String?
  /// The state or province.
  public var administrativeArea: String?
  /// The county or district.
  public var subAdministrativeArea: String?
  /// The postal code.
  public var postalCode: String?
  /// The country as two capital letters of ISO 3166-1.
  public var isoCountryCode: String?
  /// The country's name.
  public var country: String?
  /// The lake or river.
  public var inlandWater: String?
  /// The sea.
  public var ocean: String?
  /// Landmarks that the place belongs to.
  public var areasOfInterest: [String]?
  /// The time zone as a name of the tz database, such as `Europe/Berlin`.
  public var timeZoneIdentifier: String?

  /// Makes a place with a coordinate and the most common names; set the others afterwards.
  public init(
    coordinate: Coordinate, name: String? = nil, locality: String? = nil,
    administrativeArea: String? = nil, isoCountryCode: String? = nil, country: String? = nil
  ) {
    self.coordinate = coordinate
    self.name = name
    self.locality = locality
    self.administrativeArea = administrativeArea
    self.isoCountryCode = isoCountryCode
    self.country = country
  }
}
