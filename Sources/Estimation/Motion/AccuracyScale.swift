internal import Glibc

/// By what factor the fixes of a device err more than they claim, learnt from how they scatter while
/// it stays at one place.
///
/// The filter cannot see this: it takes errors beyond the claims for a motion. How the fixes of the last
/// minutes scatter, and how they step from one to the next, shows it (``Spell``). Every kind of fix has a
/// factor of its own, as claims of satellites and of wifi are wrong by different factors.
///
/// Fixes that scatter less than they claim prove nothing, as a wrong position of wifi repeats itself,
/// so no factor is below 1.
struct AccuracyScale: Sendable, Hashable, Codable {
  /// The fixes since the device was last seen to move.
  var spell = Spell()
  /// Logarithms of the factors: of fixes that claim less than ``MotionModel/coarseAccuracy``, and of the
  /// others.
  var logarithms = SIMD2<Float>()
  /// By how many fixes each was observed, as far as they count.
  var counts = SIMD2<UInt8>()

  /// How soon a factor is learnt, and how large it may be.
  private struct Pace {
    /// The weight of the prior, a factor of 1, and of an observed fix, seconds; how many fixes count.
    let prior: Float
    let fix: Float
    let memory: UInt8
    /// No observation counts for a logarithm beyond these.
    let observed: ClosedRange<Float>
  }

  /// Of fixes that claim an accuracy, and of those whose accuracy is a guess: that is soon given up, but
  /// only for a worse one, as a receiver that errs little under open sky errs more indoors.
  private static let claimed = Pace(prior: 600, fix: 10, memory: 180, observed: -1...1.4)
  private static let guessed = Pace(prior: 100, fix: 2, memory: 90, observed: 0...0.7)

  /// The factor for a fix that claims an accuracy, 1 to 4.1.
  @inline(__always)
  func factor(ofClaim accuracy: Double) -> Double {
    // A state that was read may have any.
    let logarithm = min(logarithms[Self.kind(accuracy)], Self.claimed.observed.upperBound)
    return logarithm > 0 ? Exponential.of(Double(logarithm)) : 1
  }

  /// The error of a device that moves as a share of that of one at rest: 1 if the fix claims an accuracy.
  ///
  /// Where the accuracy is a guess, the factor was learnt where the device rested, mostly indoors. On the
  /// way it errs less, so the root of the factor counts.
  func movingShare(of measurement: FixMeasurement) -> Float {
    guard !measurement.isAccuracyStated else { return 1 }
    return Float(1 / factor(ofClaim: measurement.accuracy).squareRoot())
  }

  /// The variance of errors that are new with every fix, square metres: of fixes ``Spell/leastStep`` or more
  /// apart.
  ///
  /// - Parameter sigma: Of a fix, metres.
  func whiteVariance(sigma: Double) -> Double {
    // A state that was read may have any.
    guard let white = spell.white, white > 0 else { return 0 }
    return min(Double(white), MotionModel.mostWhiteness) * sigma * sigma
  }

  /// Learns from a fix.
  ///
  /// The logarithm moves towards half that of the ratio of variances, with the weight `t / (600 s +
  /// 10 s · fixes)` of Docs/Accuracy.md ("Learnt per device"). Its constants were chosen on
  /// simulated phones whose claims were multiplied by 0.4. A guess has a weight of its own ("Without a
  /// claim"), and only its fixes that come back count.
  ///
  /// - Parameter elapsed: Seconds since the last fix.
  mutating func learn(from measurement: FixMeasurement, elapsed: Double) {
    let isStated = measurement.isAccuracyStated
    guard let fix = spell.ingest(measurement, elapsed: elapsed), isStated || fix.returns,
      let ratio = spell.ratio(sigma: measurement.sigma)
    else { return }
    let pace = isStated ? Self.claimed : Self.guessed
    let (least, most) = (pace.observed.lowerBound, pace.observed.upperBound)
    let kind = Self.kind(measurement.accuracy)
    counts[kind] = min(counts[kind], pace.memory - 1) + 1
    let rate = fix.seconds / (pace.prior + pace.fix * Float(counts[kind]))
    let shown = ratio > 0 ? log(ratio) / 2 : least
    logarithms[kind] += rate * (min(max(shown, least), most) - logarithms[kind])
  }

  @inline(__always)
  private static func kind(_ accuracy: Double) -> Int {
    accuracy < MotionModel.coarseAccuracy ? 0 : 1
  }
}

/// The fixes of the last minutes, with weights that decay: how far they scatter about their mean, and how
/// far they step from one to the next, in what they claim.
struct Spell: Sendable, Hashable, Codable {
  /// Seconds that are represented; 0 when it is empty.
  var weight: Float = 0
  /// Mean position on the map, metres.
  var x: Float = 0, y: Float = 0
  /// Sum of the squared distances from the mean over the variances that are claimed, times seconds.
  var square: Float = 0
  /// Mean of the variance that the steps show over that which is claimed.
  ///
  /// Errors of the variance s² with the correlation time τ step by `2 s² (1 − e^(−t/τ))` along one
  /// axis in the time t. Both axes together have twice that, so the squared step is divided by four
  /// times the bracket.
  var stepped: Float = 0
  /// The fix that was used last: its position, metres, and the seconds since.
  var lastX: Float = 0, lastY: Float = 0
  var since: Float = 0
  /// The part of the errors that is new with every fix, as a variance in sigmas squared that are claimed, up to
  /// ``MotionModel/mostWhiteness``: most of what was seen at this place; nil when none was.
  ///
  /// It stays while the device reports that it moves, but not where only the positions show that it went
  /// elsewhere, or after a silence: there the errors may be others.
  var white: Float?

  /// Time constant of the decay, seconds, and the most of it that one step may be: errors are correlated
  /// for a minute or so, and of sparse fixes a dozen are enough.
  private static let memory = 300.0
  private static let mostDecay = 0.2
  /// What must be represented before it shows anything, seconds.
  private static let leastWeight: Float = 150
  /// Fixes closer than this to the one before are not used, seconds: they have the same error.
  static let leastStep: Float = 5
  /// One fix represents no more than this, seconds, and a longer silence ends the spell.
  private static let longestStep: Float = 30
  private static let silence = 120.0
  /// A device that reports a higher speed moves, metres per second.
  private static let movingSpeed: Float = 1
  /// A device whose fixes scatter more than this along an axis moves, metres.
  private static let mostScatter: Float = 60
  /// One whose accuracy is a guess was elsewhere if they scatter more than this, metres, and it is as far from
  /// their mean: the spell begins where it is now, as a ride would hide for half an hour how its fixes
  /// scatter where it arrived.
  private static let journeyScatter: Float = 100
  /// No step counts for more variances that are claimed than this, as one to a wrong fix and back would for
  /// minutes: it is a dozen times what errors that are new with every fix step in ``leastStep``.
  private static let mostStepped: Float = 200
  /// By what factor slow errors may seem to step farther than they scatter, as only a few minutes are seen.
  private static let whiteMargin = 2.5
  /// Over longer steps, seconds, they step nearly as far as errors that are new with every fix.
  private static let longestWhiteStep = 20.0
  /// For how long errors that are new with every fix are remembered, seconds: only part of them is seen at
  /// any time, as what is slow is subtracted with a margin.
  private static let whiteMemory = 3_600.0
  /// Share of the variance of errors with a correlation of ``MotionModel/biasTime`` that is left about
  /// the mean of so many minutes: `memory / (memory + biasTime)`.
  private static let share: Float = 0.8

  /// Takes a fix.
  ///
  /// - Parameter elapsed: Seconds since the last fix, used or not.
  /// - Returns: the seconds that it represents, and whether its step led back towards the mean, as errors do
  ///   and a device that strolls along does not; nil when it is not used.
  mutating func ingest(
    _ measurement: FixMeasurement, elapsed: Double
  ) -> (seconds: Float, returns: Bool)? {
    if (measurement.speed ?? 0) > Self.movingSpeed {
      self = Spell(white: white)
    } else if elapsed > Self.silence {
      self = Spell()
    }
    since += Float(elapsed)
    guard since >= Self.leastStep else { return nil }
    let seconds = Double(since)
    since = 0
    let mass = min(Float(seconds), Self.longestStep)
    let (px, py) = (Float(measurement.x), Float(measurement.y))
    guard weight > 0 else {
      self = Spell(weight: mass, x: px, y: py, lastX: px, lastY: py, white: white)
      return nil
    }
    let decay = Float(Exponential.of(-min(seconds / Self.memory, Self.mostDecay)))
    let old = weight * decay
    weight = old + mass
    let part = mass / weight
    let inverse = Float(1 / (measurement.sigma * measurement.sigma))
    let (dx, dy) = (px - x, py - y)
    square = square * decay + old * part * inverse * (dx * dx + dy * dy)
    if !measurement.isAccuracyStated, hasLeft(dx, dy, inverse) {
      self = Spell(weight: mass, x: px, y: py, lastX: px, lastY: py)
      return nil
    }
    x += dx * part
    y += dy * part
    let (stepX, stepY) = (px - lastX, py - lastY)
    let fresh = Float(1 - Exponential.of(-seconds / MotionModel.biasTime))
    let step = inverse * (stepX * stepX + stepY * stepY) / (4 * fresh)
    stepped += (min(step, Self.mostStepped) - stepped) * part
    noteWhiteness(step: seconds)
    let returns = stepX * (lastX - x) + stepY * (lastY - y) < 0
    (lastX, lastY) = (px, py)
    return (mass, returns)
  }

  /// Whether the fixes scatter so much, and the last one is so far from their mean, that the device went there.
  private func hasLeft(_ dx: Float, _ dy: Float, _ inverse: Float) -> Bool {
    let least = Self.journeyScatter * Self.journeyScatter
    return dx * dx + dy * dy > least && square > 2 * weight * inverse * least
  }

  /// Notes the part of the errors that is new with every fix, or nearly so.
  ///
  /// A variance w that is new with every fix steps by `w / (1 − e^(−t/τ))` as ``stepped`` measures it, and
  /// scatters by w. Errors with the correlation time τ, and whatever moves, scatter at least 0.4 times as far
  /// as they step. So `w ≥ (stepped − 2.5 scatter) / (1 / (1 − e^(−t/τ)) − 2.5)`. Few fixes do not show
  /// it, nor do fixes so far apart in time that slow errors would step as far.
  private mutating func noteWhiteness(step seconds: Double) {
    guard weight >= Self.leastWeight, seconds <= Self.longestWhiteStep else { return }
    let steps = 1 / (1 - Exponential.of(-seconds / MotionModel.biasTime))
    let scatter = Double(square / (2 * weight))
    let shown = (Double(stepped) - Self.whiteMargin * scatter) / (steps - Self.whiteMargin)
    let kept = Double(white ?? 0) * Exponential.of(-seconds / Self.whiteMemory)
    let most = max(kept, min(shown, MotionModel.mostWhiteness))
    white = most > MotionModel.leastWhiteness ? Float(most) : nil
  }

  /// The variance of the errors over that which is claimed; nil when the device may have moved, or when
  /// too few fixes show it.
  ///
  /// Scatter and steps both show it, of errors with a correlation of ``MotionModel/biasTime``. A boat
  /// that swings at its anchor or drifts scatters and hardly steps; errors that are new with every fix
  /// step more than they scatter. The smaller counts.
  ///
  /// - Parameter sigma: What the last fix claims, metres along one axis.
  func ratio(sigma: Double) -> Float? {
    guard weight >= Self.leastWeight else { return nil }
    let scatter = square / (2 * weight)
    let limit = Self.mostScatter / Float(sigma)
    guard scatter < limit * limit else { return nil }
    return min(scatter / Self.share, stepped)
  }
}

extension KeyedDecodingContainer {
  /// Reads the factors of a checkpoint; those of 0.2.0 have none.
  ///
  /// The decoder of ``Mixture``, which the compiler writes, calls this form for a field of this type.
  func decode(_ type: AccuracyScale.Type, forKey key: Key) throws -> AccuracyScale {
    try decodeIfPresent(type, forKey: key) ?? AccuracyScale()
  }
}
