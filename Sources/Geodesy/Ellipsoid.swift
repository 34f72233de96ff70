internal import Glibc

/// The ellipsoid of WGS 84 (NGA.STND.0036): two defining numbers and what follows from them.
///
/// Computed properties, because the compiler folds them into each use; a stored static would cost a
/// check of its initialisation on the hot path.
enum Ellipsoid {
  /// Equatorial radius a, metres.
  static var equatorialRadius: Double { 6_378_137 }
  /// Flattening f.
  static var flattening: Double { 1 / 298.257223563 }
  /// 1 − f, the ratio of the polar to the equatorial radius.
  static var axisRatio: Double { 1 - flattening }
  /// Polar radius b, metres.
  static var polarRadius: Double { equatorialRadius * axisRatio }
  /// First eccentricity squared, e².
  static var eccentricitySquared: Double { flattening * (2 - flattening) }
  /// Second eccentricity squared, e'².
  static var secondEccentricitySquared: Double { eccentricitySquared / (axisRatio * axisRatio) }
  /// Third flattening n.
  static var thirdFlattening: Double { flattening / (2 - flattening) }
  /// The least length of a degree of latitude (it is at the equator), metres, rounded down.
  static var leastLatitudeDegree: Double { 110_574.27 }
}
