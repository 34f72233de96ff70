internal import Text

/// Whether a text begins as a table of positions.
struct CSVSignature {
  private let options: ReadingOptions

  init(_ options: ReadingOptions) { self.options = options }

  /// Whether the text is a table by its first line; nil when more of that line is needed.
  func matches(_ text: ArraySlice<UInt8>, isFinal: Bool) -> Bool? {
    guard let first = text.first, !"{[$!<".utf8.contains(first) else { return false }
    let bytes = Array(text)
    let isWhole = isFinal || bytes.count >= CSVRecord.maxLength
    if let isTrack = PLT.isTrack(bytes.span, from: 0, isFinal: isWhole) {
      if isTrack { return true }
    } else {
      return nil
    }
    guard
      let separator = CSVRecord.separator(of: bytes.span, from: 0, isFinal: isWhole)
    else { return nil }
    var record = CSVRecord()
    guard
      case .record = record.read(bytes.span, from: 0, separator: separator, isFinal: isWhole)
    else { return false }
    if !options.columns.isEmpty { return true }
    return namesPosition(record, bytes.span)
      || CSVFirstRow(record, in: bytes.span, separator: separator).isRow
  }

  /// A header names latitude and longitude; a comment with both would name a time as well.
  private func namesPosition(_ record: CSVRecord, _ bytes: Span<UInt8>) -> Bool {
    let names = record.cells.map { CSVColumnName($0.string(in: bytes)) }
    if names.contains(where: { $0.key == "latitude" }) { return true }
    let roles = Set(names.compactMap(\.meaning?.role))
    return roles.contains(.latitude) && roles.contains(.longitude)
  }
}
