extension TimeText {
  /// What was expected in place of a text that is no time, for messages.
  ///
  /// It names the years when all else may be right. The form stays in it: a number may be a date
  /// without its signs, and other forms of dates are not read everywhere.
  ///
  /// - Parameters:
  ///   - usual: The form of a time.
  ///   - takesNumbers: Whether a plain number is a time.
  package static func expectation(
    for bytes: borrowing Span<UInt8>, _ usual: String, takesNumbers: Bool = false
  ) -> String {
    guard bytes.count <= longest else { return usual }
    var text: [UInt8] = []
    text.append(bytes)
    guard hasOtherYear(text) || takesNumbers && isNumber(text) else { return usual }
    return "\(usual), of the years \(RFC3339.years.lowerBound) to \(RFC3339.years.upperBound)"
  }

  /// More bytes than any time has.
  private static let longest = 64

  /// Whether a text is a time but for its year.
  private static func hasOtherYear(_ bytes: [UInt8]) -> Bool {
    let numbers = bytes.split { $0.decimalDigit == nil }
    guard let digits = numbers.first(where: { $0.count == 4 }),
      let year = Int(String(decoding: digits, as: UTF8.self)), !RFC3339.years.contains(year)
    else { return false }
    var text = bytes
    text.replaceSubrange(digits.indices, with: "2000".utf8)
    return RFC3339.parse(text.span) != nil || LooseTime.parse(text.span) != nil
  }

  private static func isNumber(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { $0.decimalDigit != nil } }
  }
}
