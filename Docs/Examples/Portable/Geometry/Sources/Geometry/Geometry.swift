#if canImport(CoreLocation)
  public import CoreLocation

  /// Core Location's type where it is found.
  public typealias Coordinate = CLLocationCoordinate2D
#else
  /// A position in degrees.
  public struct Coordinate {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
  }
#endif

/// The mean of some coordinates that are close to each other.
public func centre(of coordinates: [Coordinate]) -> Coordinate {
  var sum = Coordinate(latitude: 0, longitude: 0)
  for coordinate in coordinates {
    sum.latitude += coordinate.latitude / Double(coordinates.count)
    sum.longitude += coordinate.longitude / Double(coordinates.count)
  }
  return sum
}
