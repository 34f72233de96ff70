internal import Glibc

/// The shortest path between two points: its length and its azimuths at both ends.
struct InverseSolution: Sendable {
  /// Metres.
  var distance: Double
  /// Azimuth at the first point.
  var azimuth1: UnitVector
  /// Azimuth of the onward path at the second point.
  var azimuth2: UnitVector
}

/// The inverse problem in Karney's canonical form: the first point is south of the equator and at
/// least as far from it as the second, which is to the east.
///
/// Karney (2013), sections 4 and 5.
struct InverseProblem: Sendable {
  private(set) var beta1, beta2: ReducedLatitude
  /// Longitude difference, radians, 0...π.
  let lambda: Double
  let lambdaUnit: UnitVector
  private let isSwapped: Bool
  private let longitudeSign, latitudeSign: Double

  init(from a: Coordinate, to b: Coordinate) {
    let east = Angle.difference(from: a.longitude, to: b.longitude)
    let sign: Double = east.value < 0 || (east.value == 0 && east.error < 0) ? -1 : 1
    let way = (value: east.value * sign, error: east.error * sign)
    lambda = (way.value + way.error) * Angle.radian
    let unit = Angle.sinCos(way.value, adding: way.error)
    // One meridian, as long as no product of the sine may vanish.
    lambdaUnit = UnitVector(sin: unit.sin < ReducedLatitude.tiny ? 0 : unit.sin, cos: unit.cos)

    isSwapped = abs(a.latitude) < abs(b.latitude)
    longitudeSign = isSwapped ? -sign : sign
    let (far, near) = isSwapped ? (b.latitude, a.latitude) : (a.latitude, b.latitude)
    latitudeSign = far < 0 ? 1 : -1
    beta1 = ReducedLatitude(far * latitudeSign)
    beta2 = ReducedLatitude(near * latitudeSign)
    levelEqualLatitudes()
  }

  /// Makes |β₁| = |β₂| exact in both functions where it holds in one, so that the difference of
  /// squares under the root for α₂ is then exactly 0.
  private mutating func levelEqualLatitudes() {
    if beta1.cos < -beta1.sin {
      if beta2.cos == beta1.cos { beta2.sin = beta2.sin < 0 ? beta1.sin : -beta1.sin }
    } else if abs(beta2.sin) == -beta1.sin {
      beta2.cos = beta1.cos
    }
  }

  /// Solves the problem.
  func solution() -> InverseSolution {
    restored(solveCanonical())
  }

  private func solveCanonical() -> InverseSolution {
    if lambdaUnit.sin == 0 || beta1.cos <= ReducedLatitude.tiny { return meridional() }
    if beta1.sin == 0 && lambda <= .pi * Ellipsoid.axisRatio { return equatorial() }
    switch startingPoint() {
    case .solved(let solution): return solution
    case .azimuth(let azimuth): return refined(azimuth)
    }
  }

  /// Undoes the exchange and the reflections of the canonical form.
  private func restored(_ canonical: InverseSolution) -> InverseSolution {
    var solution = canonical
    if isSwapped { swap(&solution.azimuth1, &solution.azimuth2) }
    let turn: Double = isSwapped ? -1 : 1
    solution.azimuth1.sin *= turn * longitudeSign
    solution.azimuth1.cos *= turn * latitudeSign
    solution.azimuth2.sin *= turn * longitudeSign
    solution.azimuth2.cos *= turn * latitudeSign
    return solution
  }

  private func meridional() -> InverseSolution {
    let sigma1 = UnitVector(normalizing: beta1.sin, lambdaUnit.cos * beta1.cos)
    let sigma2 = UnitVector(normalizing: beta2.sin, beta2.cos)
    let series = GeodesicSeries(cosAlpha0: 1)
    let arc = Arc(from: sigma1, to: sigma2)
    return InverseSolution(
      distance: Ellipsoid.polarRadius * arc.length(series),
      azimuth1: lambdaUnit, azimuth2: UnitVector(sin: 0, cos: 1))
  }

  private func equatorial() -> InverseSolution {
    let east = UnitVector(sin: 1, cos: 0)
    return InverseSolution(
      distance: Ellipsoid.equatorialRadius * lambda, azimuth1: east, azimuth2: east)
  }
}

/// An arc of a great circle on the auxiliary sphere, both ends measured from the node.
struct Arc {
  let sigma1, sigma2: UnitVector
  /// σ₂ − σ₁, radians, 0...π.
  let sigma12: Double

  init(from sigma1: UnitVector, to sigma2: UnitVector) {
    self.sigma1 = sigma1
    self.sigma2 = sigma2
    let difference = sigma2 - sigma1
    // Adding 0 makes a negative zero positive: a half turn is π, not −π.
    sigma12 = atan2(max(0, difference.sin) + 0, difference.cos)
  }

  /// Length on the ellipsoid over b (equation 7).
  func length(_ series: GeodesicSeries) -> Double {
    let c1 = series.c1
    return series.a1 * (sigma12 + (c1.value(sigma2) - c1.value(sigma1)))
  }

  /// Reduced length m₁₂ over b (equation 38), for the derivative in Newton's method.
  func reducedLength(_ series: GeodesicSeries, stretch1: Double, stretch2: Double) -> Double {
    let (a1, a2, c1, c2) = (series.a1, series.a2, series.c1, series.c2)
    let difference =
      (a1 - a2) * sigma12 + a1 * (c1.value(sigma2) - c1.value(sigma1))
      - a2 * (c2.value(sigma2) - c2.value(sigma1))
    return stretch2 * (sigma1.cos * sigma2.sin) - stretch1 * (sigma1.sin * sigma2.cos)
      - sigma1.cos * sigma2.cos * difference
  }
}
