public import Foundation

/// A place with names.
///
/// It never changes; a geocoder makes it.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding {
  /// All that a placemark holds; what is not known is nil.
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

  /// Makes a placemark of which nothing is known.
  ///
  /// Placemarks come from a geocoder; this one is for subclasses of tests.
  public override init() {
    contents = Contents()
    super.init()
  }

  /// Reads a placemark from an archive; what is not there is not known.
  public required init?(coder: NSCoder) {
    contents = Contents(coder)
    super.init()
  }

  /// The place.
  open var location: CLLocation? { contents.location }

  /// How far the place reaches, a ``CLCircularRegion``.
  open var region: CLRegion? { contents.region }

  /// The time zone.
  open var timeZone: TimeZone? { contents.timeZone }

  /// The parts of the address under the keys of address books; nil when there are none.
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

  /// What the place is called.
  open var name: String? { contents.name }

  /// The street.
  open var thoroughfare: String? { contents.thoroughfare }

  /// The number in the street.
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

  /// The two letters of the country, ISO 3166.
  open var isoCountryCode: String? { contents.isoCountryCode }

  /// The country.
  open var country: String? { contents.country }

  /// The lake or river.
  open var inlandWater: String? { contents.inlandWater }

  /// The sea.
  open var ocean: String? { contents.ocean }

  /// What is worth seeing there.
  open var areasOfInterest: [String]? { contents.areasOfInterest }

  /// Returns the placemark itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the placemark to an archive.
  open func encode(with coder: NSCoder) {
    Contents(self).encode(to: coder)
  }

  /// Whether `object` is a placemark with the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLPlacemark else { return false }
    return self === other || Contents(self) == Contents(other)
  }

  /// A hash of name and address.
  open override var hash: Int {
    Contents(self).texts.hashValue
  }

  /// Name, address, place and extent in words.
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
