import Glibc

/// A place as scoring measures between places: on a sphere.
///
/// Scores need no millimetres, and the sphere is what the figures that ours are compared with were
/// computed on (0.56 % at most beside the ellipsoid).
struct Spot: Sendable, Hashable {
  let latitude: Double
  let longitude: Double

  /// The mean radius of the Earth, metres (IUGG).
  private static let radius = 6_371_008.8

  /// Metres along the great circle, by the haversine formula.
  func distance(to other: Spot) -> Double {
    let radian = Double.pi / 180
    let north = sin((other.latitude - latitude) * radian / 2)
    let east = sin((other.longitude - longitude) * radian / 2)
    let share = north * north + cos(latitude * radian) * cos(other.latitude * radian) * east * east
    return 2 * Self.radius * asin(min(1, share.squareRoot()))
  }
}

extension Spot {
  init(_ record: Record) throws(RecordError) {
    latitude = try record.number("latitude")
    longitude = try record.number("longitude")
  }
}
