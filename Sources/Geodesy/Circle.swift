/// All places within `radius` metres of `center` along the ellipsoid.
public struct Circle: Sendable, Hashable, Codable {
  /// The middle.
  public let center: Coordinate
  /// Geodesic radius in metres, above 0.
  public let radius: Double

  /// Makes a circle.
  public init(center: Coordinate, radius: Double) {
    self.center = center
    self.radius = radius
  }
}
