/// A point on the WGS 84 ellipsoid, in degrees.
///
/// A coordinate may contain any numbers, so a source can pass on what it read. Check ``isValid``
/// before you compute with one from outside. Every function of this module takes and returns valid
/// coordinates.
public struct Coordinate: Sendable, Hashable, Codable {
  /// Geodetic latitude in degrees, −90 at the South Pole to 90 at the North Pole.
  public var latitude: Double
  /// Longitude in degrees east of Greenwich, −180 to 180; both ends name the antimeridian.
  public var longitude: Double

  /// Makes a coordinate from degrees, unchecked.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are finite and in range (the ends included).
  public var isValid: Bool {
    // A NaN fails both comparisons.
    abs(latitude) <= 90 && abs(longitude) <= 180
  }
}
