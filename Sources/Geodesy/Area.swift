/// A part of the Earth's surface with a closed edge: a circle, or polygons with holes.
public enum Area: Sendable, Hashable, Codable {
  /// All places within a geodesic distance of a centre.
  case circle(Circle)
  /// The union of polygons.
  case polygons([Polygon])
}
