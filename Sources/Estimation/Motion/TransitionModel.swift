/// The transition model for the time between two fixes: how state and covariance of each mode change.
struct TransitionModel: Sendable {
  /// Seconds.
  let elapsed: Double

  // Shares that are forgotten within it.
  let bias, claim, whiteness, jitter, outlier: Double

  /// Nothing changes.
  private(set) var stays = ModeTransition()
  /// A walk ends, and a rest by a walk, a ride or its fixes going astray.
  private(set) var begins = ModeTransition()
  /// A ride ends by a rest, by a walk or by another direction; the fixes are off by another constant.
  private(set) var ends = ModeTransition()
  /// The fixes are not off any more, at rest or on foot; a walk becomes a ride.
  private(set) var returns = ModeTransition()
  /// A trip began and ended between the fixes; the fixes are not off any more, and it rides.
  private(set) var trips = ModeTransition()
  /// The same on foot: between fixes that are far apart in time, near and far trips are two hypotheses.
  private(set) var strolls = ModeTransition()

  private typealias Model = MotionModel
  private typealias Lanes = Modes.Lanes

  /// Calls `body` with the model for an interval in nanoseconds, more than 0; a pointer avoids copying
  /// a kilobyte.
  ///
  /// - Parameter rested: For how many seconds the device has rested when the interval begins; 0 when it
  ///   moves.
  /// - Complexity: O(1); whole seconds, the interval of most receivers, are looked up in a table.
  @inline(__always)
  static func with(
    nanoseconds: Int64, rested: Double, _ body: (UnsafePointer<TransitionModel>) -> Void
  ) {
    let elapsed = Double(nanoseconds) * 1e-9
    let age = restAge(rested + elapsed / 2)
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest == 0, (0..<wholeCount).contains(Int(seconds)) {
      body(whole + (age * wholeCount + Int(seconds)))
    } else {
      var transition = TransitionModel(elapsed, restAge: age)
      body(&transition)
    }
  }

  /// Index into ``MotionModel/restAges`` of a rest that has lasted for so many seconds.
  @inline(__always)
  private static func restAge(_ rested: Double) -> Int {
    let starts = Model.restAges
    var age = 0
    while age < 3, rested >= starts[age + 1] { age += 1 }
    return age
  }

  private static let wholeCount = 61
  // Safe: it is written here only, before it is shared, and never freed.
  nonisolated(unsafe) private static let whole = {
    let ages = Model.restTimes.indices
    let table = UnsafeMutablePointer<TransitionModel>.allocate(capacity: ages.count * wholeCount)
    for age in ages {
      for seconds in 0..<wholeCount {
        (table + (age * wholeCount + seconds)).initialize(
          to: TransitionModel(Double(seconds), restAge: age))
      }
    }
    return UnsafePointer(table)
  }()

  /// - Parameter restAge: Index into ``MotionModel/restAges``.
  init(_ elapsed: Double, restAge: Int) {
    self.elapsed = elapsed
    func losses(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> SIMD4<Double> {
      Exponential.loss(elapsed * SIMD4(1 / a, 1 / b, 1 / c, 1 / d))
    }
    let short = losses(Model.biasTime, Model.accuracyTime, Model.whitenessTime, Jitter.memory)
    (bias, claim, whiteness, jitter) = (short.x, short.y, short.z, short.w)
    let decays = losses(
      Model.walk.time, Model.walk.time * 2, Model.ride.time, Model.ride.time * 2)
    let (strayRate, backRate) = (1 / Model.offsetTimes[restAge], 1 / Model.offsetSpell)
    let more = losses(Model.outlierTime, Model.offsetHop, 1 / (strayRate + backRate), 1)
    outlier = more.x
    let hops = more.y
    // A spell that began may be over by the end of the interval, and one that is over may have begun again,
    // at the same wrong place: two states, in closed form.
    let settled = more.z / (strayRate + backRate)
    let (strays, comesBack) = (strayRate * settled, backRate * settled)
    let rests = losses(Model.restTimes[restAge], Model.moveTime, Model.walkTime, Model.rideTime)
    let (departs, mounts) = (rests.x, rests.z)
    // After a long time it moves, or rides, again.
    let stops = min(rests.y, 1 - Model.leastMoving)
    let dismounts = min(rests.w, 1 - Model.leastRiding)
    let roads = losses(
      Model.turnTime, Model.tripTime, Model.walkBiasTime, Model.rideBiasTime)
    let (turns, trips) = (roads.x, roads.y)

    let walking = IntervalMotion(Model.walk, within: elapsed, whole: decays.x, half: decays.y)
    let riding = IntervalMotion(Model.ride, within: elapsed, whole: decays.z, half: decays.w)
    setMotion(walking, riding, biasLoss: (roads.z, roads.w))

    let goesOn = 1 - stops
    stays.share = Self.lanes(
      (1 - departs) * (1 - strays), goesOn * (1 - mounts),
      goesOn * (1 - dismounts) * (1 - turns), (1 - comesBack) * (1 - hops))
    let departure = departs * (1 - trips)
    begins.share = Self.lanes(
      stops, departure * Model.walkShare, departure * (1 - Model.walkShare),
      (1 - departs) * strays)
    ends.share = Self.lanes(
      stops, goesOn * dismounts, goesOn * (1 - dismounts) * turns, (1 - comesBack) * hops)
    let sets = comesBack * departs
    returns.share = Self.lanes(
      comesBack * (1 - departs), sets * Model.walkShare, goesOn * mounts, 0)
    // After longer it may have been anywhere on foot.
    let isTrip = elapsed > Model.sparseFixes && elapsed <= Model.longestTrip
    let onFoot = isTrip ? Model.walkShare : 0
    strolls.share = Self.lanes(departs * trips * onFoot, 0, 0, 0)
    self.trips.share = Self.lanes(
      departs * trips * (1 - onFoot), 0, sets * (1 - Model.walkShare), 0)
  }

  /// Factors for the probabilities that a spell of fixes that are off begins, goes on and ends, by how often
  /// fixes of this claim go astray.
  ///
  /// A receiver that goes astray less often than wifi does so for a shorter time, by the same factor s. By the
  /// two-state model, in which spells are rare, the share of the fixes that are off tends to s² of that of
  /// wifi, with a time constant of s times its spell.
  ///
  /// - Parameter share: s, from 0 to 1.
  func straying(share: Float) -> (begins: Float, lasts: Float, ends: Float) {
    guard share < 1 else { return (1, 1, 1) }
    let spells = elapsed / Model.offsetSpell
    let shorter = spells / Double(share)
    let loss = Exponential.loss(SIMD4(spells, shorter, 0, 0))
    let ends = Float(loss.y / loss.x)
    return (share * share * ends, Float(Exponential.of(spells - shorter)), ends)
  }

  /// The motion of the modes, and the decay of their biases and offsets.
  private mutating func setMotion(
    _ walking: IntervalMotion, _ riding: IntervalMotion, biasLoss: (walk: Double, ride: Double)
  ) {
    let wander = Model.restWander * elapsed
    let kept = Float(1 - bias)
    let offset = Float(Model.offsetSigma * Model.offsetSigma)
    stays.biasKeep = Lanes(kept, Float(1 - biasLoss.walk), Float(1 - biasLoss.ride), 1)
    stays.biasVariance = Lanes(1, 1, 1, offset)
    stays.wander = Self.lanes(wander, 0, 0, wander)

    // What sets off did so at some time between the fixes, as likely early as late.
    func late(_ model: Model.VelocityModel, _ journey: IntervalMotion) -> Double {
      model.variance * journey.span * journey.span / 12
    }
    begins = stays
    stays.setMotion(walking.whole, riding.whole)
    begins.setMotion(walking.half, riding.half)
    begins.wander = Self.lanes(
      wander, late(Model.walk, walking), late(Model.ride, riding), wander)
    (ends, returns, trips) = (begins, begins, begins)

    begins.coast[Modes.rest] = Float(0.5 * walking.span)
    begins.biasKeep[Modes.off] = 0

    let half = Float(0.5 * riding.span)
    ends.coast = Lanes(half, half, half, 0)
    ends.wander = stays.wander
    ends.biasKeep[Modes.off] = 0

    (returns.biasKeep[Modes.rest], returns.biasKeep[Modes.walk]) = (0, 0)

    trips.biasShare[Modes.rest] = 0
    strolls = trips
    trips.biasKeep[Modes.ride] = 0
    let time = min(elapsed, Model.longestTrip)
    func way(_ speed: Double) -> Float { Float(speed * speed * time * time) }
    trips.wander[Modes.rest] += way(Model.tripSpeed)
    strolls.wander[Modes.rest] += way(Model.walk.sigma)
  }

  private static func lanes(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Lanes {
    Lanes(Float(a), Float(b), Float(c), Float(d))
  }
}

extension UnsafePointer<TransitionModel> {
  /// Follows all changes that may have happened, with the fix if it `updates`.
  ///
  /// Weights are not normalised. `sum` is `m` at the start. The model is not changed; it is inout only
  /// so that it is not copied.
  func predict(
    _ m: borrowing Modes, _ model: inout MeasurementModel, updates: Bool, into sum: inout Modes
  ) {
    let (rest, walk, ride, off) = (Modes.rest, Modes.walk, Modes.ride, Modes.off)
    let (begins, lasts, ends) = pointee.straying(share: model.strayShare)
    sum.weight[off] *= lasts
    if pointee.stays.scale(&sum.weight) {
      pointee.stays.predict(&sum, turns: false)
      if updates { update(&sum, &model) }
    } else {
      sum.weight = Modes.Lanes()
    }
    merge(m, (walk, rest, rest, rest), \.begins, &model, updates, (1, 1, 1, begins), into: &sum)
    merge(m, (ride, ride, ride, off), \.ends, &model, updates, (1, 1, 1, lasts), into: &sum)
    merge(m, (off, off, walk, off), \.returns, &model, updates, (ends, ends, 1, 1), into: &sum)
    merge(m, (rest, rest, off, off), \.trips, &model, updates, (1, 1, ends, 1), into: &sum)
    merge(m, (rest, rest, off, off), \.strolls, &model, updates, (1, 1, 1, 1), into: &sum)
  }

  /// Updates the modes that went on.
  ///
  /// A rest at a new place and one at an old place whose fixes are off predict the same fixes. While the
  /// second is the less probable of both, or the receiver is known to err less than it claims, it gains by
  /// nothing but fixes that scatter less than usual (``MeasurementModel/offsetGain(_:)``), and only where that
  /// is evidence. By its own likelihood, it would gain with every fix of a receiver that errs less than it
  /// claims, or whose errors are new with every fix.
  @inline(__always)
  private func update(_ sum: inout Modes, _ model: inout MeasurementModel) {
    let (rest, off) = (Modes.rest, Modes.off)
    guard sum.weight[off] > 1e-4, sum.weight[rest] > 1e-7 else {
      model.update(&sum)
      return
    }
    let usesScatter = pointee.elapsed <= MotionModel.sparseFixes && model.usesScatter(sum.weight)
    let isLimited = !usesScatter || model.isQuiet || sum.weight[off] < sum.weight[rest]
    let gain = usesScatter && isLimited ? model.offsetGain(sum) : 1
    let before = sum.weight
    model.update(&sum)
    let likelihood = sum.weight / before
    if isLimited, likelihood[off] < 1e3 * likelihood[rest] {
      sum.weight[off] = before[off] * min(likelihood[off], gain * likelihood[rest])
    }
  }

  /// Adds the prediction of four modes by one transition, if it is probable enough.
  @inline(__always)
  private func merge(
    _ m: borrowing Modes, _ lanes: (Int, Int, Int, Int),
    _ change: KeyPath<TransitionModel, ModeTransition>,
    _ model: inout MeasurementModel, _ updates: Bool, _ chances: (Float, Float, Float, Float),
    into sum: inout Modes
  ) {
    guard let change = pointer(to: change) else { return }
    var weight = m.weight.picking(lanes)
    weight *= Modes.Lanes(chances.0, chances.1, chances.2, chances.3)
    guard change.pointee.scale(&weight) else { return }
    var changed = m.picking(lanes)
    changed.weight = weight
    change.add(&changed, &model, updates, to: &sum)
  }
}

extension UnsafePointer<ModeTransition> {
  @inline(never)
  fileprivate func add(
    _ changed: inout Modes, _ model: inout MeasurementModel, _ updates: Bool, to sum: inout Modes
  ) {
    pointee.predict(&changed, turns: true)
    if updates { model.update(&changed) }
    sum.merge(changed)
  }
}

/// How far one moves in some time by a model, from a velocity of 1.
struct VelocityTransition {
  /// What the velocity loses, and what its variance does.
  let loss, varianceLoss: Double
  /// The way, metres.
  let way: Double
  /// The variance of the way for a velocity of variance 1.
  let spread: Double

  /// Motion with a velocity that decays (Ornstein-Uhlenbeck), in closed form.
  init(_ model: MotionModel.VelocityModel, for elapsed: Double, loss: Double) {
    self.loss = loss
    varianceLoss = loss * (2 - loss)
    way = model.time * loss
    spread = max(0, 2 * model.time * (elapsed - way) - way * way)
  }
}

/// Motion by a model between two fixes.
struct IntervalMotion {
  /// For all of the time, and for half of it.
  let whole, half: VelocityTransition
  /// For how long a velocity lasts, at most all of the time, seconds.
  let span: Double

  fileprivate init(
    _ model: MotionModel.VelocityModel, within elapsed: Double, whole: Double, half: Double
  ) {
    self.whole = VelocityTransition(model, for: elapsed, loss: whole)
    self.half = VelocityTransition(model, for: elapsed * 0.5, loss: half)
    span = min(elapsed, model.time)
  }
}
