extension Area {
  /// Whether both areas share a point (a common point of the edges is enough).
  ///
  /// Exact for two circles and, with the tolerance of ``Polygon/contains(_:)``, for polygons; a
  /// circle and a polygon are compared with ``signedDistance(to:)`` from the centre.
  /// - Complexity: O(n m) for n and m vertices whose boxes meet, else O(parts).
  public func overlaps(_ other: Area) -> Bool {
    switch (self, other) {
    case (.circle(let a), .circle(let b)):
      a.center.distance(to: b.center) <= a.radius + b.radius
    case (.circle(let circle), .polygons(let polygons)),
      (.polygons(let polygons), .circle(let circle)):
      polygons.contains { $0.overlaps(circle) }
    case (.polygons(let a), .polygons(let b)):
      a.contains { part in b.contains { part.overlaps($0) } }
    }
  }
}

extension Polygon {
  /// Whether the circle reaches an edge, or its centre is inside.
  func overlaps(_ circle: Circle) -> Bool {
    guard boundingBox.intersects(circle.boundingBox) else { return false }
    if Area.polygons([self]).signedDistance(to: circle.center) <= circle.radius { return true }
    // In a large circle the plane at the centre may have missed the nearest vertex.
    return rings.contains { $0.points.contains { circle.contains($0.coordinate) } }
  }

  /// Whether edges meet, or one polygon contains the other.
  ///
  /// As the edges do not meet, it then contains a vertex of it.
  func overlaps(_ other: Polygon) -> Bool {
    guard boundingBox.intersects(other.boundingBox) else { return false }
    if rings.contains(where: { ring in other.rings.contains { ring.meets($0) } }) { return true }
    return holdsVertex(of: other) || other.holdsVertex(of: self)
      || [90.0, -90].contains {
        let pole = Coordinate(latitude: $0, longitude: 0)
        return contains(pole) && other.contains(pole)
      }
  }

  private func holdsVertex(of other: Polygon) -> Bool {
    other.rings.contains { ring in
      ring.points.prefix(1).contains { contains($0.coordinate) }
    }
  }
}

extension Ring {
  /// Whether an edge of one meets an edge of the other.
  func meets(_ other: Ring) -> Bool {
    (0..<edgeCount).contains { index in
      let edge = edge(index)
      return Self.shifts(other.minX - edge.maxX, other.maxX - edge.minX).contains { shift in
        let shifted = edge.shifted(shift)
        return (0..<other.edgeCount).contains { other.edge($0).meets(shifted) }
      }
    }
  }
}
