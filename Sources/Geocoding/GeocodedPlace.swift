public import Geodesy

/// A place and what is known of its address; what is not known is nil.
public struct GeocodedPlace: Sendable, Hashable, Codable {
  /// Where the named place is, which need not be where it was asked for.
  public var coordinate: Coordinate
  /// Radius of the area that the name stands for, metres; the place asked for is not known better
  /// than this by its name.
  public var horizontalAccuracy: Double?
  /// How far the named place is from the coordinate that was asked for, metres; nil when a text was
  /// asked for.
  public var distance: Double?
  /// What to call the place on its own, such as `Brandenburg Gate` or `12 High Street`.
  public var name: String?
  /// The street.
  public var thoroughfare: String?
  /// The house number.
  public var subThoroughfare: String?
  /// The city, town or village.
  public var locality: String?
  /// The part of it.
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

  /// Makes a place of which only the coordinate is known, to be filled in, or with the names that
  /// are asked for most.
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
