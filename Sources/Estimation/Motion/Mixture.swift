internal import Geodesy
internal import Glibc

/// Four hypotheses on how the device moves, with probabilities: a multiple model filter in which each
/// change of mode is followed for one fix before what leads to the same mode is merged (generalised
/// pseudo-Bayes of second order; Bar-Shalom, Li and Kirubarajan, 2001, section 11.6).
///
/// The device rests, walks or rides, or it rests and its fixes are away from it by a constant.
/// Under each the receiver errs by a slow bias (a Gauss-Markov process in units of its claimed
/// accuracy) and a part that is new with every fix, so that a second fix a second later is hardly
/// new evidence. Each fix may also be wrong altogether.
package struct Mixture: Sendable, Hashable, Codable {
  /// The hypotheses, one in each lane.
  var modes = Modes()
  /// The last measurement; the hypotheses are those at its time.
  var last: FixMeasurement
  /// The time of the last fix, where that only repeated the position; nil else (``hold(_:)``).
  var held: Timestamp?
  /// For how long the device repeats a position on the way, seconds, as learnt; nil when it does not.
  var refresh: Float?
  /// Probability that the last fix was wrong altogether.
  var outlier = 0.0
  /// Logarithm of the sigma that the receiver claims, smoothed.
  var claim: Double
  /// Variance of the part of the error that is new with every fix, in sigmas squared, as learnt.
  var whiteness = MotionModel.leastWhiteness
  /// Variance of fixes of wifi about the place where the device rests, in sigmas squared that are claimed, as
  /// learnt; nil when the device has no such fixes.
  var scatter: Float?
  /// What is seen of it under way too.
  var jitter = Jitter()
  /// Whether the reported velocities are used.
  var velocities = VelocityCheck()
  /// By what the reported velocities are off, as learnt.
  var correction = VelocityCorrection()
  /// What the claims of accuracy are worth, as learnt.
  var accuracy = AccuracyScale()
  /// For how many seconds the device has rested; nil when it moves.
  ///
  /// Motion wears it off, as an error that looks like a motion does not end a rest of hours.
  var rested: Double?
  /// Since when the fixes have probably been off; nil when they are not.
  var strayed: Timestamp?
  /// Time of the first measurement.
  var began: Timestamp
  /// When the last gap ended.
  var resumed: Timestamp
  /// Whether the last place is the one with which the receiver came back from a gap.
  var isBack = false

  private typealias Model = MotionModel

  /// Predicts and updates with the next measurement; its time is later.
  ///
  /// In this order: check the reported velocity, correct it, learn the receiver's errors, predict
  /// every mode transition, update each with the fix, merge. Then the fix is weighed as an outlier
  /// by Bayes' rule.
  ///
  /// - Complexity: O(1), up to 18 short predictions and updates, without an allocation.
  mutating func update(_ measurement: FixMeasurement) {
    TransitionModel.with(
      nanoseconds: measurement.time.nanoseconds(since: last.time), rested: rested ?? 0
    ) { transition in
      let elapsed = transition.pointee.elapsed
      velocities.ingest(
        from: last, to: measurement, elapsed: elapsed, sigma: measurement.sigma)
      correction.learn(from: last, to: measurement, elapsed: elapsed)
      var believed = correction.corrected(measurement, after: last, elapsed: elapsed)
      if velocities.contradicts { (believed.speed, believed.hasVelocity) = (nil, false) }
      let silence = measurement.time.seconds(since: time)
      var model = measurementModel(for: believed, transition, silence: silence)
      let isOnCourse = elapsed > Model.gap && leads(to: believed)
      learnRefresh(from: measurement, elapsed: elapsed)
      let previous = last
      last = measurement
      held = nil
      predictAndUpdate(transition, &model, isOnCourse: isOnCourse)
      if isOnCourse, outlier > Model.leastOutlier {
        // It went farther than the model of a ride does in so long a time.
        modes = Mixture(believed, after: previous).modes
        if let speed = believed.speed {
          modes.weight[Modes.rest] *= MeasurementModel.stillness(at: Double(speed))
          normalise()
        }
        (outlier, strayed, rested) = (0, nil, nil)
      }
    }
  }

  /// The estimate and the mixture of positions.
  ///
  /// While a position is only repeated, the device may have gone on from there.
  @inline(__always)
  func estimate(on map: LocalFrame) -> (Estimate, PositionMixture) {
    let positions = PositionMixture(modes, on: map)
    var estimate = Estimate(modes, positions, at: time)
    if let held {
      let way = estimate.velocity.length * held.seconds(since: last.time)
      estimate.sigma = (estimate.sigma * estimate.sigma + way * way).squareRoot()
    }
    return (estimate, positions)
  }

  /// Moves the state to another map.
  mutating func move(_ change: MapChange) {
    modes.move(change)
    jitter.move(change, at: Vector(x: last.x, y: last.y))
    velocities.move(change, at: Vector(x: last.x, y: last.y))
    accuracy.spell.move(change)
    last.move(change)
  }

  /// The time of the last fix.
  var time: Timestamp { held ?? last.time }

  /// Whether this is a valid state at a time; a state that was read may be invalid.
  func isValid(at now: Timestamp) -> Bool { last.time <= time && time <= now }

  /// The measurement model for one measurement: noise and slow bias as learnt so far.
  private mutating func measurementModel(
    for measurement: FixMeasurement, _ transition: UnsafePointer<TransitionModel>, silence: Double
  ) -> MeasurementModel {
    let elapsed = transition.pointee.elapsed
    if silence > Model.gap { resumed = measurement.time }
    // The slow part of the claim scales the bias; a fix that claims to be worse has more noise.
    let scale = Self.claimScale(measurement.accuracy, after: last.accuracy)
    accuracy.learn(from: measurement, elapsed: elapsed)
    let claimed =
      measurement.movingSigma * scale * accuracy.factor(ofClaim: measurement.accuracy)
    let stated = log(claimed)
    let change = stated - claim
    if change < Model.sourceChange {
      claim = stated
      modes.renewBias()
    } else {
      claim +=
        transition.pointee.claim * min(max(change, -Model.accuracyStep), Model.accuracyStep)
    }
    let sigma = trusted(Exponential.of(claim))
    // Beyond, what is left of it is lost in the rounding of the noise.
    let warmth = measurement.time.seconds(since: resumed) / Model.coldTime
    let cold = warmth < 60 ? Model.coldSigma * Exponential.of(-warmth) : 0
    jitter.ingest(
      x: measurement.x - last.x, y: measurement.y - last.y, elapsed: elapsed,
      loss: transition.pointee.jitter,
      limit: Model.mostWhiteness * sigma * sigma)
    learnScatter(measurement, sigma, elapsed: elapsed)
    let movingShare = accuracy.movingShare(of: measurement)
    let learnt = whiteness * sigma * sigma
    let white = accuracy.whiteVariance(sigma: sigma)
    let seen = max(jitter.variance, white > 0 ? jitter.independent(white, elapsed: elapsed) : 0)
    let noise = max(learnt, seen)
    let doubt = max(0, claimed * claimed - sigma * sigma) + cold * cold
    var repeated = 0.0
    if !measurement.isSamePlace(as: last) {
      isBack = silence > Model.gap
      learnWhiteness(measurement, transition, sigma, noise + doubt)
    } else if !isBack || silence > Model.coldTime {
      repeated = Model.frozenSigma * Model.frozenSigma
    }
    return MeasurementModel(
      measurement, sigma: sigma, noise: noise,
      moving: (movingShare, max(learnt * Double(movingShare * movingShare), seen)), doubt: doubt,
      repeated: repeated, news: Self.news(of: measurement, after: last, elapsed),
      elapsed: elapsed, scatter: scatter ?? 1)
  }

  /// How much information a slow reported speed adds: the errors of successive ones are correlated.
  @inline(__always)
  private static func news(
    of measurement: FixMeasurement, after last: FixMeasurement, _ elapsed: Double
  ) -> Float {
    let slow = Float(Model.leastCourseSpeed)
    guard let speed = measurement.speed, let before = last.speed, speed <= slow, before <= slow
    else { return 1 }
    return Float(min(1, max(elapsed, 0.01) / Model.speedTime))
  }

  /// The scale of a claim of accuracy.
  ///
  /// Positions of wifi and cells err by less than they claim. iPhones claim one of a few round numbers
  /// for every one of them, and err by half of it.
  @inline(__always)
  private static func claimScale(_ accuracy: Double, after previous: Double) -> Double {
    let (first, last, end) = Model.coarseClaims
    guard accuracy > first else { return 1 }
    let isClass = accuracy == 65 || accuracy == 165
    if isClass && accuracy == previous { return Model.classScale }
    guard accuracy < end else { return 1 }
    let share = min(1, log(accuracy / first) / log(last / first))
    return 1 - share * (1 - Model.coarseScale)
  }

  /// The sigma that is used for a smoothed claim of accuracy, metres.
  ///
  /// Few receivers that claim to be better than open sky allows are. While the device moves it makes
  /// little difference; a device at rest near an edge would seem to cross it, so at rest such a claim
  /// is not used.
  @inline(__always)
  private func trusted(_ claimed: Double) -> Double {
    let least = Model.leastAccuracy / AccuracyRadius.claimedSigmas
    guard claimed < least else { return claimed }
    let isQuick =
      modes.velocity.squaredLength > Model.leastCourseSpeed * Model.leastCourseSpeed
    let motion = isQuick ? Double(modes.weight[Modes.walk] + modes.weight[Modes.ride]) : 0
    return max(claimed, least * pow(Model.leastMovingAccuracy / Model.leastAccuracy, motion))
  }

  /// Predicts along every change of mode since the last fix and updates with the measurement; as far
  /// as the fix is probably an outlier, the prediction stands.
  ///
  /// The prior of an outlier is ``MotionModel/outlierRate`` for each 10 s since the last fix, of
  /// which 30 s count, and what is left of the last fix's probability. An outlier lies anywhere,
  /// with a density of a normal distribution of ``MotionModel/outlierSigma`` at its centre.
  ///
  /// - Parameter isOnCourse: Whether the fix is, after a gap, where its velocity leads the device.
  private mutating func predictAndUpdate(
    _ transition: UnsafePointer<TransitionModel>, _ model: inout MeasurementModel, isOnCourse: Bool
  ) {
    if modes.restBias > Model.leastDriftBias { yieldRest(elapsed: transition.pointee.elapsed) }
    let before = modes
    transition.predict(before, &model, updates: true, into: &modes)
    // Where a device rests that was hardly seen is not known, so nothing is off from there.
    if isHardlyKnown { modes.forgetOffset() }
    let stays = outlier * Model.outlierPersistence * (1 - transition.pointee.outlier)
    let prior = stays + (1 - stays) * Model.outlierRate * min(transition.pointee.elapsed, 30) / 10
    let density = 1 / (2 * .pi * Model.outlierSigma * Model.outlierSigma)
    let right = (1 - prior) * Double(modes.weight.sum())
    let chance = isOnCourse ? Model.courseChance : 1
    let wrong = prior * density * chance * (model.hasVelocity ? 0.5 : 1)
    outlier = wrong / (right + wrong)
    // Of a device that was hardly seen either place may be the wrong one.
    if outlier > 0.5, isHardlyKnown { began = last.time }
    modes.weight *= Float((1 - prior) / (right + wrong))
    if outlier > Model.leastOutlier {
      var unseen = before
      transition.predict(before, &model, updates: false, into: &unseen)
      unseen.weight *= Float(outlier) / unseen.weight.sum()
      modes.merge(unseen)
    }
    if !(modes.weight[Modes.rest] > 0) {
      var unseen = before
      transition.predict(before, &model, updates: false, into: &unseen)
      modes.takeRest(of: unseen)
    }
    modes.raiseRestProbability()
    normalise()
    absorbOffset()
    noteRest(elapsed: transition.pointee.elapsed)
  }

  /// Counts how long it rests.
  ///
  /// The time goes up while `rest` and `off` together are above 0.5, else it goes down by
  /// ``MotionModel/restWear`` seconds a second. The age decides how long the rest still lasts
  /// (``MotionModel/restTimes``).
  private mutating func noteRest(elapsed: Double) {
    let rests = modes.weight[Modes.rest] + modes.weight[Modes.off] > 0.5
    guard let before = rested else {
      if rests { rested = 0 }
      return
    }
    let seconds = rests ? before + elapsed : before - Model.restWear * elapsed
    rested = seconds < 0 ? nil : min(seconds, Model.longestRestAge)
  }

  /// Rest does not hold against fixes that for minutes all lie on one side (an anchor that drags).
  private mutating func yieldRest(elapsed: Double) {
    let sigma = Exponential.of(claim)
    // Coarse positions lie on one side for hours.
    guard let drift = Model.drift(ofSigma: sigma) else { return }
    let pull = modes.restBias - drift.bias
    guard pull > 0 else { return }
    let share = min(elapsed, Model.biasTime) / Model.biasTime
    modes.pp[Modes.rest] += drift.share * pull * Float(sigma * sigma * share)
  }

  /// What is off for longer than any spell lasts is not off: the device is where its fixes are.
  private mutating func absorbOffset() {
    guard modes.weight[Modes.off] > 0.5 else {
      strayed = nil
      return
    }
    let since = strayed ?? last.time
    strayed = since
    guard last.time.seconds(since: since) >= min(patience(before: since), Model.longestOffset)
    else { return }
    strayed = nil
    modes.settleOffset()
  }

  /// Whether the velocity of a ride, or those that both report, leads from the last measurement to a later
  /// one, but for ``MotionModel/courseShare`` of the way.
  ///
  /// A train, a ship or an aircraft keeps its velocity for longer than the model of a ride does. Wrong fixes
  /// lie now here, now there.
  func leads(to measurement: FixMeasurement) -> Bool {
    let elapsed = measurement.time.seconds(since: last.time)
    let way = Vector(x: measurement.x - last.x, y: measurement.y - last.y)
    func leads(_ east: Double, _ north: Double) -> Bool {
      let apart = Vector(x: way.x - east * elapsed, y: way.y - north * elapsed)
      return apart.squaredLength < Model.courseShare * Model.courseShare * way.squaredLength
    }
    if leads(Double(modes.vx[Modes.ride]), Double(modes.vy[Modes.ride])) { return true }
    guard last.hasVelocity, measurement.hasVelocity else { return false }
    return leads(
      Double(last.east + measurement.east) / 2, Double(last.north + measurement.north) / 2)
  }

  private var isHardlyKnown: Bool { age < Model.leastKnown }

  /// For how long it has been known where the device is, seconds.
  var age: Double { last.time.seconds(since: began) }

  /// How long fixes must contradict the place of the device from a time on until that place was wrong,
  /// seconds: one that was seen for a moment only (receivers wake with the position of the day before)
  /// is not where it rests.
  func patience(before time: Timestamp) -> Double {
    max(Model.stalePatience, 2 * time.seconds(since: began))
  }

  mutating func normalise() {
    modes.weight *= 1 / modes.weight.sum()
  }
}

// MARK: - Initial state

extension Mixture {
  /// The initial state, from one fix.
  ///
  /// The bias of this fix is unknown, so position and bias are correlated, with opposite signs. The
  /// weights are those of a device of which nothing is known: 0.6 at rest, 0.2 for each way to
  /// move, next to nothing for `off`.
  init(_ measurement: FixMeasurement) {
    last = measurement
    (began, resumed) = (measurement.time, measurement.time)
    let sigma = measurement.sigma
    claim = log(measurement.movingSigma)
    modes.px = Modes.Lanes(repeating: Float(measurement.x))
    modes.py = Modes.Lanes(repeating: Float(measurement.y))
    modes.pp = Modes.Lanes(repeating: Float(sigma * sigma * (1 + Model.leastWhiteness)))
    // What the fix is off by the bias, the position is off the other way.
    let bias = Float(-sigma)
    modes.pb = Modes.Lanes(bias, bias, bias, 0)
    modes.bb = Modes.Lanes(1, 1, 1, Float(Model.offsetSigma * Model.offsetSigma))
    modes.vv = Modes.Lanes(0, Float(Model.walk.variance), Float(Model.ride.variance), 0)
    modes.weight = Modes.Lanes(0.6, 0.2, 0.2, 1e-4)
    normalise()
  }

  /// The initial state, from two fixes of a device that may be very fast.
  ///
  /// The velocity of a ride is that of the way between them; up to ``MotionModel/mostSpeed``,
  /// beyond which it stays 0.
  init(_ measurement: FixMeasurement, after previous: FixMeasurement) {
    self.init(measurement)
    let elapsed = measurement.time.seconds(since: previous.time)
    let way = Vector(x: measurement.x - previous.x, y: measurement.y - previous.y)
    guard way.length <= Model.mostSpeed * elapsed else { return }
    modes.vx[Modes.ride] = Float(way.x / elapsed)
    modes.vy[Modes.ride] = Float(way.y / elapsed)
  }
}
