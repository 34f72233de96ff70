internal import Glibc

/// The radius that holds the true position with probability 0.68: how this project states the
/// horizontal accuracy.
///
/// The error is taken to be normal and alike along both axes, so its length follows the Rayleigh
/// distribution: a radius of k sigmas holds 1 − exp(−k² / 2). Every use of the factor is here.
package enum AccuracyRadius {
  /// Probability that the true position is within the radius.
  package static var probability: Double { 0.68 }

  /// Sigmas of one axis in the radius: √(−2 ln 0.32).
  ///
  /// `1 - probability` is not 0.32 to the last bit.
  package static let sigmas = (-2 * log(0.32)).squareRoot()

  /// The same to four decimals, as the engine has it: more digits would change what it reports.
  @inlinable package static var engineSigmas: Double { 1.5096 }

  /// What the filter divides the radius by that a receiver claims.
  ///
  /// It is more than ``sigmas`` on purpose: what receivers claim grows with their error. The value
  /// was found by search with the other constants of the filter.
  @inlinable package static var claimedSigmas: Double { 1.55 }

  /// The same to two decimals, beside quantiles that are given so.
  package static var roundedSigmas: Double { 1.51 }

  /// Sigmas of one axis in a radius that holds the true position with a probability.
  package static func sigmas(holding probability: Double) -> Double {
    (-2 * log(1 - probability)).squareRoot()
  }

  /// What turns a radius of one probability into that of another.
  package static func ratio(of probability: Double, to other: Double) -> Double {
    (log(1 - probability) / log(1 - other)).squareRoot()
  }
}
