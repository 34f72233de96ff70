import Geodesy
import Glibc

/// How far a place is at least from the edges of a ring, cheaply.
///
/// It computes on a sphere with the ellipsoid's normals, and allows for the difference: on WGS 84
/// no radius of curvature is below 6 335 km, and over edges of some 100 km a geodesic keeps within
/// a few metres of the great circle of the normals.
struct EdgeDistance {
  private static let leastRadius = 6_335_000.0
  private static let allowance = 20.0

  private let place: SIMD3<Double>

  init(from place: Coordinate) {
    self.place = Self.normal(place)
  }

  /// A distance in metres that the ring is not nearer than; 0 near it.
  func leastDistance(to ring: [Coordinate]) -> Double {
    guard var before = ring.last.map(Self.normal) else { return .infinity }
    var angle = Double.pi
    for corner in ring {
      let next = Self.normal(corner)
      angle = min(angle, self.angle(to: before, next))
      before = next
    }
    return max(0, angle * Self.leastRadius - Self.allowance)
  }

  /// Angle in radians to the arc from `a` to `b`.
  private func angle(to a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let pole = cross(a, b)
    let isBeside = dot(cross(pole, a), place) >= 0 && dot(cross(b, pole), place) >= 0
    let length = dot(pole, pole).squareRoot()
    guard isBeside, length > 0 else { return min(angle(to: a), angle(to: b)) }
    return asin(min(1, abs(dot(pole, place)) / length))
  }

  private func angle(to corner: SIMD3<Double>) -> Double {
    let chord = place - corner
    return 2 * asin(min(1, dot(chord, chord).squareRoot() / 2))
  }

  private static func normal(_ place: Coordinate) -> SIMD3<Double> {
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
