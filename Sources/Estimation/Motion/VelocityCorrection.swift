internal import Geodesy

/// By how many seconds the reported velocities lag behind the positions, and by what share they are
/// too slow, learnt from the device's own fixes.
///
/// Receivers smooth the velocity that they report: those of the phones of MobilityNet lag by 1.1 to
/// 2.0 s, and are 2 to 4 % too slow (Docs/Accuracy.md). Both are ratios of sums over steps of a second
/// or two: of the displacement that the velocities do not explain, along the acceleration and along
/// the motion (regression through the origin, with a prior of no lag and a scale of 1).
struct VelocityCorrection: Sendable, Hashable, Codable {
  /// Sums of the displacement that the velocities do not explain, times the acceleration, and of the
  /// squared acceleration.
  var lagging: Float = 0
  var accelerated: Float = 0
  /// Sums of the displacement that the velocities do not explain, times the displacement by the
  /// velocities, and of the square of the latter.
  var further: Float = 0
  var travelled: Float = 0

  /// The weight of the prior, which is no lag, and the most weight that is kept, m²/s⁴.
  private static let accelerationPrior: Float = 20
  private static let mostAcceleration: Float = 400
  /// The weight of the prior, which is a scale of 1, and the most weight that is kept, m².
  private static let wayPrior: Float = 1_000
  private static let mostWay: Float = 20_000
  /// Over longer steps the acceleration is not known, seconds.
  private static let longestStep = 2.5
  /// A velocity that changes faster is an outlier, and no correction is larger, m/s.
  private static let fastestChange: Float = 3
  private static let scales: ClosedRange<Float> = 0.8...1.25

  /// By how many seconds the reported velocities lag behind the positions.
  var lag: Float { max(0, lagging / (Self.accelerationPrior + accelerated)) }

  /// The factor from reported speeds to those of the positions.
  var scale: Float {
    min(
      max(1 + further / (Self.wayPrior + travelled), Self.scales.lowerBound),
      Self.scales.upperBound)
  }

  /// Learns from a step of so many seconds between two fixes.
  mutating func learn(from last: FixMeasurement, to next: FixMeasurement, elapsed: Double) {
    guard elapsed <= Self.longestStep, last.hasVelocity, next.hasVelocity else { return }
    let seconds = Float(elapsed)
    let velocity = SIMD2(last.east + next.east, last.north + next.north) / 2
    let change = SIMD2(next.east - last.east, next.north - last.north)
    let way = velocity * seconds
    let beyond = SIMD2(Float(next.x - last.x), Float(next.y - last.y)) - way
    // Positions that are outliers are not used.
    let limit = 2 * Self.fastestChange * seconds
    let most = Self.fastestChange * seconds
    if (beyond * beyond).sum() < limit * limit, (change * change).sum() < most * most {
      add(
        (beyond * change).sum() / (seconds * seconds),
        (change * change).sum() / (seconds * seconds), to: &lagging, &accelerated,
        most: Self.mostAcceleration)
    }
    if (beyond * beyond).sum() < (way * way).sum() {
      add(
        (beyond * way).sum(), (way * way).sum(), to: &further, &travelled, most: Self.mostWay)
    }
  }

  /// Adds to two sums, of which the second becomes no more than `most`.
  private func add(
    _ product: Float, _ square: Float, to products: inout Float, _ squares: inout Float,
    most: Float
  ) {
    (products, squares) = (products + product, squares + square)
    guard squares > most else { return }
    (products, squares) = (products * (most / squares), most)
  }

  /// A measurement with the velocity that the device had at its time.
  func corrected(
    _ next: FixMeasurement, after last: FixMeasurement, elapsed: Double
  ) -> FixMeasurement {
    guard next.hasVelocity, (next.speed ?? 0) > Float(MotionModel.leastCourseSpeed) else {
      return next
    }
    var velocity = SIMD2(next.east, next.north) * scale
    if elapsed <= Self.longestStep, last.hasVelocity {
      let change = (velocity - SIMD2(last.east, last.north)) * (lag / Float(elapsed))
      let length = (change * change).sum().squareRoot()
      velocity += change * (length > Self.fastestChange ? Self.fastestChange / length : 1)
    }
    var next = next
    (next.east, next.north) = (velocity.x, velocity.y)
    return next
  }
}
