internal import Glibc

/// The geodesic from a point in a direction: the direct problem, solved once so that points along
/// it cost little.
///
/// Karney (2013), section 2; the names follow the paper: β reduced latitude, α azimuth, σ arc on
/// the auxiliary sphere from the node, ω longitude there, index 0 at the node on the equator.
struct Geodesic: Sendable {
  private let start: Coordinate
  private let sinAlpha0, cosAlpha0: Double
  private let sigma1, omega1, tau1: UnitVector
  private let scale, b11, b31, a3: Double
  private let c1Inverse, c3: SineSeries

  init(start: Coordinate, azimuth: UnitVector) {
    self.start = start
    let beta = ReducedLatitude(start.latitude)
    sinAlpha0 = azimuth.sin * beta.cos
    cosAlpha0 = hypot(azimuth.cos, azimuth.sin * beta.sin)
    // On the equator eastwards the node is everywhere: take it here.
    let northing = beta.sin != 0 || azimuth.cos != 0 ? beta.cos * azimuth.cos : 1
    sigma1 = UnitVector(normalizing: beta.sin, northing)
    omega1 = UnitVector(sin: sinAlpha0 * beta.sin, cos: northing)

    let series = GeodesicSeries(cosAlpha0: cosAlpha0)
    scale = Ellipsoid.polarRadius * series.a1
    b11 = series.c1.value(sigma1)
    tau1 = sigma1 + UnitVector(radians: b11)
    c1Inverse = series.c1Inverse
    c3 = series.c3
    b31 = c3.value(sigma1)
    a3 = -Ellipsoid.flattening * sinAlpha0 * series.a3
  }

  /// The point after `distance` metres (any number), and the azimuth there.
  func position(at distance: Double) -> (coordinate: Coordinate, azimuth: UnitVector) {
    let tau12 = distance / scale
    let sigma12 = tau12 + c1Inverse.value(tau1 + UnitVector(radians: tau12)) + b11
    var sigma2 = sigma1 + UnitVector(radians: sigma12)
    var cosBeta2 = hypot(sinAlpha0, cosAlpha0 * sigma2.cos)
    if cosBeta2 == 0 {
      // A pole: any tiny number keeps the angles defined.
      sigma2.cos = ReducedLatitude.tiny
      cosBeta2 = ReducedLatitude.tiny
    }
    let omega2 = UnitVector(sin: sinAlpha0 * sigma2.sin, cos: sigma2.cos)
    let omega12 = omega2 - omega1
    let lambda12 = atan2(omega12.sin, omega12.cos) + a3 * (sigma12 + c3.value(sigma2) - b31)
    let coordinate = Coordinate(
      latitude: Angle.atan2(cosAlpha0 * sigma2.sin, Ellipsoid.axisRatio * cosBeta2),
      longitude: Angle.wrapped(start.longitude + Angle.wrapped(lambda12 / Angle.radian)))
    return (coordinate, UnitVector(normalizing: sinAlpha0, cosAlpha0 * sigma2.cos))
  }
}

/// A latitude β on the auxiliary sphere: tan β = (1 − f) tan φ.
struct ReducedLatitude: Sendable {
  /// Replaces zero where a quotient must stay defined.
  static var tiny: Double { 1.5e-154 }

  var sin, cos: Double

  /// From a geodetic latitude in degrees.
  init(_ latitude: Double) {
    let (sine, cosine) = Angle.sinCos(latitude)
    let unit = UnitVector(normalizing: Ellipsoid.axisRatio * sine, cosine)
    sin = unit.sin
    cos = max(unit.cos, Self.tiny)
  }

  /// √(1 + e'² sin² β).
  var stretch: Double { (1 + Ellipsoid.secondEccentricitySquared * sin * sin).squareRoot() }
}
