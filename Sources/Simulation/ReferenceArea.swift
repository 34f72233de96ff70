package import Geodesy

/// The area of a fence in the ground truth.
///
/// Its tests of inside and outside are independent of the engine's, so each checks the other.
package enum ReferenceArea: Sendable, Hashable {
  /// All points within `radius` metres of `center`.
  case circle(center: Coordinate, radius: Double)
  /// The union of rings with holes.
  case polygons([Rings])

  /// An outer ring and the holes in it; the first corner is not repeated at the end.
  ///
  /// Edges are straight in longitude and latitude (RFC 7946 §3.1.1) and go the shorter way round; a
  /// ring that goes round the Earth contains the nearer pole.
  package struct Rings: Sendable, Hashable {
    package var outer: [Coordinate]
    package var holes: [[Coordinate]]

    package init(outer: [Coordinate], holes: [[Coordinate]] = []) {
      self.outer = outer
      self.holes = holes
    }
  }

  /// Whether a point is in the area.
  package func contains(_ position: Coordinate) -> Bool {
    switch self {
    case .circle(let center, let radius):
      position.distance(to: center) <= radius
    case .polygons(let polygons):
      polygons.contains { rings in
        Self.ring(rings.outer, isRound: position)
          && !rings.holes.contains { Self.ring($0, isRound: position) }
      }
    }
  }

  /// A lower bound of the distance from `position` to the edge, in metres.
  func leastDistanceToEdge(from position: Coordinate) -> Double {
    switch self {
    case .circle(let center, let radius):
      abs(position.distance(to: center) - radius)
    case .polygons(let polygons):
      polygons.flatMap { [$0.outer] + $0.holes }
        .map { EdgeDistance(from: position).leastDistance(to: $0) }.min() ?? .infinity
    }
  }

  /// Whether a point is in a ring, by the edges that the meridian from it to the North Pole meets.
  ///
  /// Their number is odd exactly when the ring separates the point from the pole. On the meridian
  /// of a corner an edge counts when exactly one of its ends is west of it.
  private static func ring(_ corners: [Coordinate], isRound position: Coordinate) -> Bool {
    guard var before = corners.last else { return false }
    var isParted = false
    for corner in corners {
      let edge = eastward(from: before, to: corner)
      let west = eastward(from: position, to: before)
      if (west < 0) != (west + edge < 0) {
        let share = -west / edge
        let meeting = before.latitude + share * (corner.latitude - before.latitude)
        if meeting > position.latitude { isParted.toggle() }
      }
      before = corner
    }
    return isParted != holdsNorthPole(corners)
  }

  /// Whether a ring goes round the Earth, nearer to the North Pole than to the South Pole.
  private static func holdsNorthPole(_ corners: [Coordinate]) -> Bool {
    guard var before = corners.last else { return false }
    var (turned, latitudes) = (0.0, 0.0)
    for corner in corners {
      turned += eastward(from: before, to: corner)
      latitudes += corner.latitude
      before = corner
    }
    return abs(turned) > 180 && latitudes > 0
  }

  /// Degrees eastward by the shorter way.
  private static func eastward(from a: Coordinate, to b: Coordinate) -> Double {
    (b.longitude - a.longitude).remainder(dividingBy: 360)
  }
}
