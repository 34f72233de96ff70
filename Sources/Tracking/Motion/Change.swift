/// What becomes of the modes in the time between two fixes: for each lane of ``Modes``, a change of
/// one mode into another in the general form that all of them have.
struct Change: Sendable {
  typealias Lanes = Modes.Lanes

  /// Probability of the change.
  var share = Lanes()
  /// First it goes on by its velocity for so many seconds on average, as it stopped at any time
  /// within twice that.
  var coast = Lanes()
  /// Variance of the velocity that it sets off by then.
  var renewed = Lanes()
  /// By that it moves: what the velocity loses, and what its variance does.
  var loss = Lanes()
  var varianceLoss = Lanes()
  /// The way for a velocity of 1, and the variance of the way for one of variance 1.
  var way = Lanes()
  var spread = Lanes()
  /// Variance of the velocity by the gait.
  var variance = Lanes()
  /// What is kept of what the fixes are off by, and of its covariance with the position.
  var biasKeep = Lanes(repeating: 1)
  var biasShare = Lanes(repeating: 1)
  /// Variance of what they are newly off by.
  var biasVariance = Lanes(repeating: 1)
  /// What is added to the variance of the position.
  var wander = Lanes()

  /// How the lanes move; rest and off do not.
  mutating func setPace(_ walk: Pace, _ ride: Pace) {
    func lanes(_ value: (Pace) -> Double) -> Lanes {
      Lanes(0, Float(value(walk)), Float(value(ride)), 0)
    }
    loss = lanes(\.loss)
    varianceLoss = lanes(\.varianceLoss)
    way = lanes(\.way)
    spread = lanes(\.spread)
    variance = Self.gaits
  }

  /// Variances of the velocities by each gait.
  static var gaits: Lanes {
    Lanes(0, Float(MotionModel.walk.variance), Float(MotionModel.ride.variance), 0)
  }

  /// Changes the modes that lead to the lanes.
  ///
  /// - Parameters:
  ///   - turns: Whether what moves stops and sets off anew; else it moves on.
  /// - Returns: whether any of that is probable enough to be followed; else nothing is changed.
  @inline(__always)
  func apply(to m: inout Modes, turns: Bool) -> Bool {
    let weight = m.weight * share
    let isFollowed = weight .> MotionModel.leastWeight
    guard any(isFollowed) else { return false }
    m.weight = Lanes().replacing(with: weight, where: isFollowed)
    if turns { stop(&m) }
    move(&m)
    m.bx *= biasKeep
    m.by *= biasKeep
    m.pb *= biasKeep * biasShare
    m.vb *= biasKeep
    let square = biasKeep * biasKeep
    m.bb = m.bb * square + (1 - square) * biasVariance
    m.pp += wander
    return true
  }

  @inline(__always)
  private func stop(_ m: inout Modes) {
    let square = 0.5 * (m.vx * m.vx + m.vy * m.vy)
    m.px += coast * m.vx
    m.py += coast * m.vy
    let between = 2 * coast * m.pv
    let spread = m.vv + (square + m.vv) * (1 / 3)
    m.pp += between + coast * coast * spread
    m.pb += coast * m.vb
    (m.vx, m.vy, m.pv, m.vb) = (Lanes(), Lanes(), Lanes(), Lanes())
    m.vv = renewed
  }

  @inline(__always)
  private func move(_ m: inout Modes) {
    // What is very fast varies its velocity by more than its gait says.
    let speed = (m.vx * m.vx + m.vy * m.vy).squareRoot()
    let excess = (speed - Float(MotionModel.fastSpeed)) * Float(MotionModel.fastShare)
    let fast = excess.replacing(with: 0, where: excess .< 0)
    let variance = self.variance + fast * fast
    let decay = 1 - loss
    m.px += way * m.vx
    m.py += way * m.vy
    m.vx *= decay
    m.vy *= decay
    let gained = m.pv + way * m.vv
    m.pp += way * (m.pv + gained) + variance * spread
    let lost = variance * loss
    m.pv = decay * gained + way * lost
    let kept = decay * decay * m.vv
    m.vv = kept + variance * varianceLoss
    m.pb += way * m.vb
    m.vb *= decay
  }
}
