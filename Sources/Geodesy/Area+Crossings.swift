extension Area {
  /// Appends where the straight path from `a` to `b` crosses the edge, as fractions of the path.
  ///
  /// The device moves along the geodesic at constant speed. The fractions are 0...1, ascending, and
  /// alternate between entering and leaving, beginning from what ``contains(_:)`` returns for `a`.
  /// Their number is even exactly when `contains(a) == contains(b)`. A touch from outside that does
  /// not enter adds no crossing; a path along an edge is inside.
  ///
  /// Circles: accurate to 1 mm along the path. When both ends are outside and the path passes near
  /// the edge, the exact geodesic decides whether it enters. Polygons: accurate to 1 cm beside the
  /// path, or to 1e-7 of its length when that is more.
  /// - Complexity: Circles: O(1), without trigonometry or allocation for near ends unless the path
  ///   only grazes the edge. Polygons: O(log n) for most rings of n vertices and paths up to
  ///   some 500 m (at 45 degrees), then more with the pieces that are straight on the map.
  public func crossings(
    from a: Coordinate, to b: Coordinate, into fractions: inout [Double]
  ) {
    switch self {
    case .circle(let circle): circle.crossings(from: a, to: b, into: &fractions)
    case .polygons(let polygons):
      PolygonIntersection(polygons: polygons, from: a, to: b).crossings(into: &fractions)
    }
  }
}
