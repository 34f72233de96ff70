internal import Text

/// Judges the content of a log's lines that is neither a report of gpsd nor a sentence.
///
/// The data of a binary protocol, such as UBX, gives thousands of such pieces between sentences:
/// the first is reported, the others are only counted.
struct UnknownContent: Sendable {
  private var hasBinary = false
  /// The least bytes of a text where there is binary data, of which any byte may look like text.
  private static let leastText = 6

  /// The message for a piece; nil when it is only counted.
  mutating func message(for content: Span<UInt8>) -> String? {
    let expected = "expected a report of gpsd ({…}) or an NMEA sentence ($…)"
    let quotation = content.quoted(0..<content.count)
    guard isBinary(content) else { return "found \(quotation), \(expected)" }
    guard !hasBinary else { return nil }
    hasBinary = true
    let bytes = content.count == 1 ? "1 byte that is" : "\(content.count) bytes that are"
    return "found \(bytes) no text (\(quotation)), \(expected); more of these are counted; "
      + "gpsdecode -j reads binary data of receivers"
  }

  /// Whether content with an error only looks like a report or a sentence by its first byte.
  func includes(_ content: Span<UInt8>) -> Bool { !Self.isBegun(content) && isBinary(content) }

  private func isBinary(_ content: Span<UInt8>) -> Bool {
    content.isBinary || hasBinary && content.count < Self.leastText
  }

  /// Whether content begins as a report or a sentence with a talker does: noise may have damaged one.
  private static func isBegun(_ content: Span<UInt8>) -> Bool {
    guard content.count > 4 else { return false }
    if content[0] == UInt8(ascii: "{") {
      let first = (1..<content.count).first { !isXMLSpace(content[$0]) }
      return first.map { content[$0] == UInt8(ascii: "\"") } ?? false
    }
    return (1...2).allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= content[$0] }
  }
}
