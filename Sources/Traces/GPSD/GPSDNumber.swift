/// Makes a number as libgps reads it the double nearest to what the line says.
///
/// libgps sums digits up in doubles, so that what it reads is a few units in the last place off.
/// With few enough digits the decimal number that was meant is still certain: scaled up it is a
/// whole number below 2^53, and that divided by the exact power of ten is rounded once, and so
/// right to the bit.
package enum GPSDNumber {
  /// Most digits before and after the point for which ``metres(_:)`` is right; gpsd writes 4.
  package static let wholeDigits = 9
  package static let decimals = 6
  /// Most digits before and after the point for which ``degrees(_:)`` is right; gpsd writes 9.
  package static let wholeDegreeDigits = 3
  package static let degreeDecimals = 11

  /// A latitude or longitude.
  package static func degrees(_ number: Double) -> Double {
    (number * 1e11).rounded() / 1e11
  }

  /// Any other number.
  package static func metres(_ number: Double) -> Double {
    (number * 1e6).rounded() / 1e6
  }
}
