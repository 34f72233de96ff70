import Geodesy
import Glibc

/// How a receiver errs in position.
///
/// A first-order Gauss-Markov process an axis (its sigma follows the surroundings with a lag, as
/// a receiver's filter makes it) and white noise on top.
package struct PositionNoise: Sendable {
  /// Sigma an axis by surroundings, metres.
  package var sigma: @Sendable (Environment) -> Double = { $0.usualSigma }
  /// Seconds in which the error forgets all but 1/e of itself.
  package var tau = 100.0
  /// The white part's sigma as a share of the wandering part's.
  package var whiteShare = 0.05
  /// How far the stated accuracy is from the true one: sigma of its logarithm.
  package var statementSpread = 0.2

  package init() {}

  /// The usual noise, with one sigma everywhere.
  package init(sigma: Double, tau: Double = 100, whiteShare: Double = 0.05) {
    self.sigma = { _ in sigma }
    self.tau = tau
    self.whiteShare = whiteShare
  }
}

/// How far off a position is, and what the receiver says of that.
struct PositionReading: Sendable {
  /// Metres.
  var east = 0.0
  var north = 0.0
  /// 68 % radius as stated, metres.
  var statedAccuracy = 1.0

  func applied(to place: Coordinate) -> Coordinate {
    let distance = (east * east + north * north).squareRoot()
    guard distance > 0 else { return place }
    return place.destination(bearing: atan2(east, north) * 180 / .pi, distance: distance)
  }
}

/// The error of one receiver as it goes on.
struct WanderingError: Sendable {
  private let noise: PositionNoise
  private var random: SeededGenerator
  private var last: (second: Double, sigma: Double, east: Double, north: Double)?

  /// In two dimensions 68 % are within √(−2 ln 0.32) sigmas.
  private static let radiusOfTwoThirds = (-2 * log(0.32)).squareRoot()
  /// Seconds in which a receiver notices new surroundings.
  private static let lag = 20.0

  init(_ noise: PositionNoise, seed: UInt64) {
    self.noise = noise
    random = SeededGenerator(seed: seed, purpose: Purpose.noise)
  }

  mutating func next(at second: Double, in environment: Environment) -> PositionReading {
    let target = noise.sigma(environment)
    let draws = (random.normal(), random.normal())
    // The wandering part is kept in sigmas, so that a change of sigma scales it at once.
    var state = last ?? (second, target, draws.0, draws.1)
    if let last {
      let elapsed = second - last.second
      let kept = exp(-elapsed / noise.tau)
      let fresh = (1 - kept * kept).squareRoot()
      state.east = kept * last.east + fresh * draws.0
      state.north = kept * last.north + fresh * draws.1
      state.sigma += (target - last.sigma) * (1 - exp(-elapsed / Self.lag))
      state.second = second
    }
    last = state
    return reading(of: state.sigma, east: state.east, north: state.north)
  }

  private mutating func reading(of sigma: Double, east: Double, north: Double) -> PositionReading {
    let share = noise.whiteShare
    var reading = PositionReading()
    reading.east = sigma * (east + share * random.normal())
    reading.north = sigma * (north + share * random.normal())
    let error = (reading.east * reading.east + reading.north * reading.north).squareRoot()
    let total = sigma * (1 + share * share).squareRoot()
    let usual = Self.radiusOfTwoThirds * total
    // A receiver half knows how well it does: its residuals show part of the error.
    let known = min(error, 3 * total)
    let spread = exp(noise.statementSpread * random.normal())
    reading.statedAccuracy =
      max(1, spread * (0.75 * usual * usual + 0.25 * known * known).squareRoot())
    return reading
  }
}
