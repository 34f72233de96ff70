internal import Glibc

extension Ring {
  /// The location of a point relative to a ring.
  enum Location {
    case inside, outside, edge
  }

  /// The location of `coordinate`, by the parity of the edges north of it.
  ///
  /// - Parameter tolerance: Degrees from an edge that still count as on it.
  func location(of coordinate: Coordinate, tolerance: Double = 0) -> Location {
    if abs(coordinate.latitude) >= 90 { return poleLocation(isNorth: coordinate.latitude > 0) }
    var isOdd = false
    // The ring may pass over the point's meridian more than once.
    for shift in Self.shifts(
      minX - tolerance - coordinate.longitude, maxX + tolerance - coordinate.longitude)
    {
      // The same sum as for a vertex of the same longitude, so both are equal to the bit.
      let point = PlanePoint(x: coordinate.longitude + shift, y: coordinate.latitude)
      var isOnEdge = false
      edges.search { box, range in
        if box.isBesideOrSouth(of: point, tolerance) { return true }
        guard box.isNorth(of: point, tolerance) else { return false }
        // Of a line north of the point only the sides of its ends count.
        let (start, end) = (points[range.lowerBound].x, points[range.upperBound].x)
        if (start <= point.x) != (end <= point.x) { isOdd.toggle() }
        return true
      } _: { index in
        let relation = Self.relation(edge(index), point, tolerance)
        if relation == .inside { isOdd.toggle() }
        isOnEdge = relation == .edge
        return !isOnEdge
      }
      if isOnEdge { return .edge }
    }
    let isNorthward = winding & 1 != 0 && holdsNorth
    return isOdd != isNorthward ? .inside : .outside
  }

  /// A pole belongs to a ring that touches it in any vertex, or contains it.
  private func poleLocation(isNorth: Bool) -> Location {
    if isNorth ? north >= 90 : south <= -90 { return .edge }
    return winding & 1 != 0 && holdsNorth == isNorth ? .inside : .outside
  }

  /// Whether `point` is on the edge, or south of it (`inside`: toggles the parity).
  @inline(__always)
  private static func relation(
    _ edge: PlaneSegment, _ point: PlanePoint, _ tolerance: Double
  ) -> Location {
    let (a, b) = (edge.start, edge.end)
    if point.y > max(a.y, b.y) + tolerance { return .outside }
    if point.x < min(a.x, b.x) - tolerance || point.x > max(a.x, b.x) + tolerance {
      return .outside
    }
    let side = edge.side(point)
    if point.y >= min(a.y, b.y) - tolerance {
      let isOn =
        tolerance == 0
        ? side == 0 : abs(side) <= tolerance * (abs(b.x - a.x) + abs(b.y - a.y))
      if isOn { return .edge }
    }
    guard (a.x <= point.x) != (b.x <= point.x) else { return .outside }
    return (b.x > a.x) == (side < 0) ? .inside : .outside
  }
}
