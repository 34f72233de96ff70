internal import Glibc

/// Arithmetic of angles in degrees that is exact at the quadrants.
package enum Angle {
  /// Radians in a degree.
  static var radian: Double { .pi / 180 }

  /// Sine and cosine of `degrees + small`, exact at the multiples of 90.
  static func sinCos(_ degrees: Double, adding small: Double = 0) -> (sin: Double, cos: Double) {
    let turns = (degrees / 90).rounded()
    // Exact: both numbers are within a factor of two of each other, or turns is 0.
    let rest = ((degrees - 90 * turns) + small) * radian
    let (sine, cosine) = (sin(rest), cos(rest))
    // Not an integer: the conversion would trap for NaN.
    switch turns - 4 * (turns / 4).rounded(.down) {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// The angle of the vector (`x`, `y`) in degrees, −180 to 180, exact at the multiples of 90.
  static func atan2(_ y: Double, _ x: Double) -> Double {
    if abs(y) > abs(x) {
      let rest = Glibc.atan2(x, abs(y)) / radian
      return y < 0 ? rest - 90 : 90 - rest
    }
    if x >= 0 { return Glibc.atan2(y, x) / radian }
    let rest = Glibc.atan2(abs(y), -x) / radian
    return y < 0 ? rest - 180 : 180 - rest
  }

  /// `degrees` (within ±540) brought into −180...180 by whole turns.
  package static func wrapped(_ degrees: Double) -> Double {
    if degrees > 180 { return degrees - 360 }
    return degrees < -180 ? degrees + 360 : degrees
  }

  /// The difference from `a` to `b` (both in −180...180), −180 to 180, and its rounding error.
  ///
  /// Their sum is the exact difference.
  static func difference(from a: Double, to b: Double) -> (value: Double, error: Double) {
    let sum = b - a
    // Knuth's two-sum.
    let part = sum + a
    let error = (b - part) + (-a - (sum - part))
    if sum > 180 || (sum == 180 && error > 0) { return (sum - 360, error) }
    if sum < -180 || (sum == -180 && error < 0) { return (sum + 360, error) }
    return (sum, error)
  }
}

/// The sine and cosine of one angle.
struct UnitVector: Sendable {
  var sin: Double
  var cos: Double

  /// Scales any vector except zero to length 1.
  init(normalizing sin: Double, _ cos: Double) {
    let length = hypot(sin, cos)
    self.init(sin: sin / length, cos: cos / length)
  }

  init(sin: Double, cos: Double) {
    self.sin = sin
    self.cos = cos
  }

  init(radians: Double) {
    self.init(sin: Glibc.sin(radians), cos: Glibc.cos(radians))
  }

  /// The sum of two angles.
  static func + (a: UnitVector, b: UnitVector) -> UnitVector {
    UnitVector(sin: a.sin * b.cos + a.cos * b.sin, cos: a.cos * b.cos - a.sin * b.sin)
  }

  /// The difference of two angles.
  static func - (a: UnitVector, b: UnitVector) -> UnitVector {
    UnitVector(sin: a.sin * b.cos - a.cos * b.sin, cos: a.cos * b.cos + a.sin * b.sin)
  }
}
