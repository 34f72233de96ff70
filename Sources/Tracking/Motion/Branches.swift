internal import Glibc

/// What one fix says: its position with its errors, and perhaps its velocity.
struct View {
  let sighting: Sighting
  /// Seconds since the fix before.
  let elapsed: Double
  /// Sigma of the slow bias along one axis, metres.
  let sigma: Double
  /// Variance of what is new with this fix along one axis, square metres.
  let noise: Double
  /// What the receiver's bias keeps since the fix before.
  let biasDecay: Double
  /// Velocity along both axes as reported, metres per second; 0 when too slow to have a course, nil
  /// when its course is unknown.
  let velocity: (x: Double, y: Double)?
  /// Probability density of the reported speed at rest; 1 when there is none.
  let stillness: Double
  /// Makes the density of a velocity that of a speed, metres per second.
  let ring: Double

  var hasSpeed: Bool { velocity != nil }

  init(_ sighting: Sighting, elapsed: Double, sigma: Double, noise: Double) {
    self.sighting = sighting
    self.elapsed = elapsed
    self.sigma = sigma
    self.noise = noise
    biasDecay = exp(-elapsed / MotionModel.biasTime)
    guard let speed = sighting.speed else {
      (velocity, stillness, ring) = (nil, 1, 1)
      return
    }
    // The length of a small random vector, and now and then anything.
    let scale = MotionModel.restSpeedSigma
    stillness = exp(-0.5 * speed * speed / (scale * scale)) / (scale * 1.25) + 0.01
    if speed <= MotionModel.leastCourseSpeed {
      velocity = (0, 0)
      ring = 2 * .pi * max(speed, 0.3)
    } else if let course = sighting.course {
      let angle = course * .pi / 180
      velocity = (speed * sin(angle), speed * cos(angle))
      ring = 2 * .pi * speed
    } else {
      // It moves, nobody knows where to.
      (velocity, ring) = (nil, 1)
    }
  }
}

/// The hypotheses after a fix: what led to the same mode is merged at once.
struct Branches {
  /// One hypothesis a mode, with weights that are not normalised.
  struct Modes {
    var rest = Hypothesis()
    var walk = Hypothesis()
    var ride = Hypothesis()
    var off = Hypothesis()

    var weight: Double { rest.weight + walk.weight + ride.weight + off.weight }
  }

  let view: View
  /// With the fix.
  private(set) var seen = Modes()
  /// As they would be had there been none.
  private(set) var unseen = Modes()

  init(_ view: View) {
    self.view = view
  }

  /// The device rests, after `change` came over a hypothesis.
  @inline(__always)
  mutating func rest(
    _ hypothesis: Hypothesis, _ weight: Double, _ change: (inout Hypothesis) -> Void
  ) {
    guard weight > MotionModel.leastWeight else { return }
    var branch = hypothesis
    change(&branch)
    branch.covariance.pp += MotionModel.restWander * view.elapsed
    branch.decayBias(view.biasDecay)
    unseen.rest.merge(branch, weight: weight)
    let likelihood = view.observe(&branch) * view.stillness
    seen.rest.merge(branch, weight: weight * likelihood)
  }

  /// It has begun to move.
  @inline(__always)
  mutating func depart(
    _ hypothesis: Hypothesis, _ weight: Double, _ walking: Journey, _ riding: Journey,
    _ change: (inout Hypothesis) -> Void
  ) {
    let share = MotionModel.walkShare
    walk(hypothesis, weight * share) {
      change(&$0)
      $0.setOff(walking)
    }
    ride(hypothesis, weight * (1 - share)) {
      change(&$0)
      $0.setOff(riding)
    }
  }

  /// It walks.
  @inline(__always)
  mutating func walk(
    _ hypothesis: Hypothesis, _ weight: Double, _ change: (inout Hypothesis) -> Void
  ) {
    view.move(hypothesis, weight, unseen: &unseen.walk, seen: &seen.walk, change)
  }

  /// It rides.
  @inline(__always)
  mutating func ride(
    _ hypothesis: Hypothesis, _ weight: Double, _ change: (inout Hypothesis) -> Void
  ) {
    view.move(hypothesis, weight, unseen: &unseen.ride, seen: &seen.ride, change)
  }

  /// It rests, and its fixes are off.
  @inline(__always)
  mutating func off(
    _ hypothesis: Hypothesis, _ weight: Double, _ change: (inout Hypothesis) -> Void
  ) {
    guard weight > MotionModel.leastWeight else { return }
    var branch = hypothesis
    change(&branch)
    branch.covariance.pp += MotionModel.restWander * view.elapsed
    unseen.off.merge(branch, weight: weight)
    let least = MotionModel.offsetNoise
    let likelihood =
      branch.observe(
        x: view.sighting.x, y: view.sighting.y, bias: 0, rate: 1,
        noise: max(least * least, view.sigma * view.sigma * 0.25)) * view.stillness
    seen.off.merge(branch, weight: weight * likelihood)
  }
}

extension View {
  /// Follows a hypothesis under which the device moves.
  @inline(__always)
  fileprivate func move(
    _ hypothesis: Hypothesis, _ weight: Double, unseen: inout Hypothesis, seen: inout Hypothesis,
    _ change: (inout Hypothesis) -> Void
  ) {
    guard weight > MotionModel.leastWeight else { return }
    var branch = hypothesis
    change(&branch)
    branch.decayBias(biasDecay)
    unseen.merge(branch, weight: weight)
    let likelihood = observe(&branch) * observeVelocity(&branch)
    seen.merge(branch, weight: weight * likelihood)
  }

  fileprivate func observe(_ branch: inout Hypothesis) -> Double {
    branch.observe(
      x: sighting.x, y: sighting.y, bias: sigma, rate: 0, noise: noise)
  }

  fileprivate func observeVelocity(_ branch: inout Hypothesis) -> Double {
    guard let velocity else { return 1 }
    let noise = MotionModel.velocityNoise * MotionModel.velocityNoise
    return branch.observeVelocity(x: velocity.x, y: velocity.y, noise: noise) * ring + 1e-3
  }
}
