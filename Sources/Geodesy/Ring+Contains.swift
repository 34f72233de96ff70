internal import Glibc

extension Ring {
  /// On which side of a ring a place is.
  enum Side {
    case inside, outside, edge
  }

  /// Where `place` is, by the parity of the edges north of it.
  ///
  /// - Parameter tolerance: Degrees from an edge that still count as on it.
  func side(of place: Coordinate, tolerance: Double = 0) -> Side {
    if abs(place.latitude) >= 90 { return poleSide(isNorth: place.latitude > 0) }
    var isOdd = false
    // The ring may pass over the meridian of the place more than once.
    for shift in Self.shifts(
      minX - tolerance - place.longitude, maxX + tolerance - place.longitude)
    {
      // The same sum as for a vertex of the same longitude, so that they are equal to the bit.
      let point = PlanePoint(x: place.longitude + shift, y: place.latitude)
      for index in 0..<edgeCount {
        switch Self.relation(edge(index), point, tolerance) {
        case .inside: isOdd.toggle()
        case .edge: return .edge
        case .outside: break
        }
      }
    }
    let isNorthward = winding & 1 != 0 && holdsNorth
    return isOdd != isNorthward ? .inside : .outside
  }

  /// A pole belongs to a ring that touches it in any vertex, or holds it.
  private func poleSide(isNorth: Bool) -> Side {
    if isNorth ? north >= 90 : south <= -90 { return .edge }
    return winding & 1 != 0 && holdsNorth == isNorth ? .inside : .outside
  }

  /// Whether `point` is on the edge, or south of it (`inside`: one more for the parity).
  @inline(__always)
  private static func relation(
    _ edge: PlaneSegment, _ point: PlanePoint, _ tolerance: Double
  ) -> Side {
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
