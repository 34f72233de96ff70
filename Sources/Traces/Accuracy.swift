internal import Glibc

/// What the numbers that receivers give say about the error of a position.
///
/// A position's error in the plane is taken as two independent Gaussians of the same size, so that
/// its length follows Rayleigh's distribution, of which a radius holds the part 1 − exp(−r²/2σ²).
package enum Accuracy {
  /// The 68 % radius, in metres, for a horizontal dilution of precision.
  ///
  /// A receiver that gives no error is taken to have a 95 % radius of HDOP times 19 m, which is
  /// what gpsd assumes without differential corrections (`P_UERE_NO_DGPS`, "95% confidence", in its
  /// libgpsd_core.c).
  package static func radius(hdop: Double) -> Double {
    radius(from95: hdop * 19)
  }

  /// The 68 % radius, in metres, of an error whose 95 % radius is given.
  package static func radius(from95 radius: Double) -> Double {
    radius * (log(1 - 0.68) / log(1 - 0.95)).squareRoot()
  }

  /// The 68 % radius, in metres, of an error whose 95 % bounds east and north are given.
  ///
  /// An error that is larger one way is taken as one of the same variance in all: where it is all in
  /// one way, the radius is 7 % too long.
  package static func radius(from95East east: Double, north: Double) -> Double {
    let sigma = ((east * east + north * north) / 2).squareRoot() / normal95
    return sigma * (-2 * log(1 - 0.68)).squareRoot()
  }

  /// The 95 % radius, in metres, of an error whose 68 % radius is given: the inverse of
  /// ``radius(from95:)``.
  package static func radius95(from radius: Double) -> Double {
    radius * (log(1 - 0.95) / log(1 - 0.68)).squareRoot()
  }

  /// One sigma of an error in one dimension whose 95 % bound is given.
  package static func sigma(from95 bound: Double) -> Double { bound / normal95 }

  /// The 95 % bound of an error in one dimension whose sigma is given.
  package static func bound95(sigma: Double) -> Double { sigma * normal95 }

  /// Of the normal distribution 95 % lie within so many sigma.
  private static let normal95 = 1.959_963_984_540_054
}
