internal import Foundation

extension CLPlacemark.Contents {
  /// The texts with their keys in an archive.
  private static var keyedTexts: [(key: String, path: WritableKeyPath<Self, String?>)] {
    [
      ("kCLPlacemarkCodingKeyName", \.name),
      ("kCLPlacemarkCodingKeyThoroughfare", \.thoroughfare),
      ("kCLPlacemarkCodingKeySubThoroughfare", \.subThoroughfare),
      ("kCLPlacemarkCodingKeyLocality", \.locality),
      ("kCLPlacemarkCodingKeySubLocality", \.subLocality),
      ("kCLPlacemarkCodingKeyAdministrativeArea", \.administrativeArea),
      ("kCLPlacemarkCodingKeySubAdministrativeArea", \.subAdministrativeArea),
      ("kCLPlacemarkCodingKeyPostalCode", \.postalCode),
      ("kCLPlacemarkCodingKeyIsoCountryCode", \.isoCountryCode),
      ("kCLPlacemarkCodingKeyCountry", \.country),
      ("kCLPlacemarkCodingKeyInlandWater", \.inlandWater),
      ("kCLPlacemarkCodingKeyOcean", \.ocean),
    ]
  }

  private static let locationKey = "kCLPlacemarkCodingKeyLocation"
  private static let regionKey = "kCLPlacemarkCodingKeyRegion"
  private static let timeZoneKey = "kCLPlacemarkCodingKeyTimeZone"
  private static let interestKey = "kCLPlacemarkCodingKeyAreasOfInterest"

  /// All texts, in a fixed order.
  var texts: [String?] { Self.keyedTexts.map { self[keyPath: $0.path] } }

  /// The values of a placemark's properties, which a subclass may override.
  init(_ placemark: CLPlacemark) {
    self.init(
      location: placemark.location, region: placemark.region, timeZone: placemark.timeZone,
      name: placemark.name,
      thoroughfare: placemark.thoroughfare,
      subThoroughfare: placemark.subThoroughfare,
      locality: placemark.locality,
      subLocality: placemark.subLocality,
      administrativeArea: placemark.administrativeArea,
      subAdministrativeArea: placemark.subAdministrativeArea,
      postalCode: placemark.postalCode,
      isoCountryCode: placemark.isoCountryCode,
      country: placemark.country,
      inlandWater: placemark.inlandWater,
      ocean: placemark.ocean,
      areasOfInterest: placemark.areasOfInterest)
  }

  init(_ coder: NSCoder) {
    self.init()
    location = coder.object(of: [CLLocation.self], forKey: Self.locationKey) as? CLLocation
    region =
      coder.object(
        of: [CLRegion.self, CLCircularRegion.self, CLBeaconRegion.self], forKey: Self.regionKey)
      as? CLRegion
    timeZone = coder.string(forKey: Self.timeZoneKey).flatMap { TimeZone(identifier: $0) }
    areasOfInterest =
      coder.object(of: [NSArray.self, NSString.self], forKey: Self.interestKey) as? [String]
    for (key, path) in Self.keyedTexts { self[keyPath: path] = coder.string(forKey: key) }
  }

  func encode(to coder: NSCoder) {
    coder.encode(optional: location, forKey: Self.locationKey)
    coder.encode(optional: region, forKey: Self.regionKey)
    coder.encode(timeZone?.identifier, forKey: Self.timeZoneKey)
    coder.encode(
      optional: areasOfInterest.map { NSArray(array: $0) }, forKey: Self.interestKey)
    for (key, path) in Self.keyedTexts { coder.encode(self[keyPath: path], forKey: key) }
  }
}
