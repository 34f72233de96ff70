public import Foundation

/// A place: a location with names.
///
/// It is immutable; geocoders make it.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding {
  /// All values of a placemark; nil when unknown.
  struct Contents: Equatable {
    var location: CLLocation?
    var region: CLRegion?
    var timeZone: TimeZone?
    var name: String?
    var thoroughfare: String?
    var subThoroughfare: String?
    var locality: String?
    var subLocality: String?
    var administrativeArea: String?
    var subAdministrativeArea: String?
    var postalCode: String?
    var isoCountryCode: String?
    var country: String?
    var inlandWater: String?
    var ocean: String?
    var areasOfInterest: [String]?
  }

  private let contents: Contents

  init(_ contents: Contents) {
    self.contents = contents
    super.init()
  }

  /// Makes a placemark with the values of another one.
  public init(placemark: CLPlacemark) {
    contents = Contents(placemark)
    super.init()
  }

  /// Makes a placemark without known values, for tests and subclasses.
  public override init() {
    contents = Contents()
    super.init()
  }

  /// Decodes a placemark; missing values are unknown.
  public required init?(coder: NSCoder) {
    contents = Contents(coder)
    super.init()
  }

  /// The location.
  open var location: CLLocation? { contents.location }

  /// The extent of the place, a ``CLCircularRegion``.
  open var region: CLRegion? { contents.region }

  /// The time zone.
  open var timeZone: TimeZone? { contents.timeZone }

  /// The parts of the address with the keys of address books; nil if there are none.
  open var addressDictionary: [AnyHashable: Any]? {
    let street = [subThoroughfare, thoroughfare].compactMap(\.self).joined(separator: " ")
    let parts: [String: Any?] = [
      "Name": name, "Street": street.isEmpty ? nil : street, "Thoroughfare": thoroughfare,
      "SubThoroughfare": subThoroughfare, "City": locality, "SubLocality": subLocality,
      "State": administrativeArea, "SubAdministrativeArea": subAdministrativeArea,
      "ZIP": postalCode, "Country": country, "CountryCode": isoCountryCode,
    ]
    let known = parts.compactMapValues(\.self)
    return known.isEmpty ? nil : known
  }

  /// The name of the place.
  open var name: String? { contents.name }

  /// The street.
  open var thoroughfare: String? { contents.thoroughfare }

  /// The house number.
  open var subThoroughfare: String? { contents.subThoroughfare }

  /// The city.
  open var locality: String? { contents.locality }

  /// The neighbourhood.
  open var subLocality: String? { contents.subLocality }

  /// The state or province.
  open var administrativeArea: String? { contents.administrativeArea }

  /// The county.
  open var subAdministrativeArea: String? { contents.subAdministrativeArea }

  /// The postcode.
  open var postalCode: String? { contents.postalCode }

  /// The two-letter country code, ISO 3166.
  open var isoCountryCode: String? { contents.isoCountryCode }

  /// The country.
  open var country: String? { contents.country }

  /// The lake or river.
  open var inlandWater: String? { contents.inlandWater }

  /// The sea.
  open var ocean: String? { contents.ocean }

  /// Points of interest there.
  open var areasOfInterest: [String]? { contents.areasOfInterest }

  /// Returns the placemark itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the placemark.
  open func encode(with coder: NSCoder) {
    Contents(self).encode(to: coder)
  }

  /// Whether `object` is a placemark with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLPlacemark else { return false }
    return self === other || Contents(self) == Contents(other)
  }

  /// A hash of the name and the address.
  open override var hash: Int {
    Contents(self).texts.hashValue
  }

  /// The name, the address, the location and the extent as text.
  open override var description: String {
    var names: [String] = []
    for text in [name, thoroughfare, locality, administrativeArea, postalCode, country] {
      if let text, !names.contains(text) { names.append(text) }
    }
    let place = location.map { " @ \($0)" } ?? ""
    let extent = region.map { ", region \($0)" } ?? ""
    return names.joined(separator: ", ") + place + extent
  }
}
