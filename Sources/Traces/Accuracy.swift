internal import Geodesy

/// Converts the accuracy figures of receivers to the error of a position.
///
/// The error in the plane is modelled as two independent Gaussians of equal variance, so its length
/// has Rayleigh's distribution: a radius contains the share 1 − exp(−r²/2σ²).
package enum Accuracy {
  /// The 68 % radius, in metres, for a horizontal dilution of precision.
  ///
  /// For a receiver without an error estimate the 95 % radius is HDOP times 19 m, which is what
  /// gpsd assumes without differential corrections (`P_UERE_NO_DGPS`, "95% confidence", in its
  /// libgpsd_core.c).
  package static func radius(hdop: Double) -> Double {
    radius(from95: hdop * 19)
  }

  /// The 68 % radius, in metres, for a 95 % radius.
  package static func radius(from95 radius: Double) -> Double {
    radius * AccuracyRadius.ratio(of: AccuracyRadius.probability, to: 0.95)
  }

  /// The 68 % radius, in metres, for 95 % bounds east and north.
  ///
  /// An error that differs by direction is replaced by one of the same total variance. When all of
  /// it is in one direction, the radius is 7 % too long.
  package static func radius(from95East east: Double, north: Double) -> Double {
    let sigma = ((east * east + north * north) / 2).squareRoot() / normal95
    return sigma * AccuracyRadius.sigmas(holding: AccuracyRadius.probability)
  }

  /// The 68 % radius, in metres, for a position that was rounded to a grid of squares.
  ///
  /// - Parameter side: The side of a square, metres.
  package static func radius(grid side: Double) -> Double {
    side / 12.0.squareRoot() * AccuracyRadius.sigmas(holding: AccuracyRadius.probability)
  }

  /// The 95 % radius, in metres, for a 68 % radius: the inverse of ``radius(from95:)``.
  package static func radius95(from radius: Double) -> Double {
    radius * AccuracyRadius.ratio(of: 0.95, to: AccuracyRadius.probability)
  }

  /// One sigma of an error in one dimension, for its 95 % bound.
  package static func sigma(from95 bound: Double) -> Double { bound / normal95 }

  /// The 95 % bound of an error in one dimension, for its sigma.
  package static func bound95(sigma: Double) -> Double { sigma * normal95 }

  /// 95 % of the normal distribution lie within so many sigma.
  private static let normal95 = 1.959_963_984_540_054
}
