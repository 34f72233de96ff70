/// Corrects a number that libgps read to the double nearest to the text.
///
/// libgps sums digits in doubles, so its result is a few units in the last place off. With few
/// enough digits the decimal number is still certain: scaled up it is a whole number below 2^53,
/// and its division by the exact power of ten is rounded once, and so correct to the bit.
package enum GPSDNumber {
  /// Most digits before and after the point for which ``metres(_:)`` is exact; gpsd writes 4.
  package static let wholeDigits = 9
  package static let decimals = 6
  /// Most digits before and after the point for which ``degrees(_:)`` is exact; gpsd writes 9.
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
