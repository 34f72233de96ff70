/// Why rings do not form a polygon.
///
/// Ring 0 is the exterior, 1 the first hole; vertices and edges count from 0, an edge by its first
/// vertex.
public enum PolygonError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A ring has fewer than three different vertices.
  case tooFewVertices(ring: Int, count: Int)
  /// A vertex is not a number or out of range.
  case invalidCoordinate(ring: Int, index: Int)
  /// All vertices of a ring are on one line.
  case zeroArea(ring: Int)
  /// Two edges of a ring cross or lie on each other.
  case selfIntersection(ring: Int, edge: Int, other: Int)
  /// Too many edges lie over the same longitudes, or a ring goes round the Earth too often, to
  /// check in bounded time whether edges cross.
  case tooTangled(ring: Int)
  /// A hole is outside of the outer ring, in whole or in part: beside this edge of it.
  ///
  /// The edge is the first of the hole that has such a place beside it, or that meets the outer ring
  /// where an edge of that one has.
  case holeOutside(ring: Int, edge: Int)
  /// Two holes overlap, or are the same; `other` is the lower number.
  ///
  /// The polygon would be inside where both are, as a point is in an odd number of rings there.
  case holeOverlap(ring: Int, other: Int)
  /// A hole is all that the outer ring encloses, so no point would be inside.
  case holeWithoutRest(ring: Int)

  /// What was found, what was expected and what to do, in one sentence.
  public var description: String {
    switch self {
    case .tooFewVertices(let ring, let count):
      "\(Self.name(ring)) has \(count) different vertices; a polygon needs at least 3."
    case .invalidCoordinate(let ring, let index):
      "vertex \(index) of \(Self.name(ring)) is not a position: latitudes run from -90 to 90 and "
        + "longitudes from -180 to 180."
    case .zeroArea(let ring):
      "\(Self.name(ring)) encloses nothing, as all its vertices are on one line; "
        + "give vertices around an area."
    case .selfIntersection(let ring, let edge, let other):
      "edges \(edge) and \(other) of \(Self.name(ring)) cross; order its vertices so that "
        + "the ring does not cross itself."
    case .tooTangled(let ring):
      "\(Self.name(ring)) has too many long edges over each other to see whether they cross; "
        + "simplify it, or cut it into several polygons."
    case .holeOutside(let ring, let edge):
      "\(Self.name(ring)) is outside of the outer ring at its edge \(edge); "
        + "keep holes inside of it."
    case .holeOverlap(let ring, let other):
      "\(Self.name(ring)) overlaps \(Self.name(other)); make one hole of both."
    case .holeWithoutRest(let ring):
      "\(Self.name(ring)) is as large as the outer ring, so nothing is left; "
        + "make it smaller, or remove it."
    }
  }

  private static func name(_ ring: Int) -> String {
    ring == 0 ? "the outer ring" : "hole \(ring)"
  }
}
