import Geodesy
import Glibc

/// A fast lower bound of the distance from a position to the edges of a ring.
///
/// It computes with great circles on the sphere of the ellipsoid's normals, and allows for the
/// difference: no radius of curvature of WGS 84 is below 6 335 km, a geodesic of some 100 km stays
/// within a few metres of that great circle, and a line that is straight in longitude and latitude
/// leaves it by at most R · Δλ² / 8 · sin φ cos φ (the sagitta of the parallel).
struct EdgeDistance {
  private static let leastRadius = 6_335_000.0
  private static let allowance = 20.0
  /// 1.5 times what the sagitta needs, with the greatest sin φ cos φ, ½.
  private static let sagitta = 1.5 * 6_400_000.0 / 16

  private let position: SIMD3<Double>

  init(from position: Coordinate) {
    self.position = Self.normal(position)
  }

  /// A lower bound of the distance to the ring, metres; 0 near it.
  func leastDistance(to ring: [Coordinate]) -> Double {
    guard var before = ring.last else { return .infinity }
    var least = Double.infinity
    for corner in ring {
      let angle = angle(to: Self.normal(before), Self.normal(corner))
      let turn = (corner.longitude - before.longitude).remainder(dividingBy: 360) * .pi / 180
      least = min(least, angle * Self.leastRadius - Self.sagitta * turn * turn)
      before = corner
    }
    return max(0, least - Self.allowance)
  }

  /// Angle in radians to the arc from `a` to `b`.
  private func angle(to a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let pole = cross(a, b)
    let isBeside = dot(cross(pole, a), position) >= 0 && dot(cross(b, pole), position) >= 0
    let length = dot(pole, pole).squareRoot()
    guard isBeside, length > 0 else { return min(angle(to: a), angle(to: b)) }
    return asin(min(1, abs(dot(pole, position)) / length))
  }

  private func angle(to corner: SIMD3<Double>) -> Double {
    let chord = position - corner
    return 2 * asin(min(1, dot(chord, chord).squareRoot() / 2))
  }

  private static func normal(_ position: Coordinate) -> SIMD3<Double> {
    let (latitude, longitude) = (position.latitude * .pi / 180, position.longitude * .pi / 180)
    return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
