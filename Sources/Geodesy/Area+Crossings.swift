extension Area {
  /// Appends where the straight way from `a` to `b` passes the edge, as fractions of the way.
  ///
  /// The device goes along the geodesic at even speed. The fractions are 0...1, ascending, and
  /// alternate: from outside to inside and back, beginning with what ``contains(_:)`` says of `a`.
  /// Their number is even exactly when `contains(a) == contains(b)`. A touch from outside that does
  /// not enter gives none; a way along an edge is inside.
  ///
  /// Circles: right to 1 mm along the way; that two ends outside have a way through the circle is
  /// decided by the exact geodesic when it is near. Polygons: right to 1 cm beside the way, or to
  /// 1e-7 of its length when that is more.
  /// - Complexity: Circles: O(1), without trigonometry or allocation for near ends unless the way
  ///   only grazes the edge. Polygons: O(n) for n vertices and ways up to some 500 m (at 45
  ///   degrees), then more with the pieces that are straight on the map.
  public func crossings(
    from a: Coordinate, to b: Coordinate, into fractions: inout [Double]
  ) {
    switch self {
    case .circle(let circle): circle.crossings(from: a, to: b, into: &fractions)
    case .polygons(let polygons):
      PolygonPassage(polygons: polygons, from: a, to: b).crossings(into: &fractions)
    }
  }
}
