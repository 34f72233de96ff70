internal import Text

/// Angles in degrees and minutes, and perhaps seconds: `52°31'12.0"`, `52 31.2`, `52:31:12`.
///
/// The last number may have decimals. Between the numbers stand their signs, colons or blanks; an angle of
/// degrees alone has the sign of degrees. Letters would be mistaken for N, S, E and W, and `52°1` may be a
/// slip: minutes right behind degrees have their sign, or decimals.
enum SexagesimalAngle {
  /// The number of degrees; nil when the text is no such angle.
  ///
  /// - Parameter separator: That of the cells: where it is no comma, a comma may be a decimal point.
  static func parse(_ bytes: Span<UInt8>, separator: UInt8) -> Double? {
    var at = 0
    let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    if isNegative { at = 1 }
    var (seconds, count, isMarked, isCertain) = (0.0, 0, false, false)
    while at < bytes.count {
      guard count < factors.count, let number = number(bytes, &at, separator) else { return nil }
      // 60 is the next one: programs round 59.99999 up.
      guard count == 0 || number.value <= 60 else { return nil }
      seconds += number.value * factors[count]
      isMarked = skipMark(bytes, &at, marks[count])
      count += 1
      let isApart = at > 0 && isXMLSpace(bytes[at - 1])
      isCertain = isMarked && count != 1 || number.hasDecimals || isCertain || isApart || count > 2
      if number.hasDecimals { break }
    }
    skipBlanks(bytes, &at)
    guard at == bytes.count, count > 1 ? isCertain : isMarked else { return nil }
    return (isNegative ? -seconds : seconds) / 3_600
  }

  private static let factors = [3_600.0, 60, 1]
  /// What may follow each number: the longer ones first.
  private static let marks: [[StaticString]] = [
    ["°", "º", ":"], ["′", "’", "'", ":"], ["″", "”", "''", "\"\"", "\""],
  ]

  /// Digits, perhaps with decimals.
  private static func number(
    _ bytes: Span<UInt8>, _ at: inout Int, _ separator: UInt8
  ) -> (value: Double, hasDecimals: Bool)? {
    let start = at
    var text: [UInt8] = []
    while at < bytes.count, bytes[at].decimalDigit != nil {
      text.append(bytes[at])
      at += 1
    }
    guard at > start else { return nil }
    let isComma = at < bytes.count && bytes[at] == UInt8(ascii: ",")
    let hasDecimals =
      at < bytes.count && bytes[at] == UInt8(ascii: ".")
      || isComma && separator != UInt8(ascii: ",")
    if hasDecimals {
      text.append(UInt8(ascii: "."))
      at += 1
      while at < bytes.count, bytes[at].decimalDigit != nil {
        text.append(bytes[at])
        at += 1
      }
    }
    return DecimalNumber.parse(text.span).map { ($0, hasDecimals) }
  }

  /// Skips what follows a number, with blanks around it; returns whether it was more than blanks.
  private static func skipMark(
    _ bytes: Span<UInt8>, _ at: inout Int, _ marks: [StaticString]
  ) -> Bool {
    skipBlanks(bytes, &at)
    for mark in marks {
      let end = at + mark.utf8CodeUnitCount
      guard end <= bytes.count, bytes.extracting(at..<end).equals(mark) else { continue }
      at = end
      skipBlanks(bytes, &at)
      return true
    }
    return false
  }

  private static func skipBlanks(_ bytes: Span<UInt8>, _ at: inout Int) {
    while at < bytes.count, isXMLSpace(bytes[at]) { at += 1 }
  }
}
