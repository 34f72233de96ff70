import Geodesy
internal import Receivers
internal import Text
import Traces
import Tracking

/// VBOX: text files of Racelogic's data loggers (`.vbo`), which apps for racetracks write as well.
///
/// Sections follow one another: `[header]` names the channels with units, `[column names]` the columns of
/// `[data]`, which blanks separate. Latitude and longitude are minutes, longitudes positive to the west,
/// times of day UTC. The day is that of the first line, unless a column has it (Racelogic, "VBO file
/// format").
struct VBOXContent: LineTraceContent {
  static var expectation: String { "a row of a VBOX file" }
  static var endsLinesAtReturns: Bool { true }

  private enum Section { case preamble, header, columnNames, data, other }

  private var section = Section.preamble
  private var calendar = ReceiverCalendar()
  private var hasReportedDate = false
  /// The units of the header by role.
  private var units: [CSVRole: CSVUnit] = [.speed: .kilometresPerHour]
  private var columns: [CSVHeader.Column] = []
  private var columnCount = 0
  /// Whether the position of a row has shown that positions are minutes.
  private var isCertain = false
  /// Whether nothing more is read.
  private var isRefused = false

  mutating func read(
    _ line: Span<UInt8>, number: Int, isCut: Bool, into batch: inout TraceBatch
  ) {
    let range = line.trimmed(0..<line.count)
    let text = line.extracting(range)
    guard !isRefused, !text.isEmpty else { return }
    if let name = Self.sectionName(text) {
      section = Self.section(name)
      return
    }
    switch section {
    case .preamble: readCreation(text, number, &batch)
    case .header: readChannel(text)
    case .columnNames: if columns.isEmpty { readNames(text, number, &batch) }
    case .data: readRow(text, number, isCut, &batch)
    case .other: break
    }
  }

  /// Whether a line shows the format.
  static func isSignature(_ line: Span<UInt8>) -> Bool {
    let text = line.extracting(line.trimmed(0..<line.count))
    return creation(text) != nil || sectionName(text).map { section($0) != .other } ?? false
  }

  // MARK: Sections

  /// The name of a section, in lower case.
  private static func sectionName(_ text: Span<UInt8>) -> String? {
    guard text.count > 2, text.count < 40, text[0] == UInt8(ascii: "["),
      text[text.count - 1] == UInt8(ascii: "]")
    else { return nil }
    return text.extracting(1..<text.count - 1).string.lowercased()
  }

  private static func section(_ name: String) -> Section {
    switch name {
    case "header": .header
    case "column names": .columnNames
    case "data": .data
    default: .other
    }
  }

  /// The date and the time of `File created on 31/07/2006 at 09:55:20`, as `31.07.2006 09:55:20`; nil when
  /// the line has another form.
  private static func creation(_ text: Span<UInt8>) -> [UInt8]? {
    let words = text.string.split { $0 == " " || $0 == "\t" }
    guard words.count >= 4, words[0].lowercased() == "file", words[1].lowercased() == "created",
      words[2].lowercased() == "on"
    else { return nil }
    let clock = words.count > 5 ? words[5] : "00:00"
    return Array("\(words[3].replacing("/", with: ".")) \(clock)".utf8)
  }

  private mutating func readCreation(
    _ text: Span<UInt8>, _ line: Int, _ batch: inout TraceBatch
  ) {
    guard let creation = Self.creation(text) else { return }
    guard let time = LooseTime.parse(creation.span)?.time else {
      return report(
        .record, line,
        "found \(text.quoted(0..<text.count)), expected File created on DD/MM/YYYY at HH:MM:SS",
        &batch, .wrongTime)
    }
    let length: Int64 = 86_400_000_000_000
    var (day, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: length)
    if rest < 0 { (day, rest) = (day - 1, rest + length) }
    calendar.set(day: Int(day), time: rest)
  }

  /// A channel of the header, such as `velocity kmh`.
  private mutating func readChannel(_ text: Span<UInt8>) {
    let words = text.string.split { $0 == " " || $0 == "\t" }
    guard words.count == 2, let role = CSVColumnName(String(words[0])).meaning?.role,
      let unit = CSVUnit(written: words[1], of: role)
    else { return }
    units[role] = unit
  }

  private mutating func readNames(_ text: Span<UInt8>, _ line: Int, _ batch: inout TraceBatch) {
    let names = text.string.withoutControls.split { $0 == " " || $0 == "\t" }.map(String.init)
    columnCount = names.count
    for (index, name) in names.enumerated() {
      guard let role = CSVColumnName(name).meaning?.role,
        !columns.contains(where: { $0.role == role })
      else { continue }
      columns.append(CSVHeader.Column(role: role, index: index, unit: units[role] ?? CSVUnit()))
    }
    if let missing = CSVHeader.required.first(where: { column(of: $0) == nil }) {
      isRefused = true
      let message =
        "there is no column \(missing.name), expected time, lat and long, found "
        + CSVHeader.list(names)
      return report(.malformed, line, message, &batch, .missingHeader)
    }
    batch.mark(.note(CSVHeader.note(columns) { "`\(names[$0])`" }))
    let unread = names.indices.filter { index in !columns.contains { $0.index == index } }
    if !unread.isEmpty {
      batch.mark(
        .note("columns that are not read: \(CSVHeader.list(unread.map { names[$0] }))"))
    }
  }

  private func column(of role: CSVRole) -> CSVHeader.Column? { columns.first { $0.role == role } }

  // MARK: Rows

  private mutating func readRow(
    _ text: Span<UInt8>, _ line: Int, _ isCut: Bool, _ batch: inout TraceBatch
  ) {
    guard !columns.isEmpty else {
      isRefused = true
      return report(
        .malformed, line, "there are rows before [column names], expected it before [data]",
        &batch, .missingHeader)
    }
    let cells = Self.cells(text)
    guard cells.count >= columnCount else {
      return report(
        isCut ? .truncated : .record, line,
        "found \(cells.count) values, expected \(columnCount) as in [column names]", &batch,
        isCut ? nil : .unknownRecord)
    }
    var fix = NDJSONRecord.blank
    for column in columns where column.role.field.isNumber {
      let cell = text.extracting(cells[column.index])
      guard let number = DecimalNumber.parse(cell), number.isFinite else {
        return reportCell(column.role, cell, "a number", line, &batch)
      }
      // More than 63 satellites are marks: of a trigger, and of a differential solution.
      let value =
        column.role == .satellites ? number.truncatingRemainder(dividingBy: 64) : number
      _ = fix.set(column.role.field, column.unit.value(value))
    }
    let (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
    if fix.satellites == 0 || latitude == 0 && longitude == 0 { return batch.mark(.otherRecord) }
    guard isCertain || latitude.magnitude > 90 || longitude.magnitude > 180 else {
      isRefused = true
      let message =
        "latitude is \(latitude) and longitude \(longitude), expected minutes, of which these are "
        + "near 0, 0; programs that write degrees are not read, export another format"
      return report(.malformed, line, message, &batch, .wrongNumber)
    }
    isCertain = true
    guard let column = column(of: .time),
      let timeOfDay = Self.timeOfDay(text.extracting(cells[column.index]))
    else {
      let cell = text.extracting(column(of: .time).map { cells[$0.index] } ?? 0..<0)
      return reportCell(.time, cell, "a time as HHMMSS.SS", line, &batch)
    }
    (fix.coordinate.latitude, fix.coordinate.longitude) = (latitude / 60, -longitude / 60)
    fix.time = instant(timeOfDay, text, cells, line, &batch)
    batch.points.append(TracePoint(fix: fix, line: line))
  }

  /// The instant of a row; that there is no date is reported once.
  private mutating func instant(
    _ timeOfDay: Int64, _ text: Span<UInt8>, _ cells: [Range<Int>], _ line: Int,
    _ batch: inout TraceBatch
  ) -> Timestamp? {
    let day = column(of: .date).flatMap { Self.day(text.extracting(cells[$0.index])) }
    if let instant = calendar.timestamp(at: timeOfDay, day: day) { return instant }
    guard !hasReportedDate else { return nil }
    hasReportedDate = true
    let message =
      "there is no date before this row, expected File created on DD/MM/YYYY in the first line"
    report(.record, line, message, &batch, .wrongTime)
    return nil
  }

  private static func cells(_ text: Span<UInt8>) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var at = 0
    while at < text.count {
      let start = at
      while at < text.count, !text[at].isBlank { at += 1 }
      cells.append(start..<at)
      while at < text.count, text[at].isBlank { at += 1 }
    }
    return cells
  }

  /// Nanoseconds from midnight of `105131.25`.
  private static func timeOfDay(_ cell: Span<UInt8>) -> Int64? {
    let point = cell.firstIndex(of: UInt8(ascii: "."), from: 0) ?? cell.count
    guard point <= 6, let digits = cell.number(0..<point) else { return nil }
    var (nanoseconds, unit): (Int64, Int64) = (0, 100_000_000)
    for index in min(point + 1, cell.count)..<cell.count {
      guard let digit = cell[index].decimalDigit else { return nil }
      nanoseconds += Int64(digit) * unit
      unit /= 10
    }
    let (hour, minute, second) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    return Int64(hour * 3_600 + minute * 60 + second) * 1_000_000_000 + nanoseconds
  }

  /// Days since 1970 of `080708`; nil when the text is no day.
  private static func day(_ cell: Span<UInt8>) -> Int? {
    guard cell.count == 6, let digits = cell.number(0..<6) else { return nil }
    return RFC3339.days(
      year: 2000 + digits % 100, month: digits / 100 % 100, day: digits / 10_000)
  }

  // MARK: Issues

  private func reportCell(
    _ role: CSVRole, _ cell: Span<UInt8>, _ expected: String, _ line: Int,
    _ batch: inout TraceBatch
  ) {
    report(
      .record, line,
      "\(role.name) is \(cell.quoted(0..<cell.count)), expected \(expected); the row is left out",
      &batch, role.field.code)
  }

  private func report(
    _ kind: TraceIssue.Kind, _ line: Int, _ message: String, _ batch: inout TraceBatch,
    _ code: IssueCode? = nil
  ) {
    batch.mark(.issue(TraceIssue(kind, line: line, column: 1, message, code: code)))
  }
}
