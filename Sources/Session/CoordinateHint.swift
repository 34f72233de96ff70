internal import Geodesy
package import Tracking

extension Fix {
  /// What coordinates that are not on Earth may be, and what to do; nil when nothing is known.
  package var coordinateHint: String? {
    let (latitude, longitude) = (coordinate.latitude.magnitude, coordinate.longitude.magnitude)
    guard latitude.isFinite, longitude.isFinite else { return nil }
    if max(latitude, longitude) > 18_060, latitude <= 90e7, longitude <= 180e7 {
      return "are they millionths of degrees, or ten millionths? name the unit: in a table, "
        + "latitudeE7 and longitudeE7"
    }
    if latitude > 90, latitude <= 180, longitude <= 90 {
      return "are latitude and longitude swapped?"
    }
    if latitude < 9_060, longitude < 18_060, Self.hasMinutes(latitude), Self.hasMinutes(longitude) {
      return "are they degrees and minutes in one number (ddmm.mmmm)? write degrees, or 52 30.1234"
    }
    return nil
  }

  private static func hasMinutes(_ packed: Double) -> Bool {
    packed.truncatingRemainder(dividingBy: 100) < 60
  }
}
