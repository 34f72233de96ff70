package import Geodesy

/// The position and motion of a device at the time of a fix, as the filter estimates them.
package struct Estimate: Sendable, Hashable, Codable {
  package var time: Timestamp
  /// The mean of the ``PositionMixture``.
  package var coordinate: Coordinate
  /// Along one axis, metres.
  package var sigma: Double
  /// Largest sigma of the components that matter, metres.
  package var widest: Double
  /// Metres per second east and north if it moves.
  package var velocity: Vector
  /// Probability that the device rests.
  ///
  /// The weights of the modes `rest` and `off`, 0 to 1: S in Docs/Accuracy.md.
  package var stillness: Double
  /// Whether one way to move is likelier than all else.
  ///
  /// The weight of `walk` or of `ride` is above 0.5. Where it is, a rule of evidence need not wait
  /// for a second fix.
  package var isMoving: Bool

  /// Radius that holds the true position with probability 0.68, metres.
  package var horizontalAccuracy: Double { sigma * AccuracyRadius.engineSigmas }
}

extension Estimate {
  @inline(__always)
  init(_ modes: borrowing Modes, _ positions: PositionMixture, at time: Timestamp) {
    self.time = time
    coordinate = positions.map.nearCoordinate(at: positions.mean)
    velocity = modes.velocity
    let weights = positions.weights
    stillness = Double(weights[Modes.rest] + weights[Modes.off])
    isMoving = weights[Modes.walk] > 0.5 || weights[Modes.ride] > 0.5
    let variance = (weights * (modes.pp + 0.5 * positions.squares)).sum()
    sigma = Double(max(variance, 0.01)).squareRoot()
    widest = max(positions.widest, sigma)
  }
}
