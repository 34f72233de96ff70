import Geodesy
internal import Text
internal import Traces
import Tracking

/// Converts the cells of one record to a fix.
struct CSVRow {
  let header: CSVHeader
  let record: CSVRecord
  /// The start of the record.
  let start: Int
  let line: Int
  /// Whether no line break follows, so the row may have been cut short.
  let isLast: Bool

  /// Reads the row; invalid cells become issues.
  ///
  /// A row without a valid position or with a device that is no text is dropped; any other invalid
  /// cell counts as empty.
  mutating func read(
    _ bytes: Span<UInt8>, into batch: inout TraceBatch, _ devices: inout DeviceTable,
    _ times: inout CSVTimes
  ) {
    if isBlank(bytes) { return }
    if isOther(bytes) { return batch.mark(.otherRecord) }
    if !hasRightCount(bytes, &batch) { return }
    var fix = NDJSONRecord.blank
    guard let latitude = coordinate(.latitude, bytes, &batch),
      let longitude = coordinate(.longitude, bytes, &batch)
    else { return }
    fix.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard hasReadableDevice(bytes, &batch) else { return }
    let device = device(bytes, &batch, &devices)
    times.device = device
    fix.time = time(bytes, &batch, &times)
    for column in header.columns {
      switch column.role {
      case .device, .time, .date, .latitude, .longitude: continue
      case let role:
        if let value = number(column, bytes, &batch), !fix.set(role.field, value) {
          reportCell(column, bytes, &batch)
        }
      }
    }
    batch.points.append(TracePoint(fix: fix.estimatingAccuracy, line: line, device: device))
  }

  private func isBlank(_ bytes: Span<UInt8>) -> Bool {
    record.cells.allSatisfy { bytes.trimmed($0.range).isEmpty }
  }

  /// Whether it is a comment, or a row of a kind that is no fix.
  private func isOther(_ bytes: Span<UInt8>) -> Bool {
    if let kind = header.kindOfRows { return record.cells[0].string(in: bytes) != kind }
    if let validity = header.validity, validity < record.cells.count {
      let cell = record.cells[validity].string(in: bytes).lowercased()
      if ["no fix", "nofix", "false", "f", "0"].contains(cell) { return true }
    }
    return bytes[start] == UInt8(ascii: "#") && !header.isRow(record, bytes)
  }

  private func hasRightCount(_ bytes: Span<UInt8>, _ batch: inout TraceBatch) -> Bool {
    let count = record.cells.count
    if count < header.requiredCount {
      let message = "found \(count) cells, expected at least \(header.requiredCount)"
      report(
        isLast ? .truncated : .record, at: start, message, bytes, &batch,
        isLast ? nil : .unknownRecord)
      return false
    }
    // A decimal comma shifts every cell after it: the values would be wrong, not missing.
    let surplus = record.cells.dropFirst(header.count)
    if let cell = surplus.first(where: { !bytes.trimmed($0.range).isEmpty }) {
      let message =
        "found \(count) cells, expected \(header.count) as in the header; "
        + "quote cells that contain the separator, and write decimals with a point"
      report(.record, at: cell.range.lowerBound, message, bytes, &batch, .unknownRecord)
      return false
    }
    return true
  }

  // MARK: Cells

  /// The cell of a column without blanks, or nil when it is missing or empty.
  private func cell(_ column: CSVHeader.Column, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard column.index < record.cells.count else { return nil }
    let range = bytes.trimmed(record.cells[column.index].range)
    return range.isEmpty ? nil : range
  }

  private func coordinate(
    _ role: CSVRole, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Double? {
    guard let column = header.column(of: role) else { return nil }
    if let range = cell(column, bytes) {
      let number = CSVNumber.degrees(
        bytes.extracting(header.hasJoinedPosition ? part(role, of: range, bytes) : range),
        of: role, separator: header.separator)
      if let value = number.flatMap({ column.value($0) }) {
        return signed(value, column, range, bytes, &batch)
      }
      reportCell(column, bytes, &batch)
      return nil
    }
    let place = record.cells[min(column.index, record.cells.count - 1)].range.lowerBound
    report(
      .record, at: place, "\(role.name) is empty, expected decimal degrees", bytes, &batch,
      .missingPosition)
    return nil
  }

  /// The half of a cell with latitude, a comma and longitude.
  private func part(_ role: CSVRole, of cell: Range<Int>, _ bytes: Span<UInt8>) -> Range<Int> {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ","), from: cell.lowerBound),
      comma < cell.upperBound
    else { return cell.lowerBound..<cell.lowerBound }
    return bytes.trimmed(
      role == .latitude ? cell.lowerBound..<comma : comma + 1..<cell.upperBound)
  }

  /// Degrees, negative where the letter of the hemisphere, which has a cell of its own, is S or W.
  ///
  /// Nil after an error: there is another letter, or the number has a sign, too.
  private func signed(
    _ value: Double, _ column: CSVHeader.Column, _ number: Range<Int>, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch
  ) -> Double? {
    let index =
      column.role == .latitude ? header.hemispheres.latitude : header.hemispheres.longitude
    guard let index, index < record.cells.count else { return value }
    let range = bytes.trimmed(record.cells[index].range)
    let cell = bytes.extracting(range)
    // A column of numbers, such as nanoseconds, has no letters.
    if range.isEmpty || CSVNumber.isAbsent(cell)
      || CSVNumber.value(cell, separator: header.separator) != nil
    {
      return value
    }
    guard let letter = HemisphereLetter(cell.string, of: column.role) else {
      let message =
        "the letter of the \(column.role.name) is \(bytes.quoted(range)), "
        + "expected \(HemisphereLetter.expectation(of: column.role))"
      report(.record, at: range.lowerBound, message, bytes, &batch, .wrongNumber)
      return nil
    }
    guard value >= 0 else {
      let message =
        "\(column.role.name) is \(bytes.quoted(number)) beside the letter \(letter.name), "
        + "expected no sign"
      report(.record, at: number.lowerBound, message, bytes, &batch, .wrongNumber)
      return nil
    }
    return letter.isNegative ? -value : value
  }

  private func number(
    _ column: CSVHeader.Column, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Double? {
    guard let range = cell(column, bytes) else { return nil }
    let cell = bytes.extracting(range)
    if let number = CSVNumber.value(cell, separator: header.separator) {
      if isAmbiguous(cell, bytes) {
        reportAmbiguous(column, range, bytes, &batch)
        return nil
      }
      if let place = header.speedUnit, column.role == .speed {
        return speed(number, absent: column.absent, unitAt: place, bytes, &batch)
      }
      return column.value(number)
    }
    if let text = CSVNumber.withPoint(cell, separator: header.separator) {
      if let value = Self.measure(text.span, column.role) { return value }
    } else if let value = Self.measure(cell, column.role) {
      return value
    }
    if !CSVNumber.isAbsent(cell) { reportCell(column, bytes, &batch) }
    return nil
  }

  /// The speed of a row that names its unit; nil for no value, and after an error.
  private func speed(
    _ number: Double, absent: Double, unitAt place: Int, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch
  ) -> Double? {
    // What says that there is none, and 0, are so in every unit.
    if number < 0 || number == absent { return nil }
    if number == 0 { return 0 }
    let end = record.cells[record.cells.count - 1].range.upperBound
    let range = place < record.cells.count ? bytes.trimmed(record.cells[place].range) : end..<end
    if let unit = CSVUnit.ofSpeed(bytes.extracting(range).string) { return unit.value(number) }
    let message =
      "the unit of the speed is \(bytes.quoted(range)), expected \(CSVUnit.known(of: .speed))"
    report(.record, at: range.lowerBound, message, bytes, &batch, .wrongValue)
    return nil
  }

  /// Whether a point may separate thousands: `1.036` beside coordinates with decimal commas.
  private func isAmbiguous(_ cell: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
    guard header.separator != UInt8(ascii: ","), CSVNumber.mayHaveThousands(cell),
      let range = header.column(of: .latitude).flatMap({ self.cell($0, bytes) })
    else { return false }
    return bytes.extracting(range).firstIndex(of: UInt8(ascii: ","), from: 0) != nil
  }

  private func reportAmbiguous(
    _ column: CSVHeader.Column, _ range: Range<Int>, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch
  ) {
    let message =
      "\(column.role.name) is \(bytes.quoted(range)), and as the coordinates have decimal commas, "
      + "its point may separate thousands; write it without thousands, or all decimals with a point"
    report(.record, at: range.lowerBound, message, bytes, &batch, .wrongNumber)
  }

  /// The value of a number with its unit, as `28.188 km/h`, or of a count with another in brackets.
  private static func measure(_ cell: Span<UInt8>, _ role: CSVRole) -> Double? {
    var at = 0
    guard let number = DecimalNumber.scan(cell, &at), number.isFinite, at < cell.count else {
      return nil
    }
    if role == .satellites { return cell[at] == UInt8(ascii: "(") ? number : nil }
    let rest = cell.extracting(cell.trimmed(at..<cell.count)).string
    guard let unit = CSVUnit(written: rest, of: role) else { return nil }
    return unit.value(number)
  }

  private func time(
    _ bytes: Span<UInt8>, _ batch: inout TraceBatch, _ times: inout CSVTimes
  ) -> Timestamp? {
    guard let column = header.column(of: .time), let range = cell(column, bytes) else { return nil }
    let cell = bytes.extracting(range)
    let time: Timestamp? =
      if let date = header.column(of: .date).flatMap({ self.cell($0, bytes) }) {
        times.parse(cell, date: bytes.extracting(date))
      } else {
        times.parse(cell)
      }
    guard time == nil, !CSVNumber.isAbsent(cell) else { return time }
    let date = header.column(of: .date)
    let isWrongDate =
      date.flatMap { self.cell($0, bytes) }.map { !times.isDate(bytes.extracting($0)) } ?? false
    reportCell(isWrongDate ? date ?? column : column, bytes, &batch)
    return nil
  }

  /// Whether the device is text: with characters in place of bytes that are none, devices of different
  /// names would be one.
  private func hasReadableDevice(_ bytes: Span<UInt8>, _ batch: inout TraceBatch) -> Bool {
    guard let column = header.column(of: .device), let range = cell(column, bytes) else {
      return true
    }
    do {
      _ = try UTF8Span(validating: bytes.extracting(range))
      return true
    } catch {
      report(
        .record, at: range.lowerBound + error.byteOffsets.lowerBound,
        "found bytes that are not UTF-8 in the device, expected UTF-8; convert the table to UTF-8",
        bytes, &batch, column.role.field.code)
      return false
    }
  }

  private func device(
    _ bytes: Span<UInt8>, _ batch: inout TraceBatch, _ devices: inout DeviceTable
  ) -> Int32? {
    guard let column = header.column(of: .device), let range = cell(column, bytes),
      !CSVNumber.isAbsent(bytes.extracting(range))
    else { return nil }
    guard record.cells[column.index].hasDoubledQuotes else {
      let start = range.lowerBound + (CSVCell.isGuarded(bytes.extracting(range)) ? 1 : 0)
      return devices.index(
        of: bytes.extracting(start..<range.upperBound), in: &batch.devices)
    }
    var name = Array(record.cells[column.index].string(in: bytes).utf8)
    if CSVCell.isGuarded(name.span) { name.removeFirst() }
    return devices.index(of: name.span, in: &batch.devices)
  }

  // MARK: Issues

  private func reportCell(
    _ column: CSVHeader.Column, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) {
    guard let range = cell(column, bytes) else { return }
    var expected = column.expectation
    if column.role == .time {
      // Beside a day a number is a time of day.
      expected = TimeText.expectation(
        for: bytes.extracting(range), expected, takesNumbers: header.column(of: .date) == nil)
    }
    var message = "\(column.role.name) is \(bytes.quoted(range)), expected \(expected)"
    if column.role.field == .time,
      let advice = CSVTimeLookalike.advice(
        for: bytes.extracting(range), separator: header.separator)
    {
      message += "; \(advice)"
    }
    report(.record, at: range.lowerBound, message, bytes, &batch, column.role.field.code)
  }

  /// Adds an issue at an offset; after a quoted cell it may be on a later line than the row's
  /// start.
  private func report(
    _ kind: TraceIssue.Kind, at offset: Int, _ message: String, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch, _ code: IssueCode?
  ) {
    var (line, lineStart) = (line, start)
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: lineStart), end < offset {
      (line, lineStart) = (line + 1, end + 1)
    }
    let issue = TraceIssue(
      kind, line: line, column: offset - lineStart + 1, message, code: code)
    batch.mark(.issue(issue))
  }
}

extension CSVHeader.Column {
  /// The valid cells, for messages.
  fileprivate var expectation: String {
    switch role {
    case .time where unit.time == .automatic:
      "RFC 3339 as 2025-03-10T14:02:07Z, a day and a time as 2025-03-10 14:02 or "
        + "10.03.2025 14:02:07, or seconds since 1970"
    case .device: role.field.expectation
    case .date: "a day as 2025-03-10, 20250310 or 10.03.2025"
    case .time: "a number with a decimal point"
    case .satellites: role.field.expectation
    default:
      (unit.name.isEmpty ? role.field.expectation : "a number of \(unit.name)")
        + " with a decimal point"
    }
  }
}
