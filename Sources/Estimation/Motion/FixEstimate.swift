package import Geodesy

/// What the filter or the smoother makes of one fix.
package struct FixEstimate: Sendable {
  /// The estimate at the time of the fix, with the fix in it.
  package let estimate: Estimate
  /// The hypotheses of which ``estimate`` is the mean.
  package let positions: PositionMixture
  /// The fix on their map.
  package let place: Vector
  /// Whether the fix agrees with the estimate.
  package let agrees: Bool

  @inline(__always)
  init(_ fix: Fix, at place: Vector, _ found: (estimate: Estimate, positions: PositionMixture)) {
    (estimate, positions) = found
    self.place = place
    agrees = Contradiction.agree(fix, at: place, estimate, at: positions.mean)
  }
}
