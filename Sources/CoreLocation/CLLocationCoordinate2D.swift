internal import Geodesy

/// A position on the WGS 84 ellipsoid, degrees.
///
/// As on Apple's systems it is not `Equatable`, `Hashable` or `Codable`: client code adds these
/// conformances, and a second one would conflict.
public struct CLLocationCoordinate2D: Sendable, BitwiseCopyable {
  /// Degrees north, −90...90 when valid.
  public var latitude: CLLocationDegrees
  /// Degrees east, −180...180 when valid.
  public var longitude: CLLocationDegrees

  /// Makes the coordinate 0, 0, which is valid.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// Makes a coordinate from degrees, unchecked.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Whether the latitude is in −90...90 and the longitude in −180...180.
///
/// The ends are valid; NaN is not.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  Coordinate(coord).isValid
}

/// Makes a coordinate from degrees, unchecked.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

extension CLLocationCoordinate2D {
  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension Coordinate {
  init(_ coordinate: CLLocationCoordinate2D) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}
