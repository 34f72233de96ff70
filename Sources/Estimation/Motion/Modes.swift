internal import Geodesy

/// The four ways to explain the fixes, side by side, one in each lane of the vectors: the device
/// rests, walks or rides, or it rests and its fixes are away from it by a constant.
///
/// Each is a normal distribution. Along each axis of the map it holds the position, the velocity and
/// what the fixes are off by. As both axes are seen by the same fixes with the same accuracy, they
/// share one covariance.
///
/// Single precision holds a place on the map to half a millimetre. What a fix corrects is written
/// without differences of large numbers, so that even after a gap of hours a variance keeps its
/// digits.
struct Modes: Sendable, Hashable, Codable {
  typealias Lanes = SIMD4<Float>

  // The lanes.
  /// The device stays where it is.
  static var rest: Int { 0 }
  /// It is on foot.
  static var walk: Int { 1 }
  /// It is on wheels, rails, water or in the air.
  static var ride: Int { 2 }
  /// It rests, and its fixes are off by a constant: wifi that takes one access point for another.
  static var off: Int { 3 }

  /// Metres from the map's origin.
  var px = Lanes(), py = Lanes()
  /// Metres per second; 0 at rest.
  var vx = Lanes(), vy = Lanes()
  /// What the fixes are off by: the receiver's slow bias in its sigmas, and metres for the mode
  /// `off`.
  var bx = Lanes(), by = Lanes()
  /// The covariance of the three.
  var pp = Lanes(), pv = Lanes(), pb = Lanes(), vv = Lanes(), vb = Lanes(), bb = Lanes()
  /// Probabilities.
  var weight = Lanes()

  /// Becomes, lane by lane, the one normal distribution that has the mean and the covariance of the
  /// mixture of this and another.
  ///
  /// The moment matching of the generalised pseudo-Bayes filter. A lane whose weights are both 0
  /// keeps its own state. Both axes share a covariance, so it gets the mean of their spreads.
  @inline(__always)
  mutating func merge(_ other: Modes) {
    let sum = weight + other.weight
    // A smaller sum has no usable inverse; so improbable a mode does not matter.
    let nothing = sum .< 1e-30
    let inverse = 1 / sum.replacing(with: 1, where: nothing)
    let t = other.weight * inverse
    let s = 1 - t
    let (dpx, dpy) = (other.px - px, other.py - py)
    let (dvx, dvy) = (other.vx - vx, other.vy - vy)
    let (dbx, dby) = (other.bx - bx, other.by - by)
    // The spread of the means, on the average of both axes.
    let spread = s * t * 0.5
    pp = s * pp + t * other.pp + spread * (dpx * dpx + dpy * dpy)
    pv = s * pv + t * other.pv + spread * (dpx * dvx + dpy * dvy)
    pb = s * pb + t * other.pb + spread * (dpx * dbx + dpy * dby)
    vv = s * vv + t * other.vv + spread * (dvx * dvx + dvy * dvy)
    vb = s * vb + t * other.vb + spread * (dvx * dbx + dvy * dby)
    bb = s * bb + t * other.bb + spread * (dbx * dbx + dby * dby)
    px += t * dpx
    py += t * dpy
    vx += t * dvx
    vy += t * dvy
    bx += t * dbx
    by += t * dby
    weight = sum
  }

  /// Updates with a measurement of `position + scale * bias` along both axes.
  ///
  /// With covariance C, measurement h and noise R the corrected covariance C - Chh'C / S, S = h'Ch +
  /// R, is written as (C R + what is left of h'Ch C - Chh'C) / S, in which what is equal is left out.
  /// - Parameters:
  ///   - noise: Variance of the measurement, square metres.
  /// - Returns: the squared innovation and the inverse of its variance.
  @inline(__always)
  mutating func updatePosition(
    x: Float, y: Float, scale s: Lanes, noise: Lanes
  ) -> (square: Lanes, inverse: Lanes) {
    let gainP = pp + s * pb
    let gainV = pv + s * vb
    let gainB = pb + s * bb
    let inverse = 1 / (gainP + s * gainB + noise)
    let (dx, dy) = (x - px - s * bx, y - py - s * by)
    let (kx, ky) = (dx * inverse, dy * inverse)
    px += gainP * kx
    py += gainP * ky
    vx += gainV * kx
    vy += gainV * ky
    bx += gainB * kx
    by += gainB * ky
    let d = pp * bb - pb * pb
    let e = pp * vb - pb * pv
    let f = pv * bb - pb * vb
    let square = s * s
    let variance = (square * d + pp * noise) * inverse
    let between = (pb * noise - s * d) * inverse
    vv -= gainV * gainV * inverse
    bb = (d + bb * noise) * inverse
    pv = (pv * noise - s * e + square * f) * inverse
    vb = (vb * noise + e - s * f) * inverse
    pp = variance
    pb = between
    return (dx * dx + dy * dy, inverse)
  }

  /// Updates with a measured velocity, of no weight when the noise is very large.
  ///
  /// - Returns: the squared innovation and the inverse of its variance.
  @inline(__always)
  mutating func updateVelocity(
    x: Float, y: Float, noise: Lanes
  ) -> (square: Lanes, inverse: Lanes) {
    let inverse = 1 / (vv + noise)
    let (dx, dy) = (x - vx, y - vy)
    let (kx, ky) = (dx * inverse, dy * inverse)
    px += pv * kx
    py += pv * ky
    vx += vv * kx
    vy += vv * ky
    bx += vb * kx
    by += vb * ky
    pp -= pv * pv * inverse
    pb -= pv * vb * inverse
    bb -= vb * vb * inverse
    let kept = noise * inverse
    pv *= kept
    vv *= kept
    vb *= kept
    return (dx * dx + dy * dy, inverse)
  }

  /// Keeps variances from falling below their least values.
  @inline(__always)
  mutating func clampVariances() {
    pp = pp.replacing(with: Self.leastVariance, where: pp .< Self.leastVariance)
    vv = vv.replacing(with: 0, where: vv .< 0)
    bb = bb.replacing(with: 0, where: bb .< 0)
  }

  private static var leastVariance: Lanes { Lanes(repeating: 1e-6) }

  /// These lanes of the four, in another order.
  @inline(__always)
  func picking(_ lanes: (Int, Int, Int, Int)) -> Modes {
    Modes(
      px: px.picking(lanes), py: py.picking(lanes), vx: vx.picking(lanes), vy: vy.picking(lanes),
      bx: bx.picking(lanes), by: by.picking(lanes), pp: pp.picking(lanes), pv: pv.picking(lanes),
      pb: pb.picking(lanes), vv: vv.picking(lanes), vb: vb.picking(lanes), bb: bb.picking(lanes),
      weight: weight.picking(lanes))
  }

  /// Rest becomes as likely as it is at least.
  @inline(__always)
  mutating func raiseRestProbability() {
    // A lane of its own, written to memory, would be waited for where all are read.
    let least = Lanes(MotionModel.leastRest, 0, 0, 0)
    weight = least.replacing(with: weight, where: weight .> least)
  }

  /// Rest becomes what it is in another, which knows nothing of a velocity at rest either.
  mutating func takeRest(of other: Modes) {
    let rest = Self.rest
    (px[rest], py[rest], bx[rest], by[rest]) = (
      other.px[rest], other.py[rest], other.bx[rest], other.by[rest]
    )
    (pp[rest], pb[rest], bb[rest]) = (other.pp[rest], other.pb[rest], other.bb[rest])
  }

  /// The square of the slow bias of the receiver if the device rests, in its sigmas squared.
  var restBias: Float {
    let rest = Self.rest
    return bx[rest] * bx[rest] + by[rest] * by[rest]
  }

  /// The slow bias of the receiver is a new one, independent of all else.
  mutating func renewBias() {
    let kept = Lanes(0, 0, 0, 1)
    bx *= kept
    by *= kept
    pb *= kept
    vb *= kept
    bb = bb * kept + (1 - kept)
  }

  /// What is off is not off: the device rests where its fixes are.
  mutating func settleOffset() {
    let (rest, off) = (Self.rest, Self.off)
    (px[rest], py[rest]) = (px[off] + bx[off], py[off] + by[off])
    pp[rest] = pp[off] + 2 * pb[off] + bb[off]
    (bx[rest], by[rest], pb[rest], bb[rest]) = (0, 0, 0, 1)
    weight[rest] += weight[off]
    forgetOffset()
  }

  /// The fixes are not off by a constant.
  mutating func forgetOffset() {
    let (rest, off) = (Self.rest, Self.off)
    (px[off], py[off], pp[off]) = (px[rest], py[rest], pp[rest])
    (bx[off], by[off], pb[off]) = (0, 0, 0)
    bb[off] = Float(MotionModel.offsetSigma * MotionModel.offsetSigma)
    weight[off] = 0
  }
}

extension Modes.Lanes {
  /// These lanes, in another order.
  @inline(__always)
  func picking(_ lanes: (Int, Int, Int, Int)) -> Self {
    Self(self[lanes.0], self[lanes.1], self[lanes.2], self[lanes.3])
  }
}

// MARK: - The mean of the mixture

extension Modes {
  /// The mean of the position on the map.
  @inline(__always)
  var mean: Vector {
    Vector(x: Double((weight * px).sum()), y: Double((weight * py).sum()))
  }

  /// The velocity of the likelier way to move.
  @inline(__always)
  var velocity: Vector {
    let mover = weight[Self.walk] > weight[Self.ride] ? Self.walk : Self.ride
    return Vector(x: Double(vx[mover]), y: Double(vy[mover]))
  }
}
