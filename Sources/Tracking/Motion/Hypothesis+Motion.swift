internal import Glibc

/// What becomes of a hypothesis in the time between two fixes.
extension Hypothesis {
  /// The receiver's bias keeps the share `decay` and is renewed by chance.
  mutating func decayBias(_ decay: Double) {
    x.bias *= decay
    y.bias *= decay
    covariance.pb *= decay
    covariance.vb *= decay
    covariance.bb = covariance.bb * decay * decay + (1 - decay * decay)
  }

  /// Motion with a velocity that forgets itself (Ornstein-Uhlenbeck), in closed form.
  mutating func move(_ pace: Pace) {
    let (decay, way) = (pace.decay, pace.way)
    let variance = pace.gait.variance + fastVariance
    x.position += way * x.rate
    y.position += way * y.rate
    x.rate *= decay
    y.rate *= decay
    let c = covariance
    covariance.pp += 2 * way * c.pv + way * way * c.vv + variance * pace.spread
    covariance.pv = decay * (c.pv + way * c.vv) + variance * way * (1 - decay)
    covariance.vv = decay * decay * c.vv + variance * (1 - decay * decay)
    covariance.pb = c.pb + way * c.vb
    covariance.vb = decay * c.vb
  }

  /// What is very fast varies its velocity by more: the variance beyond that of its gait.
  private var fastVariance: Double {
    let square = x.rate * x.rate + y.rate * y.rate
    guard square > MotionModel.fastSpeed * MotionModel.fastSpeed else { return 0 }
    let extra = MotionModel.fastShare * (square.squareRoot() - MotionModel.fastSpeed)
    return extra * extra
  }

  /// It began to move in some direction at some time between the fixes.
  mutating func setOff(_ journey: Journey) {
    setRate(variance: journey.gait.variance)
    move(journey.half)
    // The time of the start is as likely early as late.
    covariance.pp += journey.gait.variance * journey.span * journey.span / 12
  }

  /// It stopped at some time between the fixes.
  mutating func halt(_ journey: Journey) {
    let half = journey.span * 0.5
    let square = 0.5 * (x.rate * x.rate + y.rate * y.rate)
    x.position += half * x.rate
    y.position += half * y.rate
    let c = covariance
    covariance.pp += 2 * half * c.pv + half * half * c.vv + half * half / 3 * (square + c.vv)
    covariance.pb += half * c.vb
    setRate(variance: 0)
  }

  /// It stopped and goes on, by another gait or in another direction.
  mutating func turn(_ old: Journey, into new: Journey) {
    halt(old)
    setRate(variance: new.gait.variance)
    move(new.half)
  }

  /// It went somewhere between the fixes and rests again.
  mutating func displace(within elapsed: Double) {
    let sigma = MotionModel.tripSpeed * min(elapsed, MotionModel.longestTrip)
    covariance.pp += sigma * sigma
    covariance.pb = 0
  }

  /// It rests, and its fixes are off from now on.
  mutating func goAstray() {
    setBias(variance: 1)
    hop()
  }

  /// Its fixes are off by another constant.
  mutating func hop() {
    setRate(variance: MotionModel.offsetSigma * MotionModel.offsetSigma)
  }

  /// Its fixes were not off: it is where they are.
  mutating func settle() {
    x.position += x.rate
    y.position += y.rate
    covariance.pp += 2 * covariance.pv + covariance.vv
    setRate(variance: 0)
    setBias(variance: 1)
  }

  /// Its fixes are not off any more.
  mutating func comeBack() {
    setRate(variance: 0)
    setBias(variance: 1)
  }
}

/// How far one moves in some time by a gait, from a velocity of 1: shared by all hypotheses.
struct Pace {
  let gait: MotionModel.Gait
  /// What the velocity keeps.
  let decay: Double
  /// The way, metres.
  let way: Double
  /// The variance of the way for a velocity of variance 1.
  let spread: Double

  init(_ gait: MotionModel.Gait, for elapsed: Double) {
    self.gait = gait
    decay = exp(-elapsed / gait.time)
    way = gait.time * (1 - decay)
    spread = 2 * gait.time * (elapsed - way) - way * way
  }
}

/// Motion by a gait between two fixes.
struct Journey {
  /// For all of the time, and for half of it.
  let whole: Pace
  let half: Pace
  /// For how long a velocity lasts, at most all of the time, seconds.
  let span: Double
  var gait: MotionModel.Gait { whole.gait }

  init(_ gait: MotionModel.Gait, within elapsed: Double) {
    whole = Pace(gait, for: elapsed)
    half = Pace(gait, for: elapsed * 0.5)
    span = min(elapsed, gait.time)
  }
}
