internal import Geodesy

extension Motion {
  /// One sigma along one axis of the velocity of the likelier way to move, metres per second; nil before
  /// the first fix.
  package var velocitySigma: Double? {
    guard let modes = filter?.mixture.modes else { return nil }
    let mover = modes.weight[Modes.walk] > modes.weight[Modes.ride] ? Modes.walk : Modes.ride
    return Double(max(modes.vv[mover], 0)).squareRoot()
  }

  /// Where the device may be now; nil before the first fix.
  package var positions: PositionMixture? { now?.positions }
}

extension PositionMixture {
  /// The covariance of the mixture east and north, square metres.
  ///
  /// That of the hypotheses, whose axes are independent, and of their means about the common one.
  package var covariance: (east: Double, north: Double, between: Double) {
    var (east, north, between) = (0.0, 0.0, 0.0)
    for lane in weights.indices {
      let component = component(lane)
      let way = Vector(x: component.place.x - mean.x, y: component.place.y - mean.y)
      let own = component.sigma * component.sigma
      east += component.weight * (own + way.x * way.x)
      north += component.weight * (own + way.y * way.y)
      between += component.weight * way.x * way.y
    }
    return (east, north, between)
  }

  /// Probability that the device rests, walks, rides.
  package var modes: (rest: Double, walk: Double, ride: Double) {
    let rest = Double(weights[Modes.rest] + weights[Modes.off])
    return (rest, Double(weights[Modes.walk]), Double(weights[Modes.ride]))
  }
}
