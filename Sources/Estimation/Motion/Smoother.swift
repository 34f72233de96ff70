internal import Geodesy
internal import Glibc

extension Motion {
  /// The estimates at the fixes of the window, each from the fixes before and after it; empty when they
  /// are unknown.
  ///
  /// A two-filter smoother (Fraser and Potter, 1969; for switching modes Helmick, Blair and Hoffman,
  /// 1995): the filter is run over them forwards, and once more over the same fixes in reverse. At each
  /// fix and for each mode the two are multiplied, and what both hold of the prior is divided out once.
  /// - Parameter since: the path begins with the last fix before this; nil for all of it.
  /// - Complexity: O(fixes of the ``window``) updates of the filter; fewer for the end of the path, at
  ///   which the window mostly knows what the filter held.
  package func smoothedPath(since: Timestamp? = nil) -> [Estimate] {
    let recent = window.measurements
    guard let map, let filter, recent.count > 1 else { return [] }
    let last = recent.count - 1
    let (first, ways) = window.modes(since: since)
    let correction = filter.mixture.correction
    var backward = ReverseFilter(recent.corrected(last, by: correction), like: filter.mixture)
    var path: [Estimate] = []
    path.reserveCapacity(1 + ways.count)
    path.append(filter.mixture.estimate(on: map).0)
    for place in (first..<last).reversed() {
      let later = backward.predict(to: recent[place].time)
      guard
        let both = ways[ways.startIndex + place - first].combined(
          with: later, prior: backward.modePrior(at: recent[place].time))
      else { return [] }
      path.append(Estimate(both, PositionMixture(both, on: map), at: recent[place].time))
      if place > first { backward.update(recent.corrected(place, by: correction)) }
    }
    path.reverse()
    return path
  }
}

extension [FixMeasurement] {
  /// A measurement with a corrected velocity: one that lags is ahead in reverse.
  func corrected(_ place: Int, by correction: VelocityCorrection) -> FixMeasurement {
    guard place > 0 else { return self[place] }
    let elapsed = self[place].time.seconds(since: self[place - 1].time)
    return correction.corrected(self[place], after: self[place - 1], elapsed: elapsed)
  }
}

/// The filter run backwards in time, from the last fix to earlier ones.
struct ReverseFilter {
  private var filter: MotionFilter
  private let end: Timestamp

  /// The initial state: the last fix, and the learnt properties of the receiver.
  init(_ last: FixMeasurement, like mixture: Mixture) {
    end = last.time
    filter = MotionFilter(last.reversed(at: end))
    filter.mixture.whiteness = mixture.whiteness
    filter.mixture.jitter.variance = mixture.jitter.variance
    filter.mixture.claim = mixture.claim
    filter.mixture.velocities.contradicts = mixture.velocities.contradicts
    filter.mixture.takeReceiver(of: mixture)
    // This is of the order of the fixes.
    filter.mixture.accuracy.spell = Spell(white: mixture.accuracy.spell.white)
  }

  /// The prediction for an earlier time from the fixes after it.
  func predict(to time: Timestamp) -> Modes {
    var modes = filter.mixture.predicted(to: time.mirrored(at: end))
    (modes.vx, modes.vy, modes.pv, modes.vb) = (-modes.vx, -modes.vy, -modes.pv, -modes.vb)
    return modes
  }

  mutating func update(_ measurement: FixMeasurement) {
    filter.update(measurement.reversed(at: end))
  }

  /// Probability that the last measurement was wrong altogether.
  var outlier: Double { filter.mixture.outlier }

  /// For how long it has been known where the device is, seconds.
  var age: Double { filter.mixture.age }

  /// Probabilities of the modes of a device of which nothing is known but how it began: those of
  /// the filter's beginning, and after a while the stationary ones.
  func modePrior(at time: Timestamp) -> Modes.Lanes {
    let begun = Modes.Lanes(0.6, 0.2, 0.2, 1e-4)
    let stationary = Modes.Lanes(0.96, 0.01, 0.02, 0.01)
    let kept = Float(exp(-end.seconds(since: time) / MotionModel.moveTime))
    return begun * kept + stationary * (1 - kept)
  }
}

extension Timestamp {
  /// As long after `end` as it was before it.
  fileprivate func mirrored(at end: Timestamp) -> Timestamp {
    end.advanced(byNanoseconds: end.nanoseconds(since: self))
  }
}

extension FixMeasurement {
  /// The same for a device that goes the same way backwards, from the time `end` on.
  fileprivate func reversed(at end: Timestamp) -> FixMeasurement {
    var reversed = self
    reversed.time = time.mirrored(at: end)
    (reversed.east, reversed.north) = (-east, -north)
    return reversed
  }
}

extension Mixture {
  /// Predicts to a later time, without a fix.
  fileprivate func predicted(to time: Timestamp) -> Modes {
    var sum = modes
    TransitionModel.with(
      nanoseconds: time.nanoseconds(since: last.time), rested: rested ?? 0
    ) { transition in
      var model = MeasurementModel(
        last, sigma: 1, noise: 1, doubt: 0, news: 1, elapsed: 0, scatter: 1)
      transition.predict(modes, &model, updates: false, into: &sum)
    }
    sum.weight *= 1 / sum.weight.sum()
    return sum
  }
}

extension Modes {
  /// The product of two independent estimates; nil when they exclude each other.
  ///
  /// - Parameters:
  ///   - prior: of the modes, which both hold.
  ///   - least: the logarithm of their density, up to a constant, below which they do.
  func combined(with other: Modes, prior: Lanes, least: Double = -600) -> Modes? {
    var sum = Modes()
    var logs = SIMD4<Double>(repeating: -.infinity)
    for lane in weight.indices {
      let weights = Double(weight[lane]) * Double(other.weight[lane])
      guard weights > 0, let log = sum.combine(lane, self, other) else { continue }
      logs[lane] = log + Glibc.log(weights / Double(prior[lane]))
    }
    var most = logs[0]
    for lane in 1..<4 where logs[lane] > most { most = logs[lane] }
    guard most > least else { return nil }
    for lane in weight.indices { sum.weight[lane] = Float(exp(logs[lane] - most)) }
    sum.weight *= 1 / sum.weight.sum()
    return sum
  }

  /// One mode of both.
  ///
  /// With the information matrices P and Q of both and that of the prior, the product has the
  /// covariance `C = (P + Q − prior)⁻¹` and the mean `C (P a + Q b)`. What both know of the
  /// velocity and the bias before any fix is their prior, and is counted once.
  ///
  /// - Returns: the logarithm of their density, up to a constant; nil when it is not defined.
  private mutating func combine(_ lane: Int, _ a: Modes, _ b: Modes) -> Double? {
    let velocity = Double(ModeTransition.velocityVariances[lane])
    let bias =
      lane == Modes.off ? MotionModel.offsetSigma * MotionModel.offsetSigma : 1
    // A mode without a velocity is given one that both know.
    let prior = Symmetric(0, 0, 0, 1 / (velocity > 0 ? velocity : 1), 0, 1 / bias)
    let (first, last) = (a.covariance(lane), b.covariance(lane))
    guard let p = first.inverse, let q = last.inverse, let c = (p + q - prior).inverse else {
      return nil
    }
    let origin = (Double(a.px[lane]), Double(a.py[lane]))
    let (ax, ay) = a.means(lane, from: origin)
    let (bx, by) = b.means(lane, from: origin)
    let (ex, ey) = (p * ax + q * bx, p * ay + q * by)
    let (x, y) = (c * ex, c * ey)
    let exponent =
      dot(ex, x) + dot(ey, y) - dot(ax, p * ax) - dot(ay, p * ay) - dot(bx, q * bx)
      - dot(by, q * by)
    (px[lane], py[lane]) = (Float(origin.0 + x.x), Float(origin.1 + y.x))
    (vx[lane], vy[lane]) = (Float(velocity > 0 ? x.y : 0), Float(velocity > 0 ? y.y : 0))
    (self.bx[lane], self.by[lane]) = (Float(x.z), Float(y.z))
    pp[lane] = Float(c.a)
    if velocity > 0 { (pv[lane], vv[lane], vb[lane]) = (Float(c.b), Float(c.d), Float(c.e)) }
    (pb[lane], bb[lane]) = (Float(c.c), Float(c.f))
    // Both axes have the same covariances.
    return exponent / 2 + log(p.determinant * q.determinant * c.determinant)
      - log((velocity > 0 ? 1 / velocity : 1) / bias)
  }

  private func covariance(_ lane: Int) -> Symmetric {
    let moves = ModeTransition.velocityVariances[lane] > 0
    return Symmetric(
      Double(pp[lane]), moves ? Double(pv[lane]) : 0, Double(pb[lane]),
      moves ? max(Double(vv[lane]), 1e-6) : 1, moves ? Double(vb[lane]) : 0,
      max(Double(bb[lane]), 1e-6))
  }

  private func means(
    _ lane: Int, from origin: (Double, Double)
  ) -> (SIMD3<Double>, SIMD3<Double>) {
    (
      SIMD3(Double(px[lane]) - origin.0, Double(vx[lane]), Double(bx[lane])),
      SIMD3(Double(py[lane]) - origin.1, Double(vy[lane]), Double(by[lane]))
    )
  }
}

private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

/// A symmetric matrix of three rows: a b c, b d e, c e f.
private struct Symmetric {
  let a, b, c, d, e, f: Double

  init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  var determinant: Double {
    a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
  }

  /// nil when it is not positive definite.
  var inverse: Symmetric? {
    let determinant = determinant
    guard determinant > 0, a > 0, a * d - b * b > 0 else { return nil }
    let k = 1 / determinant
    return Symmetric(
      k * (d * f - e * e), k * (c * e - b * f), k * (b * e - c * d), k * (a * f - c * c),
      k * (b * c - a * e), k * (a * d - b * b))
  }

  static func + (m: Symmetric, n: Symmetric) -> Symmetric {
    Symmetric(m.a + n.a, m.b + n.b, m.c + n.c, m.d + n.d, m.e + n.e, m.f + n.f)
  }

  static func - (m: Symmetric, n: Symmetric) -> Symmetric {
    Symmetric(m.a - n.a, m.b - n.b, m.c - n.c, m.d - n.d, m.e - n.e, m.f - n.f)
  }

  static func * (m: Symmetric, v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      m.a * v.x + m.b * v.y + m.c * v.z, m.b * v.x + m.d * v.y + m.e * v.z,
      m.c * v.x + m.e * v.y + m.f * v.z)
  }
}
