internal import Text
package import Traces
import Tracking

/// Reads CSV (RFC 4180) whose header names `device`, `time`, `latitude`, `longitude`, `accuracy`,
/// `speed`, `course` and `altitude`, in any order and case.
///
/// Only time, latitude and longitude are required. Cells are separated by ',', ';' or tabs, as the
/// header shows. The accuracy is the radius in metres that contains the true position with
/// probability 0.68; an empty cell is no value.
package struct CSVDecoder: TraceDecoder {
  private enum State {
    case begin
    case header
    case rows(CSVHeader)
    /// Skipping the rest of a line that is too long.
    case skipping(CSVHeader)
    case finished
  }

  private var state = State.begin
  private var record = CSVRecord()
  private var devices = DeviceTable()
  /// Reads most rows; nil before the header has been read.
  private var plainRow: CSVPlainRow?
  /// Whether plain rows take the fast path; false in tests that compare both.
  var readsPlainRows = true
  /// The line on which the next record begins.
  private var line = 1

  package init() {}

  package var isFinished: Bool {
    if case .finished = state { true } else { false }
  }

  package mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    var offset = 0
    while offset < bytes.count {
      let next: Int?
      switch state {
      case .begin: next = begin(bytes, isFinal)
      case .header: next = readHeader(bytes, offset, isFinal, &batch)
      case .rows(let header): next = readRow(bytes, offset, isFinal, header, &batch)
      case .skipping(let header): next = skipLine(bytes, offset, header)
      case .finished: next = bytes.count
      }
      guard let next else { break }
      offset = next
    }
    if isFinal { reportMissingHeader(&batch) }
    return offset
  }

  // MARK: Header

  private mutating func begin(_ bytes: Span<UInt8>, _ isFinal: Bool) -> Int? {
    if bytes[0] == 0xEF, bytes.count < 3, !isFinal { return nil }
    state = .header
    return bytes.beginsWithByteOrderMark ? 3 : 0
  }

  private mutating func readHeader(
    _ bytes: Span<UInt8>, _ start: Int, _ isFinal: Bool, _ batch: inout TraceBatch
  ) -> Int? {
    guard let separator = CSVHeader.separator(of: bytes, from: start, isFinal: isFinal) else {
      return nil
    }
    let outcome = record.read(bytes, from: start, separator: separator, isFinal: isFinal)
    switch outcome {
    case .needsMore: return nil
    case .record(let next):
      let isBlank = record.cells.count == 1 && bytes.trimmed(record.cells[0].range).isEmpty
      if !isBlank { useHeader(bytes, start, separator, &batch) }
      // After a line that does not end there is no other.
      line += record.lineCount - (bytes[next - 1] == UInt8(ascii: "\n") ? 0 : 1)
      return next
    case .tooLong, .textAfterQuote, .unclosedQuote:
      let message = "the header is invalid: \(Self.message(outcome, bytes))"
      finish(column: Self.place(outcome, start) - start + 1, message, &batch)
      return bytes.count
    }
  }

  private mutating func useHeader(
    _ bytes: Span<UInt8>, _ start: Int, _ separator: UInt8, _ batch: inout TraceBatch
  ) {
    do {
      let header = try CSVHeader(record, in: bytes, separator: separator)
      state = .rows(header)
      plainRow = CSVPlainRow(header)
      if !header.unknownColumns.isEmpty { batch.mark(.unreadColumns(header.unknownColumns)) }
    } catch {
      switch error {
      case .missing(let field, let found):
        finish(
          column: 1,
          "the header names no column \(field.name), expected at least time, latitude and "
            + "longitude, found \(Self.list(found))", &batch)
      case .duplicated(let field, let column):
        finish(
          column: record.cells[column].range.lowerBound - start + 1,
          "the header names the column \(field.name) twice, remove or rename one", &batch)
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    let limit = 20
    let shown = names.prefix(limit).map { String($0.prefix(40)) }.joined(separator: ", ")
    return names.count > limit ? "\(shown), …" : shown
  }

  private mutating func reportMissingHeader(_ batch: inout TraceBatch) {
    switch state {
    case .begin, .header: break
    case .rows, .skipping, .finished: return
    }
    finish(
      column: 1, "there is no header, expected a line that names time, latitude and longitude",
      &batch)
  }

  private mutating func finish(column: Int, _ message: String, _ batch: inout TraceBatch) {
    batch.mark(.issue(TraceIssue(.malformed, line: line, column: column, message)))
    state = .finished
  }

  // MARK: Rows

  private mutating func readRow(
    _ bytes: Span<UInt8>, _ start: Int, _ isFinal: Bool, _ header: CSVHeader,
    _ batch: inout TraceBatch
  ) -> Int? {
    if let next = readPlainRows(bytes, start, &batch) { return next }
    let outcome = record.read(
      bytes, from: start, separator: header.separator, isFinal: isFinal)
    switch outcome {
    case .needsMore: return nil
    case .record(let next):
      let isLast = bytes[next - 1] != UInt8(ascii: "\n")
      var row = CSVRow(header: header, record: record, start: start, line: line, isLast: isLast)
      row.read(bytes, into: &batch, &devices)
      line += record.lineCount
      return next
    case .tooLong, .textAfterQuote, .unclosedQuote:
      return reportUnreadable(outcome, bytes, start, header, &batch)
    }
  }

  /// Reads consecutive plain rows; nil when the first one is not plain.
  private mutating func readPlainRows(
    _ bytes: Span<UInt8>, _ start: Int, _ batch: inout TraceBatch
  ) -> Int? {
    guard readsPlainRows, let plainRow else { return nil }
    var offset = start
    while offset < bytes.count,
      let next = plainRow.read(bytes, from: offset, line: line, &devices, into: &batch)
    {
      offset = next
      line &+= 1
    }
    return offset > start ? offset : nil
  }

  /// Reports a row that cannot be parsed; reading continues after the line on which it began, so
  /// one stray quote costs one line.
  private mutating func reportUnreadable(
    _ outcome: CSVRecord.Outcome, _ bytes: Span<UInt8>, _ start: Int, _ header: CSVHeader,
    _ batch: inout TraceBatch
  ) -> Int {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start)
    var kind = TraceIssue.Kind.record
    if case .unclosedQuote = outcome, end == nil, bytes.count - start <= CSVRecord.maxLength {
      kind = .truncated
    }
    // When text follows a quote that spans lines, the error is on the opening line.
    let place = Self.place(outcome, start)
    let column = end.map { place > $0 } ?? false ? 1 : place - start + 1
    let message = Self.message(outcome, bytes)
    batch.mark(.issue(TraceIssue(kind, line: line, column: column, message)))
    guard let end, end - start < CSVRecord.maxLength else {
      state = .skipping(header)
      return min(bytes.count, start + CSVRecord.maxLength)
    }
    line += 1
    return end + 1
  }

  private mutating func skipLine(_ bytes: Span<UInt8>, _ start: Int, _ header: CSVHeader) -> Int {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
      return bytes.count
    }
    state = .rows(header)
    line += 1
    return end + 1
  }

  private static func place(_ outcome: CSVRecord.Outcome, _ start: Int) -> Int {
    switch outcome {
    case .textAfterQuote(let offset), .unclosedQuote(let offset): offset
    case .record, .needsMore, .tooLong: start
    }
  }

  private static func message(_ outcome: CSVRecord.Outcome, _ bytes: Span<UInt8>) -> String {
    switch outcome {
    case .textAfterQuote(let offset):
      "found \(bytes.quotedCharacter(at: offset)) after the closing quote of a cell, "
        + "expected a separator or the end of the line; a quote inside a cell is written twice"
    case .unclosedQuote:
      "found a quote that is never closed, expected the cell to end with a quote"
    case .record, .needsMore, .tooLong:
      "found a line longer than 64 KiB, expected a row of cells"
    }
  }
}
