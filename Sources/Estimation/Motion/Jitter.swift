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
  /// Fewer second differences do not show whether errors are new with every fix.
  private static let leastCount = 3.0
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

  /// The variance that errors would have if they were new with every fix, so that as many fixes show a
  /// position as well.
  ///
  /// Errors that are new every ``Spell/leastStep`` may be the same a second later. With the correlation ρ
  /// from fix to fix the mean of many has `(1 + ρ) / (1 − ρ)` times the variance that it has with independent
  /// ones (G. V. Bayley and J. M. Hammersley, 1946), and a second difference has `(1 − ρ) (3 − ρ) / 3` of
  /// it: so ``variance`` shows ρ. Where fixes are too far apart for that, half of ``Spell/leastStep`` is the
  /// correlation time, and otherwise the most of it is all of that step.
  ///
  /// - Parameters:
  ///   - white: The variance of the errors, square metres; above 0.
  ///   - elapsed: Seconds since the last fix.
  func independent(_ white: Double, elapsed: Double) -> Double {
    let step = Double(Spell.leastStep)
    guard elapsed < step else { return white }
    guard elapsed <= Self.longestStep, count > Self.leastCount else {
      return white * step / elapsed
    }
    let root = (1 + 3 * min(variance / white, 1)).squareRoot()
    return white * min((3 - root) / (root - 1), 2 * step / elapsed)
  }
}
