/// Gauss's formulas for the middle latitude around a fixed latitude: length and direction of a
/// short geodesic from the differences of latitude and longitude, by arithmetic alone.
struct MiddleLatitude: Sendable {
  /// Numbers of two points, side by side.
  typealias Pair = SIMD2<Double>

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

  /// Whether a vector of this length is accurate to 0.01 mm, by a quick check: ``errorBound(_:)``
  /// of 10 km is 3 µm where it is not infinite.
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

  /// The vector in the direction of the path at its middle, the sine of the middle latitude, and η²
  /// for the convergence.
  ///
  /// Small steps, because the compiler takes long to type-check vectors in large ones.
  /// Small steps, as the compiler takes long for vectors in large ones.
  @inline(__always)
  private func middle(_ north: Pair, _ east: Pair) -> (x: Pair, y: Pair, sine: Pair, eta: Pair) {
    let half: Pair = north * 0.5
    let q: Pair = half * half
    // Divisions are slow; by a constant, a multiplication is as exact.
    var sinHalf: Pair = 1 - q * (1 / 42.0)
    sinHalf = 1 - q * (1 / 20.0) * sinHalf
    sinHalf = half * (1 - q * (1 / 6.0) * sinHalf)
    var cosHalf: Pair = 1 - q * (1 / 30.0)
    cosHalf = 1 - q * (1 / 12.0) * cosHalf
    cosHalf = 1 - q * 0.5 * cosHalf
    let s: Pair = sine * cosHalf + cosine * sinHalf
    let c: Pair = cosine * cosHalf - sine * sinHalf

    // V² = 1 + η², N = a (1 + e'²)^½ / V.
    let eta: Pair = Ellipsoid.secondEccentricitySquared * c * c
    let v2: Pair = 1 + eta
    let normal: Pair = Ellipsoid.equatorialRadius / Ellipsoid.axisRatio / v2.squareRoot()
    let inverse: Pair = 1 / v2
    // t² η² = e'² sin² φ.
    let t2eta: Pair = Ellipsoid.secondEccentricitySquared * s * s
    let north2: Pair = north * north * inverse * inverse
    let east2: Pair = east * east
    var x: Pair = 1 + eta - 9 * t2eta
    x = c * (1 + north2 * x * (1 / 24.0))
    x -= c * s * s * east2 * (1 / 24.0)
    var y: Pair = 2 * c * c + 3 * s * s
    y += 2 * eta * c * c
    y = 1 - east2 * y * (1 / 24.0)
    let slope: Pair = eta - t2eta + eta * (eta + 4 * t2eta)
    y += north2 * slope * 0.125
    return (normal * east * x, normal * inverse * north * y, s, eta)
  }

  /// The square of the distance, square metres.
  @inline(__always)
  func squaredDistance(north: Double, east: Double) -> Double {
    let (x, y, _, _) = middle(Pair(repeating: north), Pair(repeating: east))
    return Vector(x: x[0], y: y[0]).squaredLength
  }

  /// The vector whose direction is the bearing at the fixed latitude.
  @inline(__always)
  func vector(north: Double, east: Double) -> Vector {
    let (x, y) = vectors(north: Pair(repeating: north), east: Pair(repeating: east))
    return Vector(x: x[0], y: y[0])
  }

  /// Two such vectors, in the time of one.
  @inline(__always)
  func vectors(north: Pair, east: Pair) -> (x: Pair, y: Pair) {
    let (x, y, sine, eta) = middle(north, east)
    let inverse: Pair = 1 / (1 + eta)
    let cosine2: Pair = 1 - sine * sine
    // Half the convergence of the meridians; the path's bearing grows by twice this.
    var growth: Pair = 3 + 2 * eta - 2 * eta * eta
    growth = 1 + north * north * growth * (inverse * inverse * (1 / 24.0))
    growth += east * east * cosine2 * (1 + eta) * (1 / 12.0)
    let angle: Pair = sine * east * 0.5 * growth
    // A rotation by the half tangent keeps the length.
    let tangent: Pair = angle * 0.5 * (1 + angle * angle * (1 / 12.0))
    let scale: Pair = 1 / (1 + tangent * tangent)
    let sin: Pair = 2 * tangent * scale
    let cos: Pair = (1 - tangent * tangent) * scale
    return (x * cos - y * sin, y * cos + x * sin)
  }
}
