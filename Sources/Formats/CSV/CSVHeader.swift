internal import Text

/// The meaning of the columns of a CSV file.
struct CSVHeader: Sendable {
  /// The known columns, in the order of the format.
  enum Field: Int, Sendable, CaseIterable {
    case device, time, latitude, longitude, accuracy, speed, course, altitude

    /// The name in the header.
    var name: String { Self.names[rawValue] }
    // Computed once: a hostile header has thousands of cells that are compared with each name.
    private static let names = allCases.map { "\($0)" }
    static let required: [Field] = [.time, .latitude, .longitude]
  }

  /// Why a header is invalid.
  enum HeaderError: Error {
    case missing(Field, found: [String])
    case duplicated(Field, column: Int)
  }

  /// The separator between cells.
  let separator: UInt8
  /// The number of columns.
  let count: Int
  /// Names of the columns that are not used.
  let unknownColumns: [String]
  /// The least number of cells in a record for all required columns.
  let requiredCount: Int
  private var columns: InlineArray<8, Int>

  /// Reads the header's cells; names are compared without regard to case.
  init(_ record: CSVRecord, in bytes: Span<UInt8>, separator: UInt8) throws(HeaderError) {
    self.separator = separator
    count = record.cells.count
    columns = InlineArray(repeating: -1)
    var unknown: [String] = []
    var found: [String] = []
    for (index, cell) in record.cells.enumerated() {
      let name = cell.string(in: bytes).withoutControls
      found.append(name)
      let lowercased = name.lowercased()
      guard let field = Field.allCases.first(where: { $0.name == lowercased }) else {
        if !name.isEmpty { unknown.append(name) }
        continue
      }
      if columns[field.rawValue] >= 0 { throw .duplicated(field, column: index) }
      columns[field.rawValue] = index
    }
    unknownColumns = unknown
    var last = 0
    for field in Field.required {
      let column = columns[field.rawValue]
      if column < 0 { throw .missing(field, found: found) }
      last = max(last, column)
    }
    requiredCount = last + 1
  }

  /// The index of the column of `field`, nil when the header lacks it.
  func column(of field: Field) -> Int? {
    let column = columns[field.rawValue]
    return column < 0 ? nil : column
  }

  /// The separator that occurs most often in the line at `start`, outside of quotes: ',', ';' or
  /// tab.
  ///
  /// Nil while the line is incomplete, because what follows could change the result.
  static func separator(of bytes: Span<UInt8>, from start: Int, isFinal: Bool) -> UInt8? {
    var counts: (comma: Int, semicolon: Int, tab: Int) = (0, 0, 0)
    let isCapped = bytes.count - start > CSVRecord.maxLength
    let end = isCapped ? start + CSVRecord.maxLength : bytes.count
    var (offset, isQuoted) = (start, false)
    while offset < end, isQuoted || bytes[offset] != UInt8(ascii: "\n") {
      switch bytes[offset] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: counts.comma += 1
      case UInt8(ascii: ";") where !isQuoted: counts.semicolon += 1
      case UInt8(ascii: "\t") where !isQuoted: counts.tab += 1
      default: break
      }
      offset += 1
    }
    if offset == end, !isCapped, !isFinal { return nil }
    if counts.comma >= max(counts.semicolon, counts.tab) { return UInt8(ascii: ",") }
    return counts.semicolon >= counts.tab ? UInt8(ascii: ";") : UInt8(ascii: "\t")
  }
}
