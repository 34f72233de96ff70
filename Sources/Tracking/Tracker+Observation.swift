package import Estimation
internal import Geodesy

/// What the engine knows of a device at its last fix, for people who look at a recording.
package struct Observation: Sendable {
  /// Position and motion.
  package let estimate: Estimate
  /// The probability of being inside, for each fence that is near, by ascending index.
  ///
  /// For all other fences it is 0.
  package let inside: [(fence: Int, probability: Double)]
}

extension Tracker {
  /// What is known at the last fix that was used; nil before the first.
  ///
  /// - Complexity: O(fences that are near), about the cost of a fix.
  package var observation: Observation? {
    guard let estimate = motion.estimate, let positions = motion.positions else { return nil }
    var inside: [(fence: Int, probability: Double)] = []
    let reach = Box(estimate.coordinate).expanded(byMetres: 6 * estimate.widest)
    rules.fences.forEachFence(near: reach) { index in
      let area = rules.fences.member(index).area
      let distance = area.signedDistance(to: estimate.coordinate)
      let probability = positions.probability(inside: area, middle: distance)
      inside.append((index, probability))
    }
    return Observation(estimate: estimate, inside: inside.sorted { $0.fence < $1.fence })
  }
}
