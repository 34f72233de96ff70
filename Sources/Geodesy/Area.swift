internal import Glibc

/// A part of the Earth's surface with a closed edge: a circle, or polygons with holes.
public enum Area: Sendable, Hashable, Codable {
  /// All points within a geodesic distance of a centre.
  case circle(Circle)
  /// The union of polygons; parts that share an edge (as when cut at the antimeridian) are one.
  case polygons([Polygon])

  /// Whether `coordinate` is in the area or on its edge.
  ///
  /// As exact as ``Circle/contains(_:)`` and ``Polygon/contains(_:)``.
  public func contains(_ coordinate: Coordinate) -> Bool {
    switch self {
    case .circle(let circle): circle.contains(coordinate)
    case .polygons(let polygons): polygons.contains { $0.contains(coordinate) }
    }
  }

  /// A box that contains the area, nil when the area has no parts.
  /// - Complexity: O(parts).
  public var boundingBox: Box? {
    switch self {
    case .circle(let circle): circle.boundingBox
    case .polygons(let polygons):
      polygons.dropFirst().reduce(polygons.first?.boundingBox) { box, part in
        box?.union(part.boundingBox)
      }
    }
  }

  /// A measure of the area's size in metres: a circle's radius, or half the smaller side of the box
  /// around polygons; 0 when there are none.
  public var approximateSize: Double {
    switch self {
    case .circle(let circle): return circle.radius
    case .polygons:
      guard let box = boundingBox else { return 0 }
      let radii = MiddleLatitude((box.south + box.north) / 2).radii
      let height = (box.north - box.south) * Angle.radian * radii.meridian
      return min(height, box.width * Angle.radian * radii.parallel) / 2
    }
  }
}
