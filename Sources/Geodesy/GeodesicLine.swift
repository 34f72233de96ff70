/// The shortest path between two points, solved once so that points along it cost little.
///
/// When several paths are shortest (through either pole between antipodes), it is one of them.
public struct GeodesicLine: Sendable {
  /// The first point.
  public let start: Coordinate
  /// The last point.
  public let end: Coordinate
  /// Length in metres, 0 or more.
  public let length: Double
  /// Direction at the start, degrees clockwise from true north, 0..<360; 0 when the length is 0.
  public let bearing: Double

  private let geodesic: Geodesic

  /// Finds the shortest path.
  /// - Complexity: O(1), about the cost of one distance and a half.
  public init(from start: Coordinate, to end: Coordinate) {
    let solution = InverseProblem(from: start, to: end).solution()
    self.start = start
    self.end = end
    length = solution.distance
    bearing = solution.distance == 0 ? 0 : solution.azimuth1.bearing
    geodesic = Geodesic(start: start, azimuth: solution.azimuth1)
  }

  /// The point after the `fraction` of the path.
  ///
  /// 0 gives ``start`` and 1 gives ``end``, exactly; a fraction outside 0...1 continues along the
  /// geodesic. Within 15 nm.
  /// - Complexity: O(1).
  public func coordinate(atFraction fraction: Double) -> Coordinate {
    if fraction == 0 { return start }
    return fraction == 1 ? end : geodesic.position(at: fraction * length).coordinate
  }

  /// The point after the `fraction` of the path, and the azimuth of the path there.
  func position(atFraction fraction: Double) -> (coordinate: Coordinate, azimuth: UnitVector) {
    geodesic.position(at: fraction * length)
  }
}
