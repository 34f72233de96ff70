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
  /// A row without a valid position is dropped; any other invalid cell counts as empty.
  mutating func read(
    _ bytes: Span<UInt8>, into batch: inout TraceBatch, _ devices: inout DeviceTable
  ) {
    if isBlank(bytes) || !hasRightCount(bytes, &batch) { return }
    guard let latitude = coordinate(.latitude, bytes, &batch),
      let longitude = coordinate(.longitude, bytes, &batch)
    else { return }
    var fix = Fix(
      time: time(bytes, &batch),
      coordinate: Coordinate(latitude: latitude, longitude: longitude))
    fix.horizontalAccuracy = number(.accuracy, "metres", bytes, &batch)
    fix.speed = number(.speed, "metres per second", bytes, &batch)
    fix.course = number(.course, "degrees", bytes, &batch)
    fix.altitude = number(.altitude, "metres", bytes, &batch)
    let device = device(bytes, &batch, &devices)
    batch.points.append(TracePoint(fix: fix, line: line, device: device))
  }

  private func isBlank(_ bytes: Span<UInt8>) -> Bool {
    record.cells.count == 1 && bytes.trimmed(record.cells[0].range).isEmpty
  }

  private func hasRightCount(_ bytes: Span<UInt8>, _ batch: inout TraceBatch) -> Bool {
    let count = record.cells.count
    if count < header.requiredCount {
      let message = "found \(count) cells, expected at least \(header.requiredCount)"
      report(isLast ? .truncated : .record, at: start, message, bytes, &batch)
      return false
    }
    // A decimal comma shifts every cell after it: the values would be wrong, not missing.
    let surplus = record.cells.dropFirst(header.count)
    if let cell = surplus.first(where: { !bytes.trimmed($0.range).isEmpty }) {
      let message =
        "found \(count) cells, expected \(header.count) as in the header; "
        + "quote cells that contain the separator, and write decimals with a point"
      report(.record, at: cell.range.lowerBound, message, bytes, &batch)
      return false
    }
    return true
  }

  // MARK: Cells

  /// The cell of `field` without blanks, or nil when it is missing or empty.
  private func cell(_ field: CSVHeader.Field, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard let column = header.column(of: field), column < record.cells.count else { return nil }
    let range = bytes.trimmed(record.cells[column].range)
    return range.isEmpty ? nil : range
  }

  private func coordinate(
    _ field: CSVHeader.Field, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Double? {
    if cell(field, bytes) != nil { return number(field, "decimal degrees", bytes, &batch) }
    let column = header.column(of: field) ?? 0
    let place = record.cells[min(column, record.cells.count - 1)].range.lowerBound
    report(.record, at: place, "\(field.name) is empty, expected decimal degrees", bytes, &batch)
    return nil
  }

  private func number(
    _ field: CSVHeader.Field, _ unit: String, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Double? {
    guard let range = cell(field, bytes) else { return nil }
    if let number = DecimalNumber.parse(bytes.extracting(range)), number.isFinite { return number }
    let expected = "a number of \(unit) with a decimal point"
    reportCell(field, range, expected, bytes, &batch)
    return nil
  }

  private func time(_ bytes: Span<UInt8>, _ batch: inout TraceBatch) -> Timestamp? {
    guard let range = cell(.time, bytes) else { return nil }
    if let time = TimeText.parse(bytes.extracting(range)) { return time }
    reportCell(
      .time, range, "RFC 3339 as 2025-03-10T14:02:07Z or seconds since 1970", bytes, &batch)
    return nil
  }

  private func device(
    _ bytes: Span<UInt8>, _ batch: inout TraceBatch, _ devices: inout DeviceTable
  ) -> Int32? {
    guard let column = header.column(of: .device), let range = cell(.device, bytes) else {
      return nil
    }
    guard record.cells[column].hasDoubledQuotes else {
      return devices.index(of: bytes.extracting(range), in: &batch.devices)
    }
    let name = Array(record.cells[column].string(in: bytes).utf8)
    return devices.index(of: name.span, in: &batch.devices)
  }

  // MARK: Issues

  private func reportCell(
    _ field: CSVHeader.Field, _ range: Range<Int>, _ expected: String, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch
  ) {
    let message = "\(field.name) is \(bytes.quoted(range)), expected \(expected)"
    report(.record, at: range.lowerBound, message, bytes, &batch)
  }

  /// Adds an issue at an offset; after a quoted cell it may be on a later line than the row's
  /// start.
  private func report(
    _ kind: TraceIssue.Kind, at offset: Int, _ message: String, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch
  ) {
    var (line, lineStart) = (line, start)
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: lineStart), end < offset {
      (line, lineStart) = (line + 1, end + 1)
    }
    let issue = TraceIssue(kind, line: line, column: offset - lineStart + 1, message)
    batch.mark(.issue(issue))
  }
}
