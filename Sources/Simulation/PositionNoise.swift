import Geodesy
import Glibc

/// The position error of a receiver.
///
/// A first-order Gauss-Markov process per axis, plus white noise. Its sigma follows the environment
/// with a lag, as a receiver's filter causes.
package struct PositionNoise: Sendable {
  /// Sigma per axis by environment, metres.
  package var sigma: @Sendable (Environment) -> Double = { $0.usualSigma }
  /// Correlation time of the error: seconds until it decays to 1/e.
  package var tau = 100.0
  /// Sigma of the white noise as a share of that of the correlated noise.
  package var whiteShare = 0.05
  /// Sigma of the logarithm of the ratio of stated to true accuracy.
  package var statementSpread = 0.2

  package init() {}

  /// The usual noise, with one sigma everywhere.
  package init(sigma: Double, tau: Double = 100, whiteShare: Double = 0.05) {
    self.sigma = { _ in sigma }
    self.tau = tau
    self.whiteShare = whiteShare
  }
}

/// The error of a position, and the accuracy that the receiver states.
struct PositionError: Sendable {
  /// Metres.
  var east = 0.0
  var north = 0.0
  /// 68 % radius as stated, metres.
  var statedAccuracy = 1.0

  func applied(to position: Coordinate) -> Coordinate {
    let distance = (east * east + north * north).squareRoot()
    guard distance > 0 else { return position }
    return position.destination(bearing: atan2(east, north) * 180 / .pi, distance: distance)
  }
}

/// The error of one receiver over time.
struct CorrelatedError: Sendable {
  private let noise: PositionNoise
  private var random: SeededGenerator
  private var last: (second: Double, sigma: Double, east: Double, north: Double)?

  /// Seconds that a receiver takes to adapt to a new environment.
  private static let lag = 20.0

  init(_ noise: PositionNoise, seed: UInt64) {
    self.noise = noise
    random = SeededGenerator(seed: seed, purpose: Purpose.noise)
  }

  mutating func next(at second: Double, in environment: Environment) -> PositionError {
    let target = noise.sigma(environment)
    let draws = (random.normal(), random.normal())
    // The correlated part is stored in sigmas, so a change of sigma scales it at once.
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

  private mutating func reading(of sigma: Double, east: Double, north: Double) -> PositionError {
    let share = noise.whiteShare
    var reading = PositionError()
    reading.east = sigma * (east + share * random.normal())
    reading.north = sigma * (north + share * random.normal())
    let error = (reading.east * reading.east + reading.north * reading.north).squareRoot()
    let total = sigma * (1 + share * share).squareRoot()
    let usual = AccuracyRadius.sigmas * total
    // A receiver knows half of its error: its residuals show a part of it.
    let known = min(error, 3 * total)
    let spread = exp(noise.statementSpread * random.normal())
    reading.statedAccuracy =
      max(1, spread * (0.75 * usual * usual + 0.25 * known * known).squareRoot())
    return reading
  }
}
