extension Motion {
  /// Where the device may be now; nil before the first fix.
  package var positions: PositionMixture? { now?.positions }
}

extension PositionMixture {
  /// Probability that the device rests, walks, rides.
  package var modes: (rest: Double, walk: Double, ride: Double) {
    let rest = Double(weights[Modes.rest] + weights[Modes.off])
    return (rest, Double(weights[Modes.walk]), Double(weights[Modes.ride]))
  }
}
