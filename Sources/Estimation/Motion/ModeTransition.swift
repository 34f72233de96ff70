/// The prediction of the modes over the time between two fixes: for each lane of ``Modes``, the
/// transition of one mode into another, in a general form.
///
/// The velocity is an Ornstein-Uhlenbeck process (G. E. Uhlenbeck, L. S. Ornstein, 1930; R. A.
/// Singer, 1970, for aircraft) in closed form: Docs/Accuracy.md, "Modes and their transition
/// models", has the equations in these terms.
struct ModeTransition: Sendable {
  typealias Lanes = Modes.Lanes

  /// Probability of the change.
  var share = Lanes()
  /// First it goes on by its velocity for so many seconds on average, as it stopped at any time
  /// within twice that.
  var coast = Lanes()
  /// What the velocity loses, and what its variance does.
  var loss = Lanes()
  var varianceLoss = Lanes()
  /// The way for a velocity of 1, and the variance of the way for one of variance 1.
  var way = Lanes()
  var spread = Lanes()
  /// Variance of the velocity, by the velocity model.
  var variance = Lanes()
  /// After a stop and a new start, when only the model gives the velocity: the variance of the
  /// displacement, that of the velocity, and their covariance.
  private(set) var begunWay = Lanes()
  private(set) var begunVelocity = Lanes()
  private(set) var begunBetween = Lanes()
  /// What is kept of what the fixes are off by, and of its covariance with the position.
  var biasKeep = Lanes(repeating: 1)
  var biasShare = Lanes(repeating: 1)
  /// Variance of what they are newly off by.
  var biasVariance = Lanes(repeating: 1)
  /// What is added to the variance of the position.
  var wander = Lanes()

  /// How the lanes move; rest and off do not.
  mutating func setMotion(_ walk: VelocityTransition, _ ride: VelocityTransition) {
    func lanes(_ value: (VelocityTransition) -> Double) -> Lanes {
      Lanes(0, Float(value(walk)), Float(value(ride)), 0)
    }
    loss = lanes(\.loss)
    varianceLoss = lanes(\.varianceLoss)
    way = lanes(\.way)
    spread = lanes(\.spread)
    variance = Self.velocityVariances
    var begun = Modes()
    begun.vv = Self.velocityVariances
    move(&begun)
    (begunWay, begunVelocity, begunBetween) = (begun.pp, begun.vv, begun.pv)
  }

  /// Variances of the velocities, by each velocity model.
  static var velocityVariances: Lanes {
    Lanes(0, Float(MotionModel.walk.variance), Float(MotionModel.ride.variance), 0)
  }

  /// The inverse variance of the velocity of a ride in the lane of rides, 0 in the others.
  private static var rideInverse: Lanes { Lanes(0, 0, Float(1 / MotionModel.ride.variance), 0) }

  /// Weights by the probability of the transition.
  ///
  /// - Returns: whether any of it is probable enough to be followed.
  @inline(__always)
  func scale(_ weight: inout Lanes) -> Bool {
    let all = weight * share
    let isFollowed = all .> MotionModel.leastWeight
    guard any(isFollowed) else { return false }
    weight = Lanes().replacing(with: all, where: isFollowed)
    return true
  }

  /// Changes all but the weights of the modes that lead to the lanes.
  ///
  /// - Parameters:
  ///   - turns: Whether what moves stops and starts over; else it moves on.
  @inline(__always)
  func predict(_ m: inout Modes, turns: Bool) {
    if turns { turn(&m) } else { move(&m) }
    m.bx *= biasKeep
    m.by *= biasKeep
    m.pb *= biasKeep * biasShare
    m.vb *= biasKeep
    let square = biasKeep * biasKeep
    m.bb = m.bb * square + (1 - square) * biasVariance
    m.pp += wander
  }

  /// It stops and starts over: it goes on by the old velocity for some time, then the model alone
  /// gives the new one.
  ///
  /// It stopped at any time within twice ``coast``, so the time for which it went on is uniform
  /// between 0 and 2 h, h being ``coast``: the way has the variance `(h²/3)(v² + var v)` from that.
  @inline(__always)
  private func turn(_ m: inout Modes) {
    let square = 0.5 * (m.vx * m.vx + m.vy * m.vy)
    // A ride that is faster than the model's goes on as fast, in another direction.
    let scale = square * Self.rideInverse
    let faster = scale.replacing(with: 1, where: scale .< 1)
    m.px += coast * m.vx
    m.py += coast * m.vy
    let between = 2 * coast * m.pv
    let spread = m.vv + (square + m.vv) * (1 / 3)
    m.pp += between + coast * coast * spread
    m.pp += begunWay * faster
    m.pb += coast * m.vb
    (m.vx, m.vy, m.vb) = (Lanes(), Lanes(), Lanes())
    (m.vv, m.pv) = (begunVelocity * faster, begunBetween * faster)
  }

  /// It goes on: `p ← p + w v`, `v ← d v`, with the covariance of the Ornstein-Uhlenbeck process.
  @inline(__always)
  private func move(_ m: inout Modes) {
    // What is very fast varies its velocity by more than its model has.
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
