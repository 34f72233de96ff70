internal import Text

/// The first line of a table that may have no header.
struct CSVFirstRow {
  private enum Kind { case time, degrees, number, other }

  private let kinds: [Kind]
  private let numbers: [Double?]
  private let separator: UInt8

  init(_ record: CSVRecord, in bytes: Span<UInt8>, separator: UInt8) {
    var kinds: [Kind] = []
    var numbers: [Double?] = []
    for cell in record.cells {
      let text = bytes.extracting(bytes.trimmed(cell.range))
      let number = CSVNumber.value(text, separator: separator)
      numbers.append(number)
      kinds.append(Self.kind(text, number))
    }
    (self.kinds, self.numbers, self.separator) = (kinds, numbers, separator)
  }

  /// A time is a date with a time of day, or a plain number of seconds or more of this century; degrees
  /// have at least three decimals.
  private static func kind(_ text: Span<UInt8>, _ number: Double?) -> Kind {
    guard let number else { return LooseTime.parse(text) == nil ? .other : .time }
    let digits = text.string.split { $0 == "." || $0 == "," }
    if number >= 1e9, (digits.first?.utf8.count ?? 0) >= 10 { return .time }
    let hasDecimals = digits.count == 2 && digits[1].utf8.count >= 3
    return hasDecimals && number.magnitude <= 180 ? .degrees : .number
  }

  /// Whether it is a row: a time and at least two numbers of degrees.
  var isRow: Bool {
    kinds.contains(.time) && kinds.count { $0 == .degrees } >= 2
  }

  /// The same for a choice of columns: by numbers, it is a row when the cells are what they should be.
  func isRow(
    _ choice: ColumnChoice, _ record: CSVRecord, _ bytes: Span<UInt8>, _ zone: LocalZone?
  ) -> Bool {
    guard !choice.isEmpty, let columns = try? numbered(choice) else { return isRow }
    let chosen = CSVHeader(columns: columns, count: kinds.count, separator: separator, notes: [])
    var times = chosen.times(in: zone)
    return CSVHeader.required.allSatisfy { role in
      guard let column = chosen.column(of: role) else { return false }
      let cell = bytes.extracting(bytes.trimmed(record.cells[column.index].range))
      guard role == .time else {
        return CSVNumber.degrees(cell, of: role, separator: separator) != nil
      }
      guard let date = chosen.column(of: .date) else { return times.parse(cell) != nil }
      let day = bytes.extracting(bytes.trimmed(record.cells[date.index].range))
      return times.parse(cell, date: day) != nil
    }
  }

  /// The columns by the user's numbers, or as far as they are certain.
  ///
  /// Only a number above 90 shows which of two numbers of degrees is the longitude.
  func header(_ choice: ColumnChoice) throws(CSVHeader.HeaderError) -> CSVHeader {
    var columns = choice.isEmpty ? try certainColumns() : try numbered(choice)
    columns.sort { $0.index < $1.index }
    let names = CSVHeader.note(columns, assumesUnit: true) { "column \($0 + 1)" }
    let note = names + " (there is no header)"
    let unread = kinds.indices.filter { index in !columns.contains { $0.index == index } }
    var notes = [note]
    if !unread.isEmpty {
      notes.append("columns that are not read: \(CSVHeader.list(unread.map { "\($0 + 1)" }))")
    }
    return CSVHeader(columns: columns, count: kinds.count, separator: separator, notes: notes)
  }

  /// The columns that the user numbered.
  private func numbered(
    _ choice: ColumnChoice
  ) throws(CSVHeader.HeaderError) -> [CSVHeader.Column] {
    let found = (1...kinds.count).map { "\($0)" }
    var columns: [CSVHeader.Column] = []
    for role in CSVRole.allCases {
      guard let text = choice.columns[role] else { continue }
      let parts = ColumnChoice.parts(of: text)
      guard let number = Int(parts?.column ?? text), 1...kinds.count ~= number else {
        throw .unknownColumn(role, name: text, found: found)
      }
      columns.append(
        try CSVHeader.Column(role: role, index: number - 1, unitText: parts?.unit))
    }
    for role in CSVHeader.required where choice.columns[role] == nil {
      throw .missing(role, found: found)
    }
    return columns
  }

  private func certainColumns() throws(CSVHeader.HeaderError) -> [CSVHeader.Column] {
    let times = kinds.indices.filter { kinds[$0] == .time }
    let degrees = kinds.indices.filter { kinds[$0] == .degrees }
    let (time, first, second) = (times[0], degrees[0], degrees[1])
    let isFirstLongitude = (numbers[first]?.magnitude ?? 0) > 90
    let isSecondLongitude = (numbers[second]?.magnitude ?? 0) > 90
    guard times.count == 1, degrees.count == 2, second == first + 1,
      isFirstLongitude != isSecondLongitude
    else {
      throw .ambiguous(
        suggestion: "--columns time=\(time + 1),latitude=\(first + 1),longitude=\(second + 1)")
    }
    return [
      CSVHeader.Column(role: .time, index: time),
      CSVHeader.Column(role: .latitude, index: isFirstLongitude ? second : first),
      CSVHeader.Column(role: .longitude, index: isFirstLongitude ? first : second),
    ]
  }
}
