/// The radii of the ellipsoid at a latitude, and how they change with it.
package struct EllipsoidRadii: Sendable {
  /// Sine and cosine of the latitude.
  package let sine, cosine: Double
  /// Radius of the parallel, metres.
  package let parallel: Double
  /// Radius of curvature of the meridian, metres.
  package let meridian: Double
  /// Change of the meridian's radius per radian, metres.
  package let meridianSlope: Double

  /// The radii at a latitude in degrees.
  package init(latitude: Double) {
    let middle = MiddleLatitude(latitude)
    (sine, cosine) = (middle.sine, middle.cosine)
    (meridian, parallel) = middle.radii
    let square = Ellipsoid.eccentricitySquared
    meridianSlope = 3 * square * sine * cosine * meridian / (1 - square * sine * sine)
  }

  /// Radians in a degree.
  package static var radian: Double { Angle.radian }
  /// The least radius of the ellipsoid, metres.
  package static var radius: Double { Ellipsoid.polarRadius }
}
