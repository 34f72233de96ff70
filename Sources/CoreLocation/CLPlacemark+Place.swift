internal import Foundation
internal import Geocoding
internal import Geodesy

extension CLPlacemark {
  /// The accuracy of a place of which none is told, metres: what Apple's geocoder is seen to give.
  private static let usualAccuracy = 100.0

  /// A geocoder's place, as known at a time.
  convenience init(_ place: GeocodedPlace, at time: Date) {
    let center = CLLocationCoordinate2D(
      latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
    let location = CLLocation(
      coordinate: center, altitude: 0,
      horizontalAccuracy: place.horizontalAccuracy ?? Self.usualAccuracy, verticalAccuracy: -1,
      timestamp: time)
    self.init(
      Contents(
        location: location,
        region: place.horizontalAccuracy.map {
          CLCircularRegion(center: center, radius: $0, identifier: Self.identifier(center, $0))
        },
        timeZone: place.timeZoneIdentifier.flatMap { TimeZone(identifier: $0) },
        name: place.name,
        thoroughfare: place.thoroughfare, subThoroughfare: place.subThoroughfare,
        locality: place.locality, subLocality: place.subLocality,
        administrativeArea: place.administrativeArea,
        subAdministrativeArea: place.subAdministrativeArea,
        postalCode: place.postalCode, isoCountryCode: place.isoCountryCode, country: place.country,
        inlandWater: place.inlandWater, ocean: place.ocean,
        areasOfInterest: place.areasOfInterest))
  }

  /// Equal for equal circles: centre and radius in words.
  private static func identifier(_ center: CLLocationCoordinate2D, _ radius: Double) -> String {
    let numbers = [center.latitude, center.longitude, radius]
    let words = zip(["%+.8f", "%+.8f", "%.2f"], numbers).map { String(format: $0, $1) }
    return "<\(words[0]),\(words[1])> radius \(words[2])"
  }
}
