/// Which column of a CSV file holds what.
struct CSVHeader: Sendable {
  /// The columns that are known, in the order of the contract.
  enum Field: Int, Sendable, CaseIterable {
    case device, time, latitude, longitude, accuracy, speed, course, altitude

    /// Its name in the header.
    var name: String { Self.names[rawValue] }
    // Made once: a hostile header has thousands of cells that are held against each of them.
    private static let names = allCases.map { "\($0)" }
    static let required: [Field] = [.time, .latitude, .longitude]
  }

  /// Why a header cannot be used.
  enum Fault: Error {
    case missing(Field, found: [String])
    case duplicated(Field, column: Int)
  }

  /// What separates cells.
  let separator: UInt8
  /// How many columns there are.
  let count: Int
  /// Names of the columns that nobody reads.
  let unknownColumns: [String]
  /// How many cells a record must have at least for all that is required.
  let requiredCount: Int
  private var columns: InlineArray<8, Int>

  /// Reads the header's cells; names are told apart without regard to case.
  init(_ record: CSVRecord, in bytes: Span<UInt8>, separator: UInt8) throws(Fault) {
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

  /// Index of the column of `field`, or nil when there is none.
  func column(of field: Field) -> Int? {
    let column = columns[field.rawValue]
    return column < 0 ? nil : column
  }

  /// The separator that the line at `start` has most often, outside of quotes: ',', ';' or tab.
  ///
  /// It is nil as long as the line is not all there, as what follows could decide otherwise.
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
