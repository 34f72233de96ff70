internal import Geodesy
internal import Glibc

/// Four ways to explain the fixes, weighed against each other: a multiple model filter in which each
/// change of mode is followed for one fix before what leads to the same mode is merged (generalised
/// pseudo-Bayes of second order; Bar-Shalom, Li and Kirubarajan, 2001, section 11.6).
///
/// The device rests, walks or rides, or it rests and its fixes are away from it by a constant.
/// Under each the receiver errs by a slow bias (a Gauss-Markov process in units of its claimed
/// accuracy) and a part that is new with every fix, so that a second fix a second later is hardly
/// new evidence. Each fix may also be wrong altogether.
struct Mixture: Sendable, Hashable, Codable {
  private(set) var rest: Hypothesis
  private(set) var walk: Hypothesis
  private(set) var ride: Hypothesis
  private(set) var off: Hypothesis
  /// The last sighting.
  private(set) var last: Sighting
  /// Probability that the last fix was wrong altogether.
  private(set) var outlier = 0.0
  /// Logarithm of the sigma that the receiver claims, smoothed.
  private var claim: Double
  /// Variance of the part of the error that is new with every fix, in sigmas squared, as learnt.
  private var whiteness = MotionModel.leastWhiteness
  /// What is seen of it under way too.
  private var jitter = Jitter()
  /// Since when the fixes have probably been off; nil when they are not.
  private var strayed: Timestamp?
  /// When the last gap ended.
  private var resumed: Timestamp
  /// Whether the last place is the one with which the receiver came back from a gap.
  private var isBack = false

  private typealias Model = MotionModel

  /// All that is known is one fix.
  init(_ sighting: Sighting) {
    last = sighting
    resumed = sighting.time
    let sigma = sighting.sigma
    claim = log(sighting.movingSigma)
    rest = Hypothesis()
    rest.x.position = sighting.x
    rest.y.position = sighting.y
    // What the fix is off by the bias, the position is off the other way.
    rest.covariance.pp = sigma * sigma * (1 + Model.leastWhiteness)
    rest.covariance.pb = -sigma
    rest.covariance.bb = 1
    (walk, ride, off) = (rest, rest, rest)
    off.goAstray()
    walk.setRate(variance: Model.walk.variance)
    ride.setRate(variance: Model.ride.variance)
    (rest.weight, walk.weight, ride.weight, off.weight) = (0.6, 0.2, 0.2, 1e-4)
    normalise()
  }

  /// All that is known is two fixes, perhaps of something very fast.
  init(_ sighting: Sighting, after previous: Sighting) {
    self.init(sighting)
    let elapsed = sighting.time.seconds(since: previous.time)
    let way = Vector(x: sighting.x - previous.x, y: sighting.y - previous.y)
    guard way.length <= Model.mostSpeed * elapsed else { return }
    (ride.x.rate, ride.y.rate) = (way.x / elapsed, way.y / elapsed)
  }

  /// Takes the next fix; its time is later.
  mutating func ingest(_ sighting: Sighting) {
    let elapsed = sighting.time.seconds(since: last.time)
    let view = look(sighting, elapsed)
    last = sighting
    var branches = Branches(view)
    spread(into: &branches)
    settle(branches)
  }

  /// Shows all on another map.
  mutating func move(_ change: MapChange) {
    rest.move(change)
    walk.move(change)
    ride.move(change)
    off.move(change)
    jitter.move(change, at: Vector(x: last.x, y: last.y))
    last.move(change)
  }

  /// What the fix says, beside its position.
  private mutating func look(_ sighting: Sighting, _ elapsed: Double) -> View {
    if elapsed > Model.gap { resumed = sighting.time }
    // The slow part of the claim scales the bias; a fix that claims to be worse has more noise.
    let claimed = sighting.movingSigma
    let step = min(max(log(claimed) - claim, -Model.accuracyStep), Model.accuracyStep)
    claim += (1 - exp(-elapsed / Model.accuracyTime)) * step
    let sigma = believed(exp(claim))
    let cold =
      Model.coldSigma * exp(-sighting.time.seconds(since: resumed) / Model.coldTime)
    jitter.ingest(
      x: sighting.x - last.x, y: sighting.y - last.y, elapsed: elapsed,
      limit: Model.mostWhiteness * sigma * sigma)
    var noise = max(whiteness * sigma * sigma, jitter.variance)
    noise += max(0, claimed * claimed - sigma * sigma) + cold * cold
    if !sighting.isSamePlace(as: last) {
      isBack = elapsed > Model.gap
      learnWhiteness(sighting, elapsed, sigma, noise)
    } else if !isBack || elapsed > Model.coldTime {
      noise += Model.frozenSigma * Model.frozenSigma
    }
    return View(sighting, elapsed: elapsed, sigma: sigma, noise: noise)
  }

  /// The sigma that is believed of a smooth claim of accuracy, metres.
  ///
  /// Few receivers that claim to be better than open sky allows are so good. Of a device that moves
  /// on it matters little which; one at rest near an edge would seem to cross it, so that of it such
  /// a claim is not believed.
  private func believed(_ claimed: Double) -> Double {
    let least = Model.leastAccuracy / Model.accuracyScale
    guard claimed < least else { return claimed }
    let isQuick = velocity.squaredLength > Model.leastCourseSpeed * Model.leastCourseSpeed
    let motion = isQuick ? walk.weight + ride.weight : 0
    return max(claimed, least * pow(Model.leastMovingAccuracy / Model.leastAccuracy, motion))
  }

  /// At rest the error of the forecast tells how much of the receiver's error is new with every fix.
  private mutating func learnWhiteness(
    _ sighting: Sighting, _ elapsed: Double, _ sigma: Double, _ noise: Double
  ) {
    guard rest.weight > 0.95, elapsed < Model.whitenessGap else { return }
    var forecast = rest
    forecast.covariance.pp += Model.restWander * elapsed
    forecast.decayBias(exp(-elapsed / Model.biasTime))
    let error = min(
      forecast.squaredError(x: sighting.x, y: sighting.y, bias: sigma, noise: noise),
      Model.whitenessClip)
    let rate = 1 - exp(-elapsed / Model.whitenessTime)
    whiteness *= exp(2 * rate * (error - 1))
    whiteness = min(max(whiteness, Model.leastWhiteness), Model.mostWhiteness)
  }

  /// Follows every change of mode that may have happened since the last fix.
  private func spread(into branches: inout Branches) {
    let elapsed = branches.view.elapsed
    func chance(_ time: Double) -> Double { 1 - exp(-elapsed / time) }
    let (departs, stops) = (chance(Model.restTime), chance(Model.moveTime))
    let strays = chance(Model.offsetTime)
    let walking = Journey(Model.walk, within: elapsed)
    let riding = Journey(Model.ride, within: elapsed)
    let departure = departs * (1 - chance(Model.tripTime))

    branches.rest(rest, rest.weight * (1 - departs) * (1 - strays)) { _ in }
    branches.rest(rest, rest.weight * (departs - departure)) { $0.displace(within: elapsed) }
    branches.depart(rest, rest.weight * departure, walking, riding) { _ in }
    branches.off(rest, rest.weight * (1 - departs) * strays) { $0.goAstray() }

    let mounts = chance(Model.walkTime)
    branches.walk(walk, walk.weight * (1 - stops) * (1 - mounts)) { $0.move(walking.whole) }
    branches.ride(walk, walk.weight * (1 - stops) * mounts) { $0.setOff(riding) }
    branches.rest(walk, walk.weight * stops) { $0.halt(walking) }

    let (dismounts, turns) = (chance(Model.rideTime), chance(Model.turnTime))
    let onwards = ride.weight * (1 - stops)
    branches.ride(ride, onwards * (1 - dismounts) * (1 - turns)) { $0.move(riding.whole) }
    branches.ride(ride, onwards * (1 - dismounts) * turns) { $0.turn(riding, into: riding) }
    branches.walk(ride, onwards * dismounts) { $0.turn(riding, into: walking) }
    branches.rest(ride, ride.weight * stops) { $0.halt(riding) }

    let (returns, hops) = (chance(Model.offsetSpell), chance(Model.offsetHop))
    branches.off(off, off.weight * (1 - returns) * (1 - hops)) { _ in }
    branches.off(off, off.weight * (1 - returns) * hops) { $0.hop() }
    branches.rest(off, off.weight * returns * (1 - departs)) { $0.comeBack() }
    branches.depart(off, off.weight * returns * departs, walking, riding) { $0.comeBack() }
  }

  /// What the fix says counts as far as it is not wrong; else all stays as it was predicted.
  private mutating func settle(_ branches: Branches) {
    let (seen, unseen) = (branches.seen, branches.unseen)
    let view = branches.view
    let stays =
      outlier * Model.outlierPersistence * exp(-view.elapsed / Model.outlierTime)
    let prior = stays + (1 - stays) * Model.outlierRate * min(view.elapsed, 30) / 10
    let density = 1 / (2 * .pi * Model.outlierSigma * Model.outlierSigma)
    let right = (1 - prior) * seen.weight
    let wrong = prior * density * (view.hasSpeed ? 0.5 : 1)
    outlier = wrong / (right + wrong)
    (rest, walk, ride, off) = (seen.rest, seen.walk, seen.ride, seen.off)
    scale(by: (1 - prior) / (right + wrong))
    if outlier > Model.leastOutlier {
      let share = outlier / unseen.weight
      rest.merge(unseen.rest, weight: unseen.rest.weight * share)
      walk.merge(unseen.walk, weight: unseen.walk.weight * share)
      ride.merge(unseen.ride, weight: unseen.ride.weight * share)
      off.merge(unseen.off, weight: unseen.off.weight * share)
    }
    if !(rest.weight > Model.leastRest) {
      if !(rest.weight > 0) { rest = unseen.rest }
      rest.weight = Model.leastRest
    }
    normalise()
    believeOffset()
  }

  /// What is off for longer than any spell lasts is not off: the device is where its fixes are.
  private mutating func believeOffset() {
    guard off.weight > 0.5 else {
      strayed = nil
      return
    }
    let since = strayed ?? last.time
    strayed = since
    guard last.time.seconds(since: since) >= Model.longestOffset else { return }
    strayed = nil
    let weight = rest.weight
    rest = off
    rest.settle()
    off.weight = weight
  }

  private mutating func scale(by factor: Double) {
    rest.weight *= factor
    walk.weight *= factor
    ride.weight *= factor
    off.weight *= factor
  }

  private mutating func normalise() {
    scale(by: 1 / (rest.weight + walk.weight + ride.weight + off.weight))
  }
}

// MARK: - The estimate

extension Mixture {
  /// The mean of the position on the map.
  var mean: Vector {
    var mean = Vector(x: 0, y: 0)
    func add(_ hypothesis: Hypothesis) {
      mean.x += hypothesis.weight * hypothesis.x.position
      mean.y += hypothesis.weight * hypothesis.y.position
    }
    add(rest)
    add(walk)
    add(ride)
    add(off)
    return mean
  }

  /// Sigma of the position along one axis, metres.
  var sigma: Double {
    let mean = mean
    func spread(_ h: Hypothesis) -> Double {
      let (dx, dy) = (h.x.position - mean.x, h.y.position - mean.y)
      return h.weight * (h.covariance.pp + 0.5 * (dx * dx + dy * dy))
    }
    return max(spread(rest) + spread(walk) + spread(ride) + spread(off), 0.01).squareRoot()
  }

  /// The velocity of the likelier way to move.
  var velocity: Vector {
    let mover = walk.weight > ride.weight ? walk : ride
    return Vector(x: mover.x.rate, y: mover.y.rate)
  }
}
