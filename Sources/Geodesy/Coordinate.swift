/// A place on the WGS 84 ellipsoid, in degrees.
///
/// A coordinate may hold any numbers, so that a source can hand on what it read; ask ``isValid``
/// before you compute with one from outside. Every function of this module takes valid coordinates
/// and gives valid ones.
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
