/// Gauss's formulas for the middle latitude around a fixed latitude: length and direction of a
/// short geodesic from the differences of latitude and longitude, by arithmetic alone.
struct MiddleLatitude: Sendable {
  let sine, cosine: Double

  init(_ latitude: Double) {
    let (sine, cosine) = Angle.sinCos(latitude)
    self.init(sine: sine, cosine: cosine)
  }

  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The largest difference of latitude or longitude, radians: the power series for the middle
  /// latitude are exact to rounding up to it.
  private static var reach: Double { 0.05 }

  /// Whether the differences, in radians, are small enough for this metric.
  static func covers(north: Double, east: Double) -> Bool {
    abs(north) <= reach && abs(east) <= reach
  }

  /// Radii of the meridian and of the parallel, metres per radian.
  var radii: (meridian: Double, parallel: Double) {
    let square = 1 / (1 - Ellipsoid.eccentricitySquared * sine * sine)
    let normal = Ellipsoid.equatorialRadius * square.squareRoot()
    return (normal * (1 - Ellipsoid.eccentricitySquared) * square, normal * cosine)
  }

  /// Whether a vector of this length is right to 0.01 mm, told at once: ``errorBound(_:)`` of 10 km is
  /// 3 µm where that is not infinite.
  func isExact(_ vector: Vector) -> Bool {
    vector.squaredLength <= 1e8 && cosine >= Self.leastCosine
  }

  /// The cosine of 85 degrees, rounded down.
  private static var leastCosine: Double { 0.08715 }

  /// See ``LocalFrame/errorBound(distance:latitude:)``.
  func errorBound(_ distance: Double) -> Double {
    let relative = distance / Ellipsoid.polarRadius
    guard cosine >= Self.leastCosine, relative * (cosine + abs(sine)) <= 0.05 * cosine else {
      return .infinity
    }
    let ratio = relative / cosine
    return 1e-8 + distance
      * (relative * relative * relative / 3000 + (ratio * ratio) * (ratio * ratio) / 400)
  }

  /// The vector in the direction of the path at its middle, and the sine of the middle latitude
  /// and what else the convergence needs.
  @inline(__always)
  private func middle(_ north: Double, _ east: Double) -> (
    vector: Vector, sine: Double, eta: Double
  ) {
    let half = north / 2
    let q = half * half
    // Divisions are slow, and by a constant a product is as good.
    let sinHalf = half * (1 - q * (1 / 6) * (1 - q * (1 / 20) * (1 - q * (1 / 42))))
    let cosHalf = 1 - q * 0.5 * (1 - q * (1 / 12) * (1 - q * (1 / 30)))
    let s = sine * cosHalf + cosine * sinHalf
    let c = cosine * cosHalf - sine * sinHalf

    // V² = 1 + η², N = a (1 + e'²)^½ / V.
    let eta = Ellipsoid.secondEccentricitySquared * c * c
    let v2 = 1 + eta
    let normal = Ellipsoid.equatorialRadius / Ellipsoid.axisRatio / v2.squareRoot()
    let inverse = 1 / v2
    // t² η² = e'² sin² φ.
    let t2eta = Ellipsoid.secondEccentricitySquared * s * s
    let (north2, east2) = (north * north, east * east)
    let x =
      c * (1 + north2 * inverse * inverse * (1 + eta - 9 * t2eta) * (1 / 24))
      - c * s * s * east2 * (1 / 24)
    let y =
      1 - east2 * (2 * c * c + 3 * s * s + 2 * eta * c * c) * (1 / 24)
      + north2 * inverse * inverse * (eta - t2eta + eta * (eta + 4 * t2eta)) * 0.125
    return (Vector(x: normal * east * x, y: normal * inverse * north * y), s, eta)
  }

  /// The square of the distance, square metres.
  @inline(__always)
  func squaredDistance(north: Double, east: Double) -> Double {
    middle(north, east).vector.squaredLength
  }

  /// The vector whose direction is the bearing at the fixed latitude.
  @inline(__always)
  func vector(north: Double, east: Double) -> Vector {
    let (vector, sine, eta) = middle(north, east)
    let inverse = 1 / (1 + eta)
    let cosine2 = 1 - sine * sine
    // Half the convergence of the meridians; the path's bearing grows by twice this.
    let angle =
      sine * east * 0.5
      * (1 + north * north * (3 + 2 * eta - 2 * eta * eta) * (inverse * inverse * (1 / 24))
        + east * east * cosine2 * (1 + eta) * (1 / 12))
    // A rotation by the half tangent keeps the length.
    let tangent = angle * 0.5 * (1 + angle * angle * (1 / 12))
    let scale = 1 / (1 + tangent * tangent)
    let (sin, cos) = (2 * tangent * scale, (1 - tangent * tangent) * scale)
    return Vector(x: vector.x * cos - vector.y * sin, y: vector.y * cos + vector.x * sin)
  }
}
