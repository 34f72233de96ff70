internal import Glibc

/// A sum Σ cₗ sin 2lσ, l from 1 to 6.
struct SineSeries: Sendable {
  var c1, c2, c3, c4, c5, c6: Double

  /// The sum at the angle σ, by Clenshaw's recurrence.
  func value(_ sigma: UnitVector) -> Double {
    let twice = 2 * (sigma.cos - sigma.sin) * (sigma.cos + sigma.sin)
    let b5 = twice * c6 + c5
    let b4 = twice * b5 - c6 + c4
    let b3 = twice * b4 - b5 + c3
    let b2 = twice * b3 - b4 + c2
    let b1 = twice * b2 - b3 + c1
    return 2 * sigma.sin * sigma.cos * b1
  }
}

/// The expansions of the geodesic integrals in the small parameter ε, to order 6.
///
/// C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013) 43–55,
/// doi:10.1007/s00190-012-0578-z. Each property names its equation.
struct GeodesicSeries: Sendable {
  /// ε of a geodesic that leaves the equator at the azimuth α₀ (equations 9 and 16).
  let epsilon: Double
  private let square: Double

  init(epsilon: Double) {
    self.epsilon = epsilon
    square = epsilon * epsilon
  }

  /// For the cosine of the azimuth α₀ at the equator.
  init(cosAlpha0: Double) {
    let k2 = cosAlpha0 * cosAlpha0 * Ellipsoid.secondEccentricitySquared
    self.init(epsilon: k2 / (2 * (1 + (1 + k2).squareRoot()) + k2))
  }

  /// A₁ (17).
  var a1: Double { (1 + square * (64 + square * (4 + square)) / 256) / (1 - epsilon) }

  /// C₁ₗ (18).
  var c1: SineSeries {
    let (e, q) = (epsilon, square)
    return SineSeries(
      c1: e * (-1.0 / 2 + q * (3.0 / 16 - q / 32)),
      c2: q * (-1.0 / 16 + q * (1.0 / 32 - q * 9 / 2048)),
      c3: q * e * (-1.0 / 48 + q * 3 / 256),
      c4: q * q * (-5.0 / 512 + q * 3 / 512),
      c5: q * q * e * (-7.0 / 1280),
      c6: q * q * q * (-7.0 / 2048))
  }

  /// C'₁ₗ, the inverse of the series C₁ (21).
  var c1Inverse: SineSeries {
    let (e, q) = (epsilon, square)
    return SineSeries(
      c1: e * (1.0 / 2 + q * (-9.0 / 32 + q * 205 / 1536)),
      c2: q * (5.0 / 16 + q * (-37.0 / 96 + q * 1335 / 4096)),
      c3: q * e * (29.0 / 96 - q * 75 / 128),
      c4: q * q * (539.0 / 1536 - q * 2391 / 2560),
      c5: q * q * e * (3467.0 / 7680),
      c6: q * q * q * (38081.0 / 61440))
  }

  /// A₂ (42).
  var a2: Double { (1 - epsilon) * (1 + square * (64 + square * (36 + square * 25)) / 256) }

  /// C₂ₗ (43).
  var c2: SineSeries {
    let (e, q) = (epsilon, square)
    return SineSeries(
      c1: e * (1.0 / 2 + q * (1.0 / 16 + q / 32)),
      c2: q * (3.0 / 16 + q * (1.0 / 32 + q * 35 / 2048)),
      c3: q * e * (5.0 / 48 + q * 5 / 256),
      c4: q * q * (35.0 / 512 + q * 7 / 512),
      c5: q * q * e * (63.0 / 1280),
      c6: q * q * q * (77.0 / 2048))
  }

  /// A₃ (24).
  var a3: Double {
    let (e, n) = (epsilon, Ellipsoid.thirdFlattening)
    let third = -(1 + n * (3 + n)) / 16 + e * (-(3 + 2 * n) / 64 - e * 3 / 128)
    return 1 + e * ((n - 1) / 2 + e * ((-2 + n * (-1 + 3 * n)) / 8 + e * third))
  }

  /// C₃ₗ (25).
  var c3: SineSeries {
    let (e, q, n) = (epsilon, square, Ellipsoid.thirdFlattening)
    let first = (3 + n * (3 - n)) / 64 + e * ((5 + 2 * n) / 128 + e * 3 / 128)
    let second = (3 - n * (2 + 3 * n)) / 64 + e * ((3 + n) / 128 + e * 5 / 256)
    return SineSeries(
      c1: e * ((1 - n) / 4 + e * ((1 - n * n) / 8 + e * first)),
      c2: q * ((2 + n * (-3 + n)) / 32 + e * second),
      c3: q * e * ((5 + n * (-9 + 5 * n)) / 192 + e * ((9 - 10 * n) / 384 + e * 7 / 512)),
      c4: q * q * ((7 - 14 * n) / 512 + e * 7 / 512),
      c5: q * q * e * (21.0 / 2560),
      c6: 0)
  }
}
