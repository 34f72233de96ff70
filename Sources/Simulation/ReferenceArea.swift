package import Geodesy

/// The area of a fence, as the truth is told of it.
///
/// It has its own tests of inside and outside, written apart from the engine's, so that the one
/// checks the other.
package enum WatchedArea: Sendable, Hashable {
  /// All places within `radius` metres of `center`.
  case circle(center: Coordinate, radius: Double)
  /// The union of rings with holes.
  case polygons([Rings])

  /// An outer ring and the holes in it; the first corner is not repeated at the end.
  ///
  /// Edges are straight in longitude and latitude (RFC 7946 §3.1.1) and go the shorter way round;
  /// a ring that goes round the Earth holds the nearer pole.
  package struct Rings: Sendable, Hashable {
    package var outer: [Coordinate]
    package var holes: [[Coordinate]]

    package init(outer: [Coordinate], holes: [[Coordinate]] = []) {
      self.outer = outer
      self.holes = holes
    }
  }

  /// Whether a place is in the area.
  package func contains(_ place: Coordinate) -> Bool {
    switch self {
    case .circle(let center, let radius):
      place.distance(to: center) <= radius
    case .polygons(let polygons):
      polygons.contains { rings in
        Self.ring(rings.outer, isRound: place)
          && !rings.holes.contains { Self.ring($0, isRound: place) }
      }
    }
  }

  /// A distance in metres that one must at least go from `place` to cross the edge.
  func leastDistanceToEdge(from place: Coordinate) -> Double {
    switch self {
    case .circle(let center, let radius):
      abs(place.distance(to: center) - radius)
    case .polygons(let polygons):
      polygons.flatMap { [$0.outer] + $0.holes }
        .map { EdgeDistance(from: place).leastDistance(to: $0) }.min() ?? .infinity
    }
  }

  /// Whether a place is in a ring, by the edges that the meridian from it to the North Pole meets.
  ///
  /// Their number is odd just when the ring parts the place from the pole. On the meridian of a
  /// corner an edge counts when exactly one of its ends is west of it.
  private static func ring(_ corners: [Coordinate], isRound place: Coordinate) -> Bool {
    guard var before = corners.last else { return false }
    var isParted = false
    for corner in corners {
      let edge = eastward(from: before, to: corner)
      let west = eastward(from: place, to: before)
      if (west < 0) != (west + edge < 0) {
        let share = -west / edge
        let meeting = before.latitude + share * (corner.latitude - before.latitude)
        if meeting > place.latitude { isParted.toggle() }
      }
      before = corner
    }
    return isParted != holdsNorthPole(corners)
  }

  /// Whether a ring goes round the Earth, nearer to the North Pole than to the other.
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
