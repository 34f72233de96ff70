internal import Glibc

/// One way to explain the fixes, and where the device is if it is right: a normal distribution.
///
/// Along each axis of the map it holds the position, a second quantity (the velocity of one that
/// moves, the offset of one whose fixes are off) and the receiver's slow bias in sigmas. As both
/// axes are seen by the same fixes with the same accuracy, they share one covariance.
struct Hypothesis: Sendable, Hashable, Codable {
  /// Means along one axis of the map.
  struct Axis: Sendable, Hashable, Codable {
    /// Metres from the map's origin.
    var position = 0.0
    /// Velocity in metres per second, or offset in metres.
    var rate = 0.0
    /// The receiver's slow bias, in its sigmas.
    var bias = 0.0
  }

  /// The covariance of the three, the same along both axes.
  struct Covariance: Sendable, Hashable, Codable {
    var pp = 0.0, pv = 0.0, pb = 0.0, vv = 0.0, vb = 0.0, bb = 0.0

    /// Forgets what is known of the second quantity.
    mutating func setRate(variance: Double) {
      (pv, vv, vb) = (0, variance, 0)
    }

    /// Forgets what is known of the bias.
    mutating func setBias(variance: Double) {
      (pb, vb, bb) = (0, 0, variance)
    }
  }

  var x = Axis()
  var y = Axis()
  var covariance = Covariance()
  /// Its probability.
  var weight = 0.0

  /// Sigma of the position along one axis, metres.
  var sigma: Double { max(covariance.pp, 0.01).squareRoot() }

  /// Sets the second quantity to 0 with the given variance.
  mutating func setRate(variance: Double) {
    (x.rate, y.rate) = (0, 0)
    covariance.setRate(variance: variance)
  }

  /// Sets the bias to 0 with the given variance.
  mutating func setBias(variance: Double) {
    (x.bias, y.bias) = (0, 0)
    covariance.setBias(variance: variance)
  }

  /// Becomes the one normal distribution that has the mean and the covariance of the mixture of this
  /// and another.
  @inline(__always)
  mutating func merge(_ other: Hypothesis, weight otherWeight: Double) {
    guard otherWeight > 0 else { return }
    guard weight > 0 else {
      self = other
      weight = otherWeight
      return
    }
    let sum = weight + otherWeight
    let (s, t) = (weight / sum, otherWeight / sum)
    let (dx, dy) = (Axis.difference(x, other.x), Axis.difference(y, other.y))
    // The spread of the means, on the average of both axes.
    let spread = s * t * 0.5
    let (c, d) = (covariance, other.covariance)
    covariance = Covariance(
      pp: s * c.pp + t * d.pp + spread * (dx.position * dx.position + dy.position * dy.position),
      pv: s * c.pv + t * d.pv + spread * (dx.position * dx.rate + dy.position * dy.rate),
      pb: s * c.pb + t * d.pb + spread * (dx.position * dx.bias + dy.position * dy.bias),
      vv: s * c.vv + t * d.vv + spread * (dx.rate * dx.rate + dy.rate * dy.rate),
      vb: s * c.vb + t * d.vb + spread * (dx.rate * dx.bias + dy.rate * dy.bias),
      bb: s * c.bb + t * d.bb + spread * (dx.bias * dx.bias + dy.bias * dy.bias))
    x = .mean(x, s, other.x, t)
    y = .mean(y, s, other.y, t)
    weight = sum
  }

  /// Takes a measurement of `position + scale * bias + share * rate` along both axes.
  ///
  /// - Parameters:
  ///   - noise: Variance of the measurement, square metres.
  /// - Returns: the probability density of the measurement, per square metre.
  @inline(__always)
  mutating func observe(
    x measuredX: Double, y measuredY: Double, bias scale: Double, rate share: Double, noise: Double
  ) -> Double {
    let c = covariance
    let gainP = c.pp + scale * c.pb + share * c.pv
    let gainV = c.pv + scale * c.vb + share * c.vv
    let gainB = c.pb + scale * c.bb + share * c.vb
    let variance = gainP + scale * gainB + share * gainV + noise
    let dx = measuredX - x.position - scale * x.bias - share * x.rate
    let dy = measuredY - y.position - scale * y.bias - share * y.rate
    correct(gainP, gainV, gainB, variance, dx, dy)
    return Self.density(dx, dy, variance)
  }

  /// The squared error of a measurement of `position + scale * bias`, in units of what is expected.
  func squaredError(x measuredX: Double, y measuredY: Double, bias scale: Double, noise: Double)
    -> Double
  {
    let c = covariance
    let variance = c.pp + 2 * scale * c.pb + scale * scale * c.bb + noise
    let dx = measuredX - x.position - scale * x.bias
    let dy = measuredY - y.position - scale * y.bias
    return (dx * dx + dy * dy) / (2 * variance)
  }

  /// Takes a measurement of the velocity.
  ///
  /// - Returns: the probability density of the measurement, per (m/s)².
  @inline(__always)
  mutating func observeVelocity(x measuredX: Double, y measuredY: Double, noise: Double) -> Double {
    let c = covariance
    let variance = c.vv + noise
    let (dx, dy) = (measuredX - x.rate, measuredY - y.rate)
    correct(c.pv, c.vv, c.vb, variance, dx, dy)
    return Self.density(dx, dy, variance)
  }

  /// The Kalman filter's step.
  private mutating func correct(
    _ p: Double, _ v: Double, _ b: Double, _ variance: Double, _ dx: Double, _ dy: Double
  ) {
    let (gainP, gainV, gainB) = (p / variance, v / variance, b / variance)
    x.add(gainP * dx, gainV * dx, gainB * dx)
    y.add(gainP * dy, gainV * dy, gainB * dy)
    covariance.pp -= gainP * p
    covariance.pv -= gainP * v
    covariance.pb -= gainP * b
    covariance.vv -= gainV * v
    covariance.vb -= gainV * b
    covariance.bb -= gainB * b
  }

  private static func density(_ dx: Double, _ dy: Double, _ variance: Double) -> Double {
    exp(-0.5 * (dx * dx + dy * dy) / variance) / (2 * .pi * variance)
  }
}

extension Hypothesis.Axis {
  fileprivate static func mean(_ a: Self, _ s: Double, _ b: Self, _ t: Double) -> Self {
    Self(
      position: s * a.position + t * b.position, rate: s * a.rate + t * b.rate,
      bias: s * a.bias + t * b.bias)
  }

  fileprivate static func difference(_ a: Self, _ b: Self) -> Self {
    Self(position: a.position - b.position, rate: a.rate - b.rate, bias: a.bias - b.bias)
  }

  fileprivate mutating func add(_ position: Double, _ rate: Double, _ bias: Double) {
    self.position += position
    self.rate += rate
    self.bias += bias
  }
}
