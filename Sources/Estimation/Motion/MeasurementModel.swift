/// The measurement model of one fix: its position with its errors, and its velocity if known.
///
/// The measurement is `z = p + σ b + e`, for the mode `off` `z = p + v + e` with its offset in
/// place of the bias: Docs/Accuracy.md, "Measurement model". ``Mixture`` makes one for each fix,
/// with what it has learnt of the receiver.
struct MeasurementModel {
  typealias Lanes = Modes.Lanes

  private let x, y, east, north: Float
  /// Metres for a unit of the bias: one sigma of the slow bias of each mode along one axis.
  private let scale: Lanes
  /// Variance of what is new with this fix along one axis, square metres.
  private let noise: Lanes
  /// Variance of the reported velocity: practically infinite for modes without a velocity.
  private let velocityNoise: Lanes
  /// Factor from the density of a velocity to that of a speed, metres per second; 0 where unused.
  private let ring: Lanes
  /// Likelihood of the reported speed at rest; 1 without a reported speed.
  private let base: Lanes
  /// Whether there is a velocity.
  let hasVelocity: Bool
  /// How often fixes that claim as much go astray, compared with those of wifi, 0 to 1.
  let strayShare: Float
  /// Whether it claims to be better than positions of wifi are.
  private var isExact: Bool { strayShare < 1 }
  /// Variance of the fixes where the device rested, in sigmas squared, as learnt.
  private let scatter: Float
  /// What the noise of the mode `off` lacks for fixes close in time, square metres.
  private let distinctNoise: Float
  /// Whether satellites may have given it.
  private let isFine: Bool

  private typealias Model = MotionModel

  /// - Parameters:
  ///   - sigma: Of the slow bias along one axis, metres.
  ///   - noise: Variance of what is new with this fix along one axis, square metres.
  ///   - moving: What of the sigma a device that moves has, and its noise; the same unless given.
  ///   - doubt: What is added to it where this fix may err by more than others, whatever the mode.
  ///   - repeated: What is added to it, of each mode, where the fix repeats the position of the one before
  ///     to the last digit.
  ///   - news: How much of a slow reported speed is new with this fix, 0 to 1.
  ///   - elapsed: Seconds since the fix before.
  ///   - scatter: Variance of the fixes where the device rested, in sigmas squared, as learnt.
  init(
    _ measurement: FixMeasurement, sigma: Double, noise: Double,
    moving: (share: Float, noise: Double)? = nil, doubt: Double, repeated: Double = 0, news: Float,
    elapsed: Double, scatter: Float
  ) {
    (east, north) = (measurement.east, measurement.north)
    (x, y) = (Float(measurement.x), Float(measurement.y))
    self.scatter = scatter
    let bias = Float(sigma)
    strayShare = Float(min(1, measurement.accuracy / Model.strayAccuracy))
    isFine = measurement.accuracy < Model.coarseAccuracy
    let movingBias = bias * (moving?.share ?? 1)
    scale = Lanes(bias, movingBias, movingBias, 1)
    let new = Float(noise + doubt + repeated)
    let movingNew = new + Float((moving?.noise ?? noise) - noise)
    let least = Float(Model.offsetNoise * Model.offsetNoise)
    // A repeated position says nothing of whether the fixes are off; were its error of the other modes
    // alone, each repetition would speak for that.
    let shared = Float(strayShare < 1 ? doubt + repeated : repeated)
    let wide = max(least, bias * bias * Model.offsetShare)
    let offset =
      measurement.accuracy < Model.distinctAccuracy
      ? wide : max(least, bias * bias * Self.offsetShare(after: elapsed))
    distinctNoise = wide - offset
    self.noise = Lanes(new, movingNew, movingNew, offset + shared)
    // A variance by which single precision does not overflow.
    let nothing = Lanes(repeating: 1e18)
    guard let speed = measurement.speed else {
      (velocityNoise, ring, base, hasVelocity) = (nothing, Lanes(), Lanes(repeating: 1), false)
      return
    }
    let still = Self.stillness(at: Double(speed))
    hasVelocity = measurement.hasVelocity
    guard hasVelocity else {
      // It moves in an unknown direction.
      (velocityNoise, ring, base) = (nothing, Lanes(), Lanes(still, 1, 1, still))
      return
    }
    let usual = Float(Model.velocityNoise * Model.velocityNoise) / news
    velocityNoise = Lanes(nothing[0], usual, usual, nothing[3])
    let width =
      2 * .pi * (speed <= Float(Model.leastCourseSpeed) ? max(speed, 0.3) : speed)
    ring = Lanes(0, width, width, 0) * news
    base = Lanes(still, 1e-3, 1e-3, still) * news + (1 - news)
  }

  /// Whether fixes that scatter less than they claim may be taken for the constant error of wifi.
  ///
  /// Those that satellites may have given do not make it probable, they only keep it so.
  func usesScatter(_ probabilities: Lanes) -> Bool {
    guard !isExact else { return false }
    return !isFine || probabilities[Modes.off] >= probabilities[Modes.rest]
  }

  /// The variance of fixes that are off, as a share of that of their claim, by the time since the last one.
  private static func offsetShare(after elapsed: Double) -> Float {
    let (first, last) = (Model.distinctFixes.lowerBound, Model.distinctFixes.upperBound)
    let share = Float(min(max((elapsed - first) / (last - first), 0), 1))
    return Model.offsetShare + share * (Model.distinctShare - Model.offsetShare)
  }

  /// Whether the fixes of the device are known to scatter much less than they claim.
  var isQuiet: Bool { scatter < Model.quietScatter }

  /// By what factor the fix speaks for fixes that are off by a constant, 1 or more: they scatter less than
  /// errors of the size that is claimed.
  ///
  /// The ratio of the densities of its distance from the offset that the mode `off` has: with the noise of
  /// that mode, and with that of a receiver whose error is new with every fix and as large as it claims, or as
  /// what is learnt of it. Fixes that are far apart in time gain no more than others. A fix that may err by
  /// more than others is not compared: the factor is infinite.
  func offsetGain(_ modes: Modes) -> Float {
    let (rest, off) = (Modes.rest, Modes.off)
    let claimed = scale[rest] * scale[rest]
    guard noise[rest] <= Float(Model.mostWhiteness) * claimed else { return .infinity }
    let narrow = modes.pp[off] + 2 * modes.pb[off] + modes.bb[off] + noise[off] + distinctNoise
    let usual = min(1, Model.scatterMargin * scatter)
    let wide = narrow + claimed * max(0, usual - Model.offsetShare)
    let (dx, dy) = (x - modes.px[off] - modes.bx[off], y - modes.py[off] - modes.by[off])
    let half = Double(0.5 * (dx * dx + dy * dy))
    let share = Exponential.of(half / Double(wide) - half / Double(narrow))
    return max(1, Float(share) * wide / narrow)
  }

  /// Probability density of a reported speed at rest: the length of a small random vector, and now
  /// and then anything.
  ///
  /// A half-normal distribution of ``MotionModel/restSpeedSigma``, whose density at 0 is `1 / (1.25
  /// σ)` as √(π/2) = 1.25, and 0.01 for any speed.
  static func stillness(at speed: Double) -> Float {
    let scale = Model.restSpeedSigma
    let share = Exponential.of(-0.5 * speed * speed / (scale * scale))
    return Float(share / (scale * 1.25) + 0.01)
  }

  /// Updates the modes with the fix and multiplies their weights by its likelihood.
  @inline(__always)
  func update(_ modes: inout Modes) {
    let place = modes.updatePosition(x: x, y: y, scale: scale, noise: noise)
    var likelihood = density(place)
    if hasVelocity {
      let velocity = modes.updateVelocity(
        x: east, y: north, noise: velocityNoise)
      likelihood *= density(velocity) * ring + base
    } else {
      likelihood *= base
    }
    modes.clampVariances()
    modes.weight *= likelihood
  }

  /// The density of a circular normal distribution at an innovation, 1/m².
  @inline(__always)
  private func density(_ error: (square: Lanes, inverse: Lanes)) -> Lanes {
    Exponential.of(-0.5 * error.square * error.inverse) * error.inverse * (0.5 / .pi)
  }
}
