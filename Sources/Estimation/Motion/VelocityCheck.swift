internal import Geodesy

/// Whether the speed and course that a device reports are those with which its positions move.
///
/// The displacement that the reported velocities do not explain is summed with exponential decay. The
/// errors of positions cancel in the sum except the first and the last; the error of a wrong velocity
/// accumulates and exceeds them within a few fixes. Then the reported velocities are ignored until the
/// sum is small again.
struct VelocityCheck: Sendable, Hashable, Codable {
  /// The sum, metres east and north.
  var east: Float = 0
  var north: Float = 0
  /// Whether the reported velocities contradict the positions.
  var contradicts = false

  /// Time constant of the decay, seconds.
  private static let memory = 10.0
  /// Longer steps are ignored, as the velocity changes within them, seconds.
  private static let longestStep = 6.0
  /// The sum that errors alone can explain: this many sigmas of a position and this many metres; and
  /// by acceleration within a step, metres per second squared.
  private static let sigmas = 8.0
  private static let slack = 10.0
  private static let acceleration = 2.0
  /// The velocities are used again when the sum is below this share of that.
  private static let reliefShare = 0.3

  /// Updates with a step between two fixes; `sigma` is that of a position along one axis, metres.
  mutating func ingest(
    from last: FixMeasurement, to next: FixMeasurement, elapsed: Double, sigma: Double
  ) {
    guard elapsed <= Self.longestStep, last.hasVelocity, next.hasVelocity else {
      (east, north) = (0, 0)
      return
    }
    let kept = 1 - elapsed * (1 / Self.memory)
    let x = next.x - last.x - Double(last.east + next.east) / 2 * elapsed
    let y = next.y - last.y - Double(last.north + next.north) / 2 * elapsed
    let sum = Vector(x: Double(east) * kept + x, y: Double(north) * kept + y)
    (east, north) = (Float(sum.x), Float(sum.y))
    let limit = Self.sigmas * sigma + Self.slack + Self.acceleration * elapsed * elapsed
    let least = contradicts ? Self.reliefShare * limit : limit
    contradicts = sum.squaredLength > least * least
  }
}
