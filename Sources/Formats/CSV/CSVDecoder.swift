internal import Text
package import Traces
import Tracking

/// Reads CSV (RFC 4180) whose header names its columns, in any order and case.
///
/// Only time, latitude and longitude are required; ``CSVRole`` has the names, ``CSVUnit`` the units.
/// Cells are separated by ',', ';' or tabs, as the header shows. Unless a column has another unit, the
/// accuracy is the radius in metres that contains the true position with probability 0.68; an empty
/// cell is no value. A table without a header is read when its columns are unambiguous, and so are the
/// tracks of OziExplorer and Geolife.
package struct CSVDecoder: TraceDecoder {
  private enum State {
    case begin
    /// Skipping the lines before the rows, as many as are left.
    case preamble(Int)
    case header
    case rows(CSVHeader)
    /// Skipping the rest of a line that is too long.
    case skipping(CSVHeader)
    case finished
  }

  private var state = State.begin
  private var record = CSVRecord()
  private let options: ReadingOptions
  private var devices = DeviceTable()
  private var times = CSVTimes(form: .automatic, zone: nil)
  private var notedRemarks: CSVTimes.Remarks = []
  /// The line of OziExplorer's tracks that names the datum, as far as it was read.
  private var datum: [UInt8] = []
  /// Why the first line is no header, while the lines before the header are skipped.
  private var firstFailure: TraceIssue?
  private var skippedCount = 0
  /// Whether the next row may be one of units, or one that follows it.
  private var mayNameUnits = false
  private var hasUnitRow = false
  /// The names of the columns; empty without a header.
  private var names: [String] = []
  /// Whether a row repeats the header.
  private var repeatsHeader = false
  /// Whether no row with a position has been read.
  private var isAtStart = false
  /// Whether the notes on the header are still to come: a row of units below it may change them.
  private var owesNotes = false
  /// Reads most rows; nil before the header has been read.
  private var plainRow: CSVPlainRow?
  /// Whether plain rows take the fast path; false in tests that compare both.
  var readsPlainRows = true
  /// The line on which the next record begins.
  private var line = 1

  /// Whether the header is the first line that is not blank, and each line below it a row.
  ///
  /// Copies of such a decoder that has read the header can begin at any line.
  private let headerIsFirst: Bool

  package init(_ options: ReadingOptions = ReadingOptions(), headerIsFirst: Bool = false) {
    (self.options, self.headerIsFirst) = (options, headerIsFirst)
  }

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
      case .preamble(let lines): next = skipPreamble(bytes, offset, lines, &batch)
      case .header: next = readHeader(bytes, offset, isFinal, &batch)
      case .rows(let header): next = readRow(bytes, offset, isFinal, header, &batch)
      case .skipping(let header): next = skipLine(bytes, offset, header)
      case .finished: next = bytes.count
      }
      guard let next else { break }
      offset = next
    }
    if isFinal {
      if owesNotes, case .rows(let header) = state { noteHeader(header, &batch) }
      reportMissingHeader(&batch)
    }
    return offset
  }

  // MARK: Header

  private mutating func begin(_ bytes: Span<UInt8>, _ isFinal: Bool) -> Int? {
    if bytes[0] == 0xEF, bytes.count < 3, !isFinal { return nil }
    let mark = bytes.beginsWithByteOrderMark ? 3 : 0
    guard let isTrack = PLT.isTrack(bytes, from: mark, isFinal: isFinal) else { return nil }
    state = isTrack ? .preamble(PLT.lines) : .header
    return mark
  }

  private mutating func skipPreamble(
    _ bytes: Span<UInt8>, _ start: Int, _ lines: Int, _ batch: inout TraceBatch
  ) -> Int {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start)
    if lines == PLT.linesFromDatum {
      for offset in start..<(end ?? bytes.count) where datum.count < PLT.longestDatum {
        datum.append(bytes[offset])
      }
      if end != nil, let note = PLT.note(datum: datum) { batch.mark(.note(note)) }
    }
    if end != nil {
      line += 1
      state = .preamble(lines - 1)
      if lines == 1 { use(PLT.header, &batch) }
    }
    return end.map { $0 + 1 } ?? bytes.count
  }

  private mutating func use(_ header: CSVHeader, _ batch: inout TraceBatch) {
    state = .rows(header)
    plainRow = CSVPlainRow(header)
    times = header.times(in: options.zone)
    // What was noted above another header is not noted again.
    times.remarks = notedRemarks
    (mayNameUnits, isAtStart) = (!headerIsFirst, !headerIsFirst)
    owesNotes = true
    if headerIsFirst { noteHeader(header, &batch) }
  }

  private mutating func noteHeader(_ header: CSVHeader, _ batch: inout TraceBatch) {
    guard owesNotes else { return }
    owesNotes = false
    if skippedCount > 0 {
      let lines = skippedCount == 1 ? "1 line" : "\(skippedCount) lines"
      batch.mark(.note("\(lines) before the header skipped"))
      skippedCount = 0
    }
    for note in header.notes { batch.mark(.note(note)) }
  }

  /// Takes the units that a row below the header names; false when it is a row of values.
  private mutating func useUnits(
    _ header: CSVHeader, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Bool {
    guard let (named, note) = header.withUnits(of: record, in: bytes) else {
      mayNameUnits = hasUnitRow && !header.isRow(record, bytes)
      // Below the units, some loggers name the source of each column.
      if mayNameUnits { batch.mark(.otherRecord) }
      return mayNameUnits
    }
    hasUnitRow = true
    (state, plainRow) = (.rows(named), CSVPlainRow(named))
    noteHeader(named, &batch)
    if let note { batch.mark(.note("line \(line) names units: \(note)")) }
    return true
  }

  private mutating func readHeader(
    _ bytes: Span<UInt8>, _ start: Int, _ isFinal: Bool, _ batch: inout TraceBatch
  ) -> Int? {
    guard let separator = CSVRecord.separator(of: bytes, from: start, isFinal: isFinal) else {
      return nil
    }
    let outcome = record.read(bytes, from: start, separator: separator, isFinal: isFinal)
    switch outcome {
    case .needsMore: return nil
    case .record(let next):
      let isBlank = record.cells.allSatisfy { bytes.trimmed($0.range).isEmpty }
      if !isBlank, isBeforeHeader(bytes, start, separator) {
        skippedCount += 1
      } else if !isBlank, !useHeader(bytes, start, separator, &batch) {
        // Without a header, the first line is a row.
        return start
      }
      // After a line that does not end there is no other.
      line += record.lineCount - (CSVRecord.endsLine(bytes[next - 1]) ? 0 : 1)
      return next
    case .tooLong, .textAfterQuote, .unclosedQuote:
      let message = "the header is invalid: \(outcome.message(bytes))"
      finish(column: outcome.place(start) - start + 1, message, &batch, code: outcome.code)
      return bytes.count
    }
  }

  /// The most lines that may precede the header.
  private static let mostSkipped = 100

  /// Whether a line is one of those that some loggers write before the header.
  private mutating func isBeforeHeader(
    _ bytes: Span<UInt8>, _ start: Int, _ separator: UInt8
  ) -> Bool {
    guard !headerIsFirst, options.columns.isEmpty, skippedCount < Self.mostSkipped,
      !CSVSignature.namesPosition(record, bytes),
      !CSVFirstRow(record, in: bytes, separator: separator).isRow
    else { return false }
    if firstFailure == nil {
      let message = Self.failure(of: record, bytes, separator)
      firstFailure = TraceIssue(
        .malformed, line: line, column: 1, message, code: .missingHeader)
    }
    return true
  }

  private static func failure(
    of record: CSVRecord, _ bytes: Span<UInt8>, _ separator: UInt8
  ) -> String {
    do throws(CSVHeader.HeaderError) {
      _ = try CSVHeader(record, in: bytes, separator: separator, choice: ColumnChoice())
      return CSVHeader.HeaderError.missing(.latitude, found: []).message
    } catch {
      return error.message
    }
  }

  /// Uses the line as the header; false when it is a row of a table without one.
  private mutating func useHeader(
    _ bytes: Span<UInt8>, _ start: Int, _ separator: UInt8, _ batch: inout TraceBatch
  ) -> Bool {
    let firstRow = CSVFirstRow(record, in: bytes, separator: separator)
    do {
      if firstRow.isRow(options.columns, record, bytes, options.zone) {
        use(try firstRow.header(options.columns), &batch)
        return false
      }
      let header = try CSVHeader(record, in: bytes, separator: separator, choice: options.columns)
      names = record.cells.map { $0.string(in: bytes).withoutControls }
      use(header, &batch)
    } catch {
      let column =
        if case .duplicated(_, let index) = error {
          record.cells[index].range.lowerBound - start + 1
        } else {
          1
        }
      finish(column: column, error.message, &batch)
    }
    return true
  }

  private mutating func reportMissingHeader(_ batch: inout TraceBatch) {
    switch state {
    case .begin, .preamble, .header: break
    case .rows, .skipping, .finished: return
    }
    if let firstFailure {
      batch.mark(.issue(firstFailure))
      state = .finished
      return
    }
    finish(
      column: 1, "there is no header, expected a line that names time, latitude and longitude",
      &batch)
  }

  private mutating func finish(
    column: Int, _ message: String, _ batch: inout TraceBatch, code: IssueCode = .missingHeader
  ) {
    batch.mark(
      .issue(TraceIssue(.malformed, line: line, column: column, message, code: code)))
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
      let isLast = !CSVRecord.endsLine(bytes[next - 1])
      if mayNameUnits, useUnits(header, bytes, &batch) {
        line += record.lineCount
        return next
      }
      if isAtStart, !beginRows(header, bytes, &batch) { return bytes.count }
      if header.mayBeNames(record, bytes), useAnother(header, bytes, &batch) {
        line += record.lineCount
        return next
      }
      var row = CSVRow(header: header, record: record, start: start, line: line, isLast: isLast)
      row.read(bytes, into: &batch, &devices, &times)
      noteTimes(&batch)
      line += record.lineCount
      return next
    case .tooLong, .textAfterQuote, .unclosedQuote:
      noteHeader(header, &batch)
      return reportUnreadable(outcome, bytes, start, header, &batch)
    }
  }

  /// Notes the header at the first row, and checks the first one with a position; false after an error that
  /// ends the reading.
  private mutating func beginRows(
    _ header: CSVHeader, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Bool {
    noteHeader(header, &batch)
    isAtStart = !header.hasJoinedPosition && !header.isRow(record, bytes)
    guard !isAtStart,
      let problem = CSVHemisphere.problem(
        in: record, bytes, header,
        name: { $0 < names.count ? "`\(names[$0])`" : "\($0 + 1)" })
    else { return true }
    finish(column: 1, problem, &batch)
    return false
  }

  /// Takes a row that is a header, as where tables were joined; false when it is a row of values.
  ///
  /// A copy of the decoder may begin below another header, so a decoder that is copied takes none.
  private mutating func useAnother(
    _ header: CSVHeader, _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) -> Bool {
    let texts = record.cells.map { $0.string(in: bytes).withoutControls }
    if texts.map({ $0.lowercased() }) == names.map({ $0.lowercased() }) {
      batch.mark(.otherRecord)
      if !repeatsHeader, !headerIsFirst {
        repeatsHeader = true
        batch.mark(
          .note("line \(line) repeats the header; it is skipped, and so is each line like it"))
      }
      return true
    }
    guard !headerIsFirst, CSVSignature.namesPosition(record, bytes) else { return false }
    do {
      let another = try CSVHeader(
        record, in: bytes, separator: header.separator, choice: options.columns)
      names = texts
      batch.mark(.note("line \(line) is another header, and the rows below it are read by it"))
      use(another, &batch)
    } catch {
      finish(
        column: 1,
        "the line is another header, and it cannot be used: \(error.message); "
          + "the rows above it were read", &batch)
    }
    return true
  }

  /// Reads consecutive plain rows; nil when the first one is not plain.
  private mutating func readPlainRows(
    _ bytes: Span<UInt8>, _ start: Int, _ batch: inout TraceBatch
  ) -> Int? {
    guard readsPlainRows, !isAtStart, let plainRow else { return nil }
    var offset = start
    while offset < bytes.count, times.remarks == notedRemarks {
      guard
        let next = plainRow.read(bytes, from: offset, line: line, &devices, &times, into: &batch)
      else {
        // The row is read again, and noted after it.
        times.remarks = notedRemarks
        break
      }
      offset = next
      line &+= 1
    }
    noteTimes(&batch)
    if offset > start { mayNameUnits = false }
    return offset > start ? offset : nil
  }

  /// Notes how times are read that are not clear, after the first of each kind.
  private mutating func noteTimes(_ batch: inout TraceBatch) {
    let new = times.remarks.subtracting(notedRemarks)
    guard !new.isEmpty else { return }
    notedRemarks = times.remarks
    for note in times.notes(of: new) { batch.mark(.note(note)) }
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
    let place = outcome.place(start)
    let column = end.map { place > $0 } ?? false ? 1 : place - start + 1
    batch.mark(
      .issue(
        TraceIssue(
          kind, line: line, column: column, outcome.message(bytes), code: outcome.code)))
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
}
