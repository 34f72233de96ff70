internal import Glibc

extension InverseProblem {
  /// One Newton iterate: the geodesic from the first point at an azimuth, at the second latitude.
  private struct NewtonIterate {
    let arc: Arc
    let series: GeodesicSeries
    let azimuth2: UnitVector
    /// The longitude reached minus the target, radians.
    let residual: Double
  }

  /// Finds the azimuth that reaches the second point: Newton's method on the longitude, kept within
  /// a bracket that bisection narrows when Newton leaves it (section 4).
  func refined(_ start: UnitVector) -> InverseSolution {
    let tolerance = Double.ulpOfOne
    var azimuth = start
    var low = UnitVector(sin: ReducedLatitude.tiny, cos: 1)
    var high = UnitVector(sin: ReducedLatitude.tiny, cos: -1)
    var iterate = evaluate(azimuth)
    var isLast = false
    // Newton takes 2 or 3 steps; bisection alone would end after about 80.
    for step in 0..<100 {
      if isLast || abs(iterate.residual) < tolerance { break }
      let slope = azimuth.cos / azimuth.sin
      if iterate.residual > 0 && slope < low.cos / low.sin && slope > high.cos / high.sin {
        high = azimuth
      } else if iterate.residual < 0 && slope > high.cos / high.sin && slope < low.cos / low.sin {
        low = azimuth
      }
      if step < 20, let next = newtonStep(azimuth, iterate) {
        // The step after a residual this small reaches rounding.
        isLast = abs(iterate.residual) <= 16 * tolerance
        azimuth = next
      } else {
        azimuth = UnitVector(normalizing: low.sin + high.sin, low.cos + high.cos)
        isLast = hypot(low.sin - high.sin, low.cos - high.cos) < 1e-15
      }
      iterate = evaluate(azimuth)
    }
    return InverseSolution(
      distance: Ellipsoid.polarRadius * iterate.arc.length(iterate.series),
      azimuth1: azimuth, azimuth2: iterate.azimuth2)
  }

  /// λ₁₂(α₁; β₁, β₂) − λ₁₂ (equations 5, 8, 11, 12, 23, 45).
  private func evaluate(_ azimuth1: UnitVector) -> NewtonIterate {
    var azimuth = azimuth1
    // An equatorial line has no node: the least tilt gives it one.
    if beta1.sin == 0 && azimuth.cos == 0 { azimuth.cos = -ReducedLatitude.tiny }
    let sinAlpha0 = azimuth.sin * beta1.cos
    let cosAlpha0 = hypot(azimuth.cos, azimuth.sin * beta1.sin)
    let north1 = azimuth.cos * beta1.cos
    let azimuth2 = endAzimuth(azimuth, sinAlpha0: sinAlpha0)
    let north2 = azimuth2.cos * beta2.cos
    let arc = Arc(
      from: UnitVector(normalizing: beta1.sin, north1),
      to: UnitVector(normalizing: beta2.sin, north2))
    let omega12 =
      UnitVector(sin: sinAlpha0 * beta2.sin, cos: north2)
      - UnitVector(sin: sinAlpha0 * beta1.sin, cos: north1)
    let rest = UnitVector(sin: max(0, omega12.sin) + 0, cos: omega12.cos) - lambdaUnit
    let series = GeodesicSeries(cosAlpha0: cosAlpha0)
    let c3 = series.c3
    let lag = arc.sigma12 + (c3.value(arc.sigma2) - c3.value(arc.sigma1))
    return NewtonIterate(
      arc: arc, series: series, azimuth2: azimuth2,
      residual: atan2(rest.sin, rest.cos) - Ellipsoid.flattening * series.a3 * sinAlpha0 * lag)
  }

  private func endAzimuth(_ azimuth: UnitVector, sinAlpha0: Double) -> UnitVector {
    let sine = beta2.cos != beta1.cos ? sinAlpha0 / beta2.cos : azimuth.sin
    if beta2.cos == beta1.cos && abs(beta2.sin) == -beta1.sin {
      return UnitVector(sin: sine, cos: abs(azimuth.cos))
    }
    let north = azimuth.cos * beta1.cos
    // cos² β₂ − cos² β₁ in the form that loses fewer digits.
    let difference =
      beta1.cos < -beta1.sin
      ? (beta2.cos - beta1.cos) * (beta1.cos + beta2.cos)
      : (beta1.sin - beta2.sin) * (beta1.sin + beta2.sin)
    return UnitVector(sin: sine, cos: max(0, north * north + difference).squareRoot() / beta2.cos)
  }

  /// One step of Newton's method (equation 46), nil when it leaves the half circle.
  private func newtonStep(_ azimuth: UnitVector, _ iterate: NewtonIterate) -> UnitVector? {
    let slope: Double
    if iterate.azimuth2.cos == 0 {
      slope = -2 * Ellipsoid.axisRatio * beta1.stretch / beta1.sin
    } else {
      let reduced = iterate.arc.reducedLength(
        iterate.series, stretch1: beta1.stretch, stretch2: beta2.stretch)
      slope = reduced * Ellipsoid.axisRatio / (iterate.azimuth2.cos * beta2.cos)
    }
    guard slope > 0 else { return nil }
    let turn = -iterate.residual / slope
    guard abs(turn) < .pi else { return nil }
    let next = azimuth + UnitVector(radians: turn)
    guard next.sin > 0 else { return nil }
    return UnitVector(normalizing: next.sin, next.cos)
  }
}
