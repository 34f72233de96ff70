internal import Text

/// A table whose header names no position as we know it.
package enum ForeignTable {
  /// How its description begins.
  package static let opening = "\(ForeignFile.unknown); it looks like a table"

  /// What to do with a file that begins as a table; nil for another one.
  static func description(of head: ArraySlice<UInt8>) -> String? {
    let bytes = Array(head)
    var start = bytes.span.beginsWithByteOrderMark ? 3 : 0
    while start < bytes.count, isXMLSpace(bytes[start]) { start += 1 }
    guard
      let separator = CSVRecord.separator(of: bytes.span, from: start, isFinal: true)
    else { return nil }
    var record = CSVRecord()
    guard
      case .record(let next) = record.read(
        bytes.span, from: start, separator: separator, isFinal: true)
    else { return nil }
    let names = record.cells.map { $0.string(in: bytes.span).withoutControls }
    guard names.count > 2, names.allSatisfy({ isName($0) }),
      case .record = record.read(bytes.span, from: next, separator: separator, isFinal: true),
      record.cells.count == names.count
    else { return nil }
    return "\(opening) with the columns \(CSVHeader.list(names)); name those of a track: "
      + "--columns time=COLUMN,latitude=COLUMN,longitude=COLUMN, and date=COLUMN for a day "
      + "beside a time of day"
  }

  /// Whether a cell of the first line is a name, not a value or a sentence.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 60 && CSVNumber.value(Array(text.utf8).span, separator: 0) == nil
  }
}
