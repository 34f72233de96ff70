internal import Text

/// One record of a CSV file (RFC 4180) split into cells; its storage is reused.
struct CSVRecord: Sendable {
  /// The range of a cell, without its quotes.
  struct Cell: Sendable {
    var range: Range<Int>
    /// Whether the cell contains doubled quotes, so its bytes differ from its text.
    var hasDoubledQuotes = false
  }

  /// The result of reading a record.
  enum Outcome: Equatable {
    /// A record, which ends before `next`.
    case record(next: Int)
    /// The bytes end before the record does.
    case needsMore
    /// The record is longer than ``CSVRecord/maxLength``.
    case tooLong
    /// Text follows the closing quote of a cell, at an offset.
    case textAfterQuote(at: Int)
    /// The quote at an offset has no closing one.
    case unclosedQuote(at: Int)
  }

  /// The longest record, in bytes: far more than a position needs, and a bound on what one stray
  /// quote can swallow.
  static let maxLength = 64 * 1024

  private(set) var cells: [Cell] = []
  /// Lines of the record; more than one when a quoted cell contains line breaks.
  private(set) var lineCount = 1

  /// Reads the record at `start`.
  ///
  /// With `isFinal`, the bytes are complete.
  mutating func read(
    _ bytes: Span<UInt8>, from start: Int, separator: UInt8, isFinal: Bool
  ) -> Outcome {
    cells.removeAll(keepingCapacity: true)
    lineCount = 1
    let isCapped = bytes.count - start > Self.maxLength
    let end = isCapped ? start + Self.maxLength : bytes.count
    var offset = start
    while true {
      let opening = offset
      let isQuoted = offset < end && bytes[offset] == UInt8(ascii: "\"")
      let after =
        isQuoted
        ? readQuoted(bytes, from: offset, to: end)
        : readPlain(bytes, from: offset, to: end, separator: separator)
      guard let after else {
        return isCapped || isFinal ? .unclosedQuote(at: opening) : .needsMore
      }
      offset = after
      if offset < end, bytes[offset] == separator {
        offset += 1
      } else if let ending = Self.ending(bytes, at: offset, before: end, separator) {
        // A message that quotes the text needs all of its first character, wherever the bytes are
        // cut.
        let isOpen = !isFinal && bytes.isCharacterOpen(at: offset)
        return isOpen ? .needsMore : ending
      } else {
        return isCapped ? .tooLong : isFinal ? .record(next: end) : .needsMore
      }
    }
  }

  /// The unexpected text after a cell; nil when the bytes end there, or after a carriage return (a
  /// plain cell has dropped its own).
  private static func ending(
    _ bytes: Span<UInt8>, at offset: Int, before end: Int, _ separator: UInt8
  ) -> Outcome? {
    if offset == end { return nil }
    if bytes[offset] == UInt8(ascii: "\n") { return .record(next: offset + 1) }
    guard bytes[offset] == UInt8(ascii: "\r") else { return .textAfterQuote(at: offset) }
    if offset + 1 == end { return nil }
    if bytes[offset + 1] == UInt8(ascii: "\n") { return .record(next: offset + 2) }
    return bytes[offset + 1] == separator ? .textAfterQuote(at: offset) : .record(next: offset + 1)
  }

  /// Adds the cell that begins with the quote at `start`; returns the offset after its closing
  /// quote.
  private mutating func readQuoted(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var (offset, hasDoubledQuotes) = (start + 1, false)
    while offset < end {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        guard offset + 1 < end, bytes[offset + 1] == UInt8(ascii: "\"") else {
          cells.append(Cell(range: start + 1..<offset, hasDoubledQuotes: hasDoubledQuotes))
          return offset + 1
        }
        hasDoubledQuotes = true
        offset += 2
      case UInt8(ascii: "\n"):
        lineCount += 1
        offset += 1
      default: offset += 1
      }
    }
    return nil
  }

  /// Whether a carriage return ends a line on its own, as on old systems.
  private func isLineEnd(_ bytes: Span<UInt8>, _ offset: Int, _ end: Int) -> Bool {
    offset + 1 < end && bytes[offset + 1] != UInt8(ascii: "\n")
      && bytes[offset + 1] != UInt8(ascii: "\r")
  }

  /// Adds the cell at `start`; returns the offset of the separator or line break after it.
  private mutating func readPlain(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, separator: UInt8
  ) -> Int? {
    var offset = start
    while offset < end {
      let byte = bytes[offset]
      if byte == separator || byte == UInt8(ascii: "\n") { break }
      if byte == UInt8(ascii: "\r"), isLineEnd(bytes, offset, end) { break }
      offset += 1
    }
    var last = offset
    let isAtLineEnd = offset == end || bytes[offset] != separator
    if isAtLineEnd { while last > start, bytes[last - 1] == UInt8(ascii: "\r") { last -= 1 } }
    cells.append(Cell(range: start..<last))
    return offset
  }
}

extension CSVRecord.Cell {
  /// The text without blanks at its ends.
  func string(in bytes: Span<UInt8>) -> String { string(in: bytes, bytes.trimmed(range)) }

  /// The text with its blanks.
  fileprivate func wholeString(in bytes: Span<UInt8>) -> String { string(in: bytes, range) }

  private func string(in bytes: Span<UInt8>, _ part: Range<Int>) -> String {
    guard hasDoubledQuotes else { return bytes.extracting(part).string }
    var text: [UInt8] = []
    var offset = part.lowerBound
    while offset < part.upperBound {
      text.append(bytes[offset])
      offset += bytes[offset] == UInt8(ascii: "\"") ? 2 : 1
    }
    return text.span.string
  }
}

/// Splits the lines of a table that has one record on each.
package struct CSVLine: Sendable {
  private var record = CSVRecord()

  /// Makes a splitter, whose storage is used again.
  package init() {}

  /// The cells of a line as text with their blanks, separated by commas; nil when a quote is not closed, or
  /// text follows it.
  /// - Complexity: O(length).
  package mutating func cells(_ line: Span<UInt8>) -> [String]? {
    let outcome = record.read(line, from: 0, separator: UInt8(ascii: ","), isFinal: true)
    guard outcome == .record(next: line.count) else { return nil }
    var cells: [String] = []
    for cell in record.cells { cells.append(cell.wholeString(in: line)) }
    return cells
  }
}
