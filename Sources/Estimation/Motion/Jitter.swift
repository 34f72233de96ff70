internal import Geodesy

/// How much the fixes of a receiver jump about, seen from three that follow each other closely: what
/// no motion explains, at rest and under way alike.
///
/// The second difference of three fixes holds no velocity; over a second or two what acceleration
/// leaves of it is small. White noise of variance v along an axis gives it the variance 6 v at even
/// intervals.
struct Jitter: Sendable, Hashable, Codable {
  /// The last step, metres.
  var step = Vector(x: 0, y: 0)
  /// Duration of the last step that was used, seconds; 0 before the first.
  var stepTime = 0.0
  /// How many second differences were used: the first ones count for more than their time.
  var count = 0.0
  /// Variance along one axis, metres squared, without what acceleration explains.
  var variance = 0.0

  /// Over longer steps acceleration hides it, seconds.
  private static let longestStep = 2.5
  /// Over what time it is smoothed, seconds.
  static let memory = 30.0
  /// Sigma of what accelerates, metres per second squared: braking in town.
  private static let acceleration = 1.5

  /// Takes a step of so many metres and seconds; nothing counts for more than `limit`.
  ///
  /// With steps of the lengths t and r t, white noise of variance v gives the difference `step₂ − r
  /// step₁` the variance `(1 + (1 + r)² + r²) v` along one axis, which is 6 v for r = 1. Steps of
  /// which one is more than twice as long as the other are not compared.
  ///
  /// - Parameters:
  ///   - loss: What is forgotten in the time of the step.
  mutating func ingest(x: Double, y: Double, elapsed: Double, loss: Double, limit: Double) {
    defer {
      step = Vector(x: x, y: y)
      stepTime = elapsed <= Self.longestStep ? elapsed : 0
    }
    guard stepTime > 0, elapsed <= Self.longestStep, elapsed > 0 else { return }
    let ratio = elapsed / stepTime
    guard (0.5...2).contains(ratio) else { return }
    let (dx, dy) = (x - step.x * ratio, y - step.y * ratio)
    let weights = 1 + (1 + ratio) * (1 + ratio) + ratio * ratio
    let motion = Self.acceleration * elapsed * (elapsed + stepTime) / 2
    let seen = max(0, (dx * dx + dy * dy) / 2 - motion * motion) / weights
    count += 1
    let rate = max(loss, 1 / (count + 2))
    variance += rate * (min(seen, limit) - variance)
  }
}
