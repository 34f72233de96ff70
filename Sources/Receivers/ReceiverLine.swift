internal import Text

/// One line of a receiver log while it is read: the prefix, and the range of the content.
package struct ReceiverLine: Sendable {
  /// The kind of a line's content.
  package enum Kind: Equatable {
    /// Blanks, or a comment.
    case nothing
    /// An object of JSON.
    case object
    /// A sentence of NMEA 0183.
    case sentence
    /// Unknown content, and the offset after it at which a sentence may begin.
    case sentenceAfter(Int)
    case unknown
  }

  /// From 1.
  package let number: Int
  /// Whether the trace ends before the line does.
  package let isCut: Bool
  /// The range of the content, without blanks, line end and what loggers put before and after it:
  /// time stamps, names of instruments, tag blocks of NMEA 0183.
  package private(set) var content = 0..<0

  package init(number: Int, isCut: Bool) {
    self.number = number
    self.isCut = isCut
  }

  /// The longest prefix, in bytes; the format of gpspipe's can be set.
  private static let prefixLimit = 64

  /// Finds the content and returns its kind.
  package mutating func find(in bytes: Span<UInt8>) -> Kind {
    var end = bytes.count
    while end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    content = bytes.trimmed(0..<end)
    guard !content.isEmpty else { return .nothing }
    if bytes[content.lowerBound] == UInt8(ascii: "#") { return .nothing }
    if let kind = Self.kind(bytes[content.lowerBound]) { return kind }
    if let start = Self.start(afterPrefix: bytes, content), let kind = Self.kind(bytes[start]) {
      content = start..<content.upperBound
      return kind
    }
    if let sentence = Self.loggedSentence(bytes, content) {
      content = sentence
      return .sentence
    }
    return Self.lastSentence(bytes, content).map(Kind.sentenceAfter) ?? .unknown
  }

  /// The same line with other content.
  func with(_ content: Range<Int>) -> ReceiverLine {
    var line = self
    line.content = content
    return line
  }

  private static func kind(_ first: UInt8) -> Kind? {
    switch first {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "$"), UInt8(ascii: "!"): .sentence
    default: nil
    }
  }

  /// The offset after a time stamp: `2026-11-22 10:15:00.123456: {"class":…`.
  private static func start(afterPrefix bytes: Span<UInt8>, _ content: Range<Int>) -> Int? {
    guard bytes[content.lowerBound].decimalDigit != nil else { return nil }
    let end = min(content.upperBound, content.lowerBound + prefixLimit)
    for index in content.lowerBound + 2..<max(end, content.lowerBound + 2)
    where kind(bytes[index]) != nil {
      let isBehind = bytes[index - 2] == UInt8(ascii: ":") && bytes[index - 1].isBlank
      return isBehind ? index : nil
    }
    return nil
  }

  /// The sentence of a line of a logger; nil when the line has another form.
  ///
  /// Known are `NMEA,$GPRMC,…*hh,1614592800000` of GnssLogger, tag blocks as in
  /// `\s:gps,c:1614592800*hh\$GPRMC,…`, and a time stamp, perhaps with a name, before a blank.
  private static func loggedSentence(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Range<Int>? {
    guard
      let start = content.prefix(prefixLimit + 1).first(where: { kind(bytes[$0]) == .sentence }),
      start > content.lowerBound
    else { return nil }
    let prefix = bytes.extracting(content.lowerBound..<start)
    let last = prefix[prefix.count - 1]
    if prefix.equals("NMEA,") {
      guard let star = bytes.firstIndex(of: UInt8(ascii: "*"), from: start) else { return nil }
      return start..<min(star + 3, content.upperBound)
    }
    if prefix[0] == UInt8(ascii: "\\") {
      return last == prefix[0] && prefix.count > 1 ? start..<content.upperBound : nil
    }
    // A date and a time have eight digits or more, which noise hardly has.
    let digits = (0..<prefix.count).count { prefix[$0].decimalDigit != nil }
    return last.isBlank && digits >= 8 ? start..<content.upperBound : nil
  }

  private static func lastSentence(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Int? {
    content.last { bytes[$0] == UInt8(ascii: "$") || bytes[$0] == UInt8(ascii: "!") }
  }
}
