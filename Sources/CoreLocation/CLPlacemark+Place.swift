internal import Foundation
internal import Geocoding
internal import Geodesy

extension CLPlacemark {
  /// The accuracy of a place without a known one, metres: the value that Apple's geocoder returns.
  private static let usualAccuracy = 100.0

  /// Converts a place of a geocoder, with the timestamp of its location.
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

  /// The centre and the radius as text, equal for equal circles.
  private static func identifier(_ center: CLLocationCoordinate2D, _ radius: Double) -> String {
    let numbers = [center.latitude, center.longitude, radius]
    let texts = zip(["%+.8f", "%+.8f", "%.2f"], numbers).map { String(format: $0, $1) }
    return "<\(texts[0]),\(texts[1])> radius \(texts[2])"
  }
}
