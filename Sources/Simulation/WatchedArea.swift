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

  /// Whether geodesics from corner to corner go round a place.
  ///
  /// The bearings from the place to the corners are followed round, each step by the shorter way, since an edge spans less than half
  /// of what one sees. This knows no longitudes, so the antimeridian and the poles are as all else.
  private static func ring(_ corners: [Coordinate], isRound place: Coordinate) -> Bool {
    guard let last = corners.last else { return false }
    var turned = 0.0
    var before = place.bearing(to: last)
    for corner in corners {
      let bearing = place.bearing(to: corner)
      var step = (bearing - before).truncatingRemainder(dividingBy: 360)
      if step > 180 { step -= 360 } else if step < -180 { step += 360 }
      turned += step
      before = bearing
    }
    return abs(turned) > 180
  }
}
