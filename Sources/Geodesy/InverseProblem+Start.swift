internal import Glibc

extension InverseProblem {
  enum StartingPoint {
    /// The points are so near that the spherical answer is exact.
    case solved(InverseSolution)
    /// A first azimuth for Newton's method.
    case azimuth(UnitVector)
  }

  /// Below this arc (about 0.2 m) the spherical solution is exact to rounding: the relative error
  /// is f σ² / 2 times a small number.
  private static var exactArc: Double { 3.6e-8 }

  /// The azimuth on a sphere, of equal longitude for far points (section 5) and of the radius at
  /// the middle for near ones (equation 48); near the antipode, the astroid.
  func startingPoint() -> StartingPoint {
    let along = beta2.sin * beta1.cos - beta2.cos * beta1.sin
    let cosBeta12 = beta2.cos * beta1.cos + beta2.sin * beta1.sin
    let isShort = cosBeta12 >= 0 && along < 0.5 && beta2.cos * lambda < 0.5
    let radius = isShort ? middleRadius : 1
    let omega =
      isShort ? UnitVector(radians: lambda / (Ellipsoid.axisRatio * radius)) : lambdaUnit
    let first = sphericalAzimuth(omega)
    let sinSigma = hypot(first.east, first.north)
    let cosSigma = beta1.sin * beta2.sin + beta1.cos * beta2.cos * omega.cos
    if isShort && sinSigma < Self.exactArc {
      // 1 - cos ω without loss of digits; over a pole ω is about a half turn.
      let versine = omega.cos >= 0 ? omega.sin * omega.sin / (1 + omega.cos) : 1 - omega.cos
      let north = along - beta1.cos * beta2.sin * versine
      return .solved(
        InverseSolution(
          distance: Ellipsoid.polarRadius * radius * atan2(sinSigma, cosSigma),
          azimuth1: UnitVector(normalizing: first.east, first.north),
          azimuth2: UnitVector(normalizing: beta1.cos * omega.sin, north)))
    }
    let isAntipodal =
      cosSigma < 0
      && sinSigma < 6 * Ellipsoid.thirdFlattening * .pi * beta1.cos * beta1.cos
    if isAntipodal { return .azimuth(antipodalAzimuth) }
    // Over a pole, ω at the middle's radius may exceed the half turn and lead to the west.
    guard first.east > 0 else { return .azimuth(UnitVector(sin: 1, cos: 0)) }
    return .azimuth(UnitVector(normalizing: first.east, first.north))
  }

  /// √(1 + e'² sin² β) at the middle latitude.
  private var middleRadius: Double {
    let (sine, cosine) = (beta1.sin + beta2.sin, beta1.cos + beta2.cos)
    let square = sine * sine / (sine * sine + cosine * cosine)
    return (1 + Ellipsoid.secondEccentricitySquared * square).squareRoot()
  }

  /// The direction to the second point on a sphere; its length is the sine of the arc (49).
  private func sphericalAzimuth(_ omega: UnitVector) -> (east: Double, north: Double) {
    let square = omega.sin * omega.sin
    let along =
      omega.cos >= 0
      ? beta2.sin * beta1.cos - beta2.cos * beta1.sin + beta2.cos * beta1.sin * square
        / (1 + omega.cos)
      : beta2.sin * beta1.cos + beta2.cos * beta1.sin - beta2.cos * beta1.sin * square
        / (1 - omega.cos)
    return (beta2.cos * omega.sin, along)
  }

  /// The azimuth for nearly antipodal points, from the plane problem of the astroid (51 to 57).
  private var antipodalAzimuth: UnitVector {
    let squaredSine = beta1.sin * beta1.sin
    let k2 = squaredSine * Ellipsoid.secondEccentricitySquared
    let series = GeodesicSeries(epsilon: k2 / (2 * (1 + (1 + k2).squareRoot()) + k2))
    let longitudeScale = Ellipsoid.flattening * beta1.cos * series.a3 * .pi
    let sumSine = beta2.sin * beta1.cos + beta2.cos * beta1.sin
    let x = -atan2(lambdaUnit.sin, -lambdaUnit.cos) / longitudeScale
    let y = sumSine / (longitudeScale * beta1.cos)
    if y > -200 * .ulpOfOne && x > -1 - 1000 * Double.ulpOfOne.squareRoot() {
      // On the strip between the caustic's cusps the root of the quartic is ill-conditioned.
      let east = min(1, -x)
      return UnitVector(sin: east, cos: -(1 - east * east).squareRoot())
    }
    let root = Self.astroidRoot(x, y)
    let omega = longitudeScale * (-x * root / (1 + root))
    let first = sphericalAzimuth(UnitVector(sin: sin(omega), cos: -cos(omega)))
    return UnitVector(normalizing: max(first.east, ReducedLatitude.tiny), first.north)
  }

  /// The positive root of μ⁴ + 2μ³ + (1 − x² − y²)μ² − 2y²μ − y² = 0 (equation 55, appendix B).
  static func astroidRoot(_ x: Double, _ y: Double) -> Double {
    let (p, q) = (x * x, y * y)
    let r = (p + q - 1) / 6
    guard q != 0 || r > 0 else { return 0 }
    let s = p * q / 4
    let cube = r * r * r
    let discriminant = s * (s + 2 * cube)
    var u = r
    if discriminant >= 0 {
      let sum = s + cube
      // The sign that avoids cancellation.
      let t = cbrt(sum + (sum < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()))
      u += t + (t != 0 ? r * r / t : 0)
    } else {
      u += 2 * r * cos(atan2((-discriminant).squareRoot(), -(s + cube)) / 3)
    }
    let v = (u * u + q).squareRoot()
    let sum = u < 0 ? q / (v - u) : u + v
    let w = (sum - q) / (2 * v)
    return sum / ((sum + w * w).squareRoot() + w)
  }
}
