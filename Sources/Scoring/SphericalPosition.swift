import Glibc

/// A position on a sphere.
///
/// Scores need no millimetres, and the published metrics that ours are compared with were computed
/// on the sphere. It differs from the ellipsoid by at most 0.56 %.
struct SphericalPosition: Sendable, Hashable {
  let latitude: Double
  let longitude: Double

  /// The mean radius of the Earth, metres (IUGG).
  private static let radius = 6_371_008.8

  /// Metres along the great circle, by the haversine formula.
  func distance(to other: SphericalPosition) -> Double {
    let radian = Double.pi / 180
    let north = sin((other.latitude - latitude) * radian / 2)
    let east = sin((other.longitude - longitude) * radian / 2)
    let share = north * north + cos(latitude * radian) * cos(other.latitude * radian) * east * east
    return 2 * Self.radius * asin(min(1, share.squareRoot()))
  }

  /// Metres on a flat map around `other`, accurate to a percent over some kilometres.
  func flatDistance(to other: SphericalPosition) -> Double {
    Self.flatLength(
      north: latitude - other.latitude,
      east: (longitude - other.longitude).remainder(dividingBy: 360), latitude: other.latitude)
  }

  /// Metres of a way of so many degrees on a flat map around a latitude.
  static func flatLength(north: Double, east: Double, latitude: Double) -> Double {
    let (north, east) = (north * 110_574, east * 111_320 * cos(latitude * .pi / 180))
    return (north * north + east * east).squareRoot()
  }
}

extension SphericalPosition {
  init(_ record: JSONRecord) throws(RecordError) {
    latitude = try record.number("latitude")
    longitude = try record.number("longitude")
  }
}
