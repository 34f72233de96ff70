import Geodesy

/// A path along geodesics through points.
struct GeodesicPath: Sendable {
  private struct Leg: Sendable {
    let line: GeodesicLine
    /// Course on arrival, which differs from the bearing at the start on a long leg.
    let arrival: Double
    /// Metres of the path before this leg.
    let behind: Double
    let environment: Environment

    func course(at position: Coordinate, along: Double) -> Double {
      // Within a metre of the end the bearing to it is all rounding.
      line.length - along > 1 ? position.bearing(to: line.end) : arrival
    }
  }

  private var legs: [Leg] = []
  /// Metres from the first point to the last.
  private(set) var length = 0.0

  init(from origin: Coordinate, through waypoints: some Sequence<Waypoint>) {
    var position = origin
    for waypoint in waypoints {
      let line = GeodesicLine(from: position, to: waypoint.position)
      // Two equal points have no course between them.
      guard line.length > 0 else { continue }
      let back = waypoint.position.bearing(to: position)
      legs.append(
        Leg(
          line: line, arrival: (back + 180).truncatingRemainder(dividingBy: 360), behind: length,
          environment: waypoint.environment))
      length += line.length
      position = waypoint.position
    }
  }

  /// The position, course and environment after `distance` metres.
  func position(at distance: Double) -> (Coordinate, course: Double, Environment)? {
    guard let leg = leg(at: distance) else { return nil }
    let along = distance - leg.behind
    let position = leg.line.coordinate(atFraction: min(along / leg.line.length, 1))
    return (position, leg.course(at: position, along: along), leg.environment)
  }

  private func leg(at distance: Double) -> Leg? {
    var (low, high) = (0, legs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if legs[middle].behind <= distance { low = middle } else { high = middle }
    }
    return legs.isEmpty ? nil : legs[low]
  }
}
