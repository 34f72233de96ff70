import Geodesy
import Simulation
import Tracking

extension Story {
  /// Every story of traces/.
  static let all = [
    outAndBack, commute, loopEndsInside, passageBetweenFixes, polygonWithHole, antimeridian,
    pole, dwell, receptionGap, disordered, truncated, twoDays, fleet, sparseHeartbeat, oldGPX,
    gzip, cityNoise, weekRollover, visits, significantChange, lateFixes, decisions,
    ferryNMEA, ferryGPSD,
  ]
}

extension Receiver {
  /// A receiver under an open sky: a few metres of error, no outliers.
  static func clear(
    every seconds: Double, resting: Double? = nil, sigma: Double = 3, seed: UInt64
  ) -> Receiver {
    var receiver = Receiver(sampling: Sampling(every: seconds, resting: resting), seed: seed)
    receiver.noise = PositionNoise(sigma: sigma)
    return receiver
  }
}

extension Plan {
  /// A plan that starts on a day at an hour and a minute, UTC.
  init(_ day: (Int, Int, Int), _ hour: Int, _ minute: Int, at origin: Coordinate) {
    let start = Timestamp(day.0, day.1, day.2, seconds: hour * 3600 + minute * 60)
    self.init(start: start, at: origin)
  }
}
