internal import Text

/// Cells that should be numbers, as other programs write them.
enum CSVNumber {
  /// The number, nil when it is none; a comma is a decimal point where it does not separate cells.
  static func value(_ bytes: Span<UInt8>, separator: UInt8) -> Double? {
    if let number = DecimalNumber.parse(bytes) { return number.isFinite ? number : nil }
    guard let text = withPoint(bytes, separator: separator),
      let number = DecimalNumber.parse(text.span), number.isFinite
    else { return nil }
    return number
  }

  /// Whether a number may be one with points between its thousands, as `1.036`; `0.036` may not.
  static func mayHaveThousands(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 4, bytes[bytes.count - 4] == UInt8(ascii: ".") else { return false }
    let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
    let whole = start..<bytes.count - 4
    return 1...3 ~= whole.count && bytes[start] != UInt8(ascii: "0")
      && whole.allSatisfy { bytes[$0].decimalDigit != nil }
      && (bytes.count - 3..<bytes.count).allSatisfy { bytes[$0].decimalDigit != nil }
  }

  /// The cell with a point for its first comma; nil when it has none, or where a comma separates cells.
  static func withPoint(_ bytes: Span<UInt8>, separator: UInt8) -> [UInt8]? {
    guard separator != UInt8(ascii: ","),
      let comma = bytes.firstIndex(of: UInt8(ascii: ","), from: 0)
    else { return nil }
    var text: [UInt8] = []
    text.append(bytes)
    text[comma] = UInt8(ascii: ".")
    return text
  }

  /// The number of degrees, or of degrees, minutes and seconds; N, S, E or W may stand before or after it.
  static func degrees(_ bytes: Span<UInt8>, of role: CSVRole, separator: UInt8) -> Double? {
    if let number = value(bytes, separator: separator) { return number }
    guard bytes.count > 1 else { return nil }
    let last = bytes.count - 1
    let (sign, rest): (Double, Range<Int>)
    if let found = self.sign(bytes[last], role) {
      (sign, rest) = (found, 0..<last)
    } else if let found = self.sign(bytes[0], role) {
      (sign, rest) = (found, 1..<bytes.count)
    } else {
      return angle(bytes, of: role, separator)
    }
    let text = bytes.extracting(bytes.trimmed(rest))
    let size = value(text, separator: separator) ?? angle(text, of: role, separator)
    return size.flatMap { $0 < 0 ? nil : sign * $0 }
  }

  private static func angle(_ bytes: Span<UInt8>, of role: CSVRole, _ separator: UInt8) -> Double? {
    SexagesimalAngle.parse(bytes, separator: separator)
      .flatMap { abs($0) <= (role == .latitude ? 90 : 180) ? $0 : nil }
  }

  private static func sign(_ letter: UInt8, _ role: CSVRole) -> Double? {
    switch (letter.lowercased, role) {
    case (UInt8(ascii: "n"), .latitude), (UInt8(ascii: "e"), .longitude): 1
    case (UInt8(ascii: "s"), .latitude), (UInt8(ascii: "w"), .longitude): -1
    default: nil
    }
  }

  /// Whether a cell is a word for no value.
  static func isAbsent(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 0, bytes.count <= 4 else { return false }
    // Most cells show it with their first byte.
    switch bytes[0] {
    case UInt8(ascii: "-"), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "N"): break
    default: return false
    }
    return ["-", "na", "n/a", "nan", "null", "none", "\\n"].contains(bytes.string.lowercased())
  }
}
