package import Estimation
internal import Fences
internal import Geodesy

/// What the engine knows of a device at its last fix, for people who look at a recording.
package struct Observation: Sendable {
  /// Position and motion.
  package let estimate: Estimate
  /// The probability of being inside, for each fence that is near, by ascending index.
  ///
  /// For all other fences it is 0.
  package let inside: [(fence: Int, probability: Double)]

  init(_ estimate: Estimate, _ positions: PositionMixture, _ fences: FenceSet) {
    self.estimate = estimate
    var inside: [(fence: Int, probability: Double)] = []
    let reach = Box(estimate.coordinate).expanded(byMetres: 6 * estimate.widest)
    fences.forEachFence(near: reach) { index in
      let area = fences.member(index).area
      let distance = area.signedDistance(to: estimate.coordinate)
      let probability = positions.probability(inside: area, middle: distance)
      inside.append((index, probability))
    }
    self.inside = inside.sorted { $0.fence < $1.fence }
  }
}

extension Tracker {
  /// Where the device may be at the last fix; nil before the first.
  package var positions: PositionMixture? { motion.positions }

  /// One sigma along one axis of the velocity of the likelier way to move, metres per second; nil before
  /// the first fix.
  package var velocitySigma: Double? { motion.velocitySigma }

  /// What is known at the last fix that was used; nil before the first.
  ///
  /// - Complexity: O(fences that are near), about the cost of a fix.
  package var observation: Observation? {
    guard let estimate = motion.estimate, let positions = motion.positions else { return nil }
    return Observation(estimate, positions, rules.fences)
  }
}
