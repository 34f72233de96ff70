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
    return Self.namesPosition(record, bytes.span)
      || CSVFirstRow(record, in: bytes.span, separator: separator).isRow
  }

  /// A header names latitude and longitude; a comment with both would name a time as well.
  static func namesPosition(_ record: CSVRecord, _ bytes: Span<UInt8>) -> Bool {
    let names = record.cells.map { CSVColumnName($0.string(in: bytes)) }
    if names.contains(where: { $0.key == "latitude" }) { return true }
    let roles = Set(names.compactMap(\.meaning?.role))
    return roles.contains(.latitude) && roles.contains(.longitude)
      || CSVProducer(names)?.columns.position != nil
  }

  /// Whether a line below others is the header of a table: it names time, latitude and longitude.
  static func isHeader(_ line: Span<UInt8>) -> Bool {
    guard let separator = CSVRecord.separator(of: line, from: 0, isFinal: true) else {
      return false
    }
    var record = CSVRecord()
    guard case .record = record.read(line, from: 0, separator: separator, isFinal: true) else {
      return false
    }
    let roles = Set(
      record.cells.compactMap { CSVColumnName($0.string(in: line)).meaning?.role })
    return roles.isSuperset(of: [.latitude, .longitude])
      && !roles.isDisjoint(with: [.time, .date])
  }
}
