internal import Geodesy
internal import Glibc

/// The distribution of the way between two estimates of a device that moved at both.
///
/// The velocity is taken for a random walk of unknown strength q (m²/s³), so that between known
/// places and velocities the way is a cubic, give or take a Brownian bridge of second order (variance
/// q T³ / 192 half-way). How strong the walk is shows in how well the velocities at both ends agree
/// with the way as a whole: where they do, the device went straight and evenly and was near the line
/// even half-way; where they don't, it may have been anywhere.
struct Bridge {
  /// The strengths that are distinguished, with equal priors: from a car on a straight road
  /// to one that turns at a corner.
  ///
  /// That of ``MotionModel/ride`` is 2 σ² / τ = 3.4 m²/s³.
  private static var strengths: SIMD8<Double> { [0.0003, 0.003, 0.03, 0.3, 3, 30, 0, 0] }
  private static var count: Int { 6 }
  /// Variance, as a share of q T, of a velocity that a filter knows from places every T seconds only
  /// (1/√12, its steady state).
  private static let unmeasuredShare = 0.289

  /// A flat map whose origin is the first estimate.
  private let frame: LocalFrame
  /// Seconds.
  private let duration: Double
  /// From end to end, metres.
  private let chord: Vector
  /// What keeping the velocity of one end would lead away from the chord's other end, metres.
  private let astray: (first: Vector, last: Vector)
  /// Variance of the place along one axis at both ends, square metres.
  private let variances: (first: Double, last: Double)
  /// Whether the velocities were measured at both ends.
  private let isMeasured: Bool
  /// Factor from the velocities of the estimates to speeds: without measured velocities the filter
  /// predicts lower ones.
  let scale: Double
  /// Probability of each of ``strengths``.
  private let weights: SIMD8<Double>
  /// How much of what the velocities differ is a change and no error: 0...1.
  let unevenness: Double

  /// Nil when the device may have rested at one end, or turned round.
  ///
  /// It is nil, too, when the way is shorter than 1 m or one of the velocities leads back.
  init?(_ update: FilterUpdate) {
    let now = update.estimate
    guard let before = update.before, before.stillness < 0.5, now.stillness < 0.5 else {
      return nil
    }
    let duration = now.time.seconds(since: before.time)
    let frame = LocalFrame(origin: before.coordinate)
    let chord = frame.vector(to: now.coordinate)
    func length(_ velocity: Vector) -> Double {
      (velocity.x * chord.x + velocity.y * chord.y) / chord.length
    }
    guard duration > 0, chord.length > 1, length(before.velocity) > 0, length(now.velocity) > 0
    else { return nil }
    isMeasured = update.previous?.hasVelocity == true && update.fix.hasVelocity
    let scale = isMeasured ? 1 : chord.length / duration / length(now.velocity)
    func astray(_ velocity: Vector) -> Vector {
      Vector(
        x: scale * velocity.x * duration - chord.x, y: scale * velocity.y * duration - chord.y)
    }
    self.astray = (astray(before.velocity), astray(now.velocity))
    variances = (before.sigma * before.sigma, now.sigma * now.sigma)
    (self.frame, self.duration, self.chord, self.scale) = (frame, duration, chord, scale)
    (weights, unevenness) = Self.weigh(
      self.astray, variances.first + variances.last, duration, isMeasured: isMeasured)
  }

  /// How probable each strength is, and how much of the signs for it is no error.
  private static func weigh(
    _ astray: (first: Vector, last: Vector), _ placed: Double, _ duration: Double, isMeasured: Bool
  ) -> (weights: SIMD8<Double>, unevenness: Double) {
    let signs =
      isMeasured
      ? measuredSigns(astray, placed, duration) : unmeasuredSigns(astray, placed, duration)
    var weights = SIMD8<Double>(repeating: 0)
    var real = 0.0
    for index in 0..<count {
      let step = strengths[index] * duration
      weights[index] = signs.first.density(step) * (signs.second?.density(step) ?? 1)
      real += weights[index] * signs.first.real(step)
    }
    let sum = weights.sum()
    // Signs that no strength explains are those of the strongest.
    guard sum > 0 else {
      weights[count - 1] = 1
      return (weights, 1)
    }
    return (weights / sum, real / sum)
  }

  /// Where velocities were measured, their change and the mean velocity of the way less theirs are
  /// two independent signs.
  private static func measuredSigns(
    _ astray: (first: Vector, last: Vector), _ placed: Double, _ duration: Double
  ) -> (first: Sign, second: Sign?) {
    let (a, b) = astray
    let noise = MotionModel.velocityNoise * MotionModel.velocityNoise
    let change = Sign(
      x: (b.x - a.x) / duration, y: (b.y - a.y) / duration, share: 1, noise: 2 * noise)
    let excess = Sign(
      x: (a.x + b.x) / 2 / duration, y: (a.y + b.y) / 2 / duration, share: 1 / 12,
      noise: noise / 2 + placed / (duration * duration))
    return (change, excess)
  }

  /// Where they are known from the places only, the mean velocity of the way less that at its start
  /// is a sign.
  ///
  /// Its error is that of the difference of two steps, one after the other.
  private static func unmeasuredSigns(
    _ astray: (first: Vector, last: Vector), _ placed: Double, _ duration: Double
  ) -> (first: Sign, second: Sign?) {
    let sign = Sign(
      x: astray.first.x / duration, y: astray.first.y / duration, share: unmeasuredShare + 1 / 3,
      noise: 3 * placed / (duration * duration))
    return (sign, nil)
  }

  /// The likeliest place: on the cubic through both ends, as far as the velocities are no error.
  private func coordinate(at fraction: Double) -> Coordinate {
    let rest = 1 - fraction
    let share = unevenness * fraction * rest
    let (first, last) = (share * rest, share * fraction)
    return frame.coordinate(
      at: Vector(
        x: chord.x * fraction + first * astray.first.x - last * astray.last.x,
        y: chord.y * fraction + first * astray.first.y - last * astray.last.y))
  }

  /// Probability that the way led through an area that it is likeliest to be in at `fraction`.
  /// - Complexity: that of ``Area/signedDistance(to:)`` and a dozen of erfc.
  func probability(through area: Area, at fraction: Double) -> Double {
    let distance = area.signedDistance(to: coordinate(at: fraction))
    let size = area.approximateSize
    let rest = 1 - fraction
    // What the variances of velocities and of the walk between them add at a fraction of the way.
    let (square, product) = (duration * duration, fraction * rest)
    // Docs/Accuracy.md, "The way between two estimates": T² f² (1 − f)² ((1 − f)² + f²) var v, and
    // T² (f (1 − f))³ / 3 · q T.
    let ofVelocity = square * product * product * (rest * rest + fraction * fraction)
    let ofWalk = square * product * product * product / 3
    let noise = MotionModel.velocityNoise * MotionModel.velocityNoise
    var sum = 0.0
    for index in 0..<Self.count {
      let step = Self.strengths[index] * duration
      let velocity = isMeasured ? min(noise, step) : Self.unmeasuredShare * step
      let variance =
        rest * variances.first + fraction * variances.last + ofVelocity * velocity + ofWalk * step
      sum +=
        weights[index]
        * stripShare(distanceToEdge: distance, size: size, sigma: variance.squareRoot())
    }
    return sum
  }
}

/// A vector whose length is evidence of the strength of the random walk, metres per second.
private struct Sign {
  let x: Double
  let y: Double
  /// Its variance along one axis: a share of q T, and noise.
  let share: Double
  let noise: Double

  /// Share of the variance that is the walk's.
  func real(_ step: Double) -> Double { share * step / (share * step + noise) }

  /// Probability density, up to a factor, for the given q T.
  func density(_ step: Double) -> Double {
    let variance = share * step + noise
    return exp(-0.5 * (x * x + y * y) / variance) / variance
  }
}

extension Fix {
  /// Whether it has speed and course.
  fileprivate var hasVelocity: Bool { speed != nil && course != nil }
}
