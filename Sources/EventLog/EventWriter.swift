/// Writes event logs in any format: ``begin(into:)`` once, then ``append(_:to:)`` for every entry.
package struct EventWriter: Sendable {
  package let format: EventFormat
  private var text: TextWriter

  /// Makes a writer; `fences` are the ids that events may name, for the width of the columns.
  package init(format: EventFormat, fences: some Sequence<String> = EmptyCollection()) {
    self.format = format
    text = TextWriter(fences: fences)
  }

  /// The current widths of the text columns, for a writer that continues the log.
  package var columns: [Int] {
    get { text.widths.indices.map { text.widths[$0] } }
    set { text.widen(to: newValue) }
  }

  /// Appends the header of CSV; nothing in other formats.
  package func begin(into buffer: inout [UInt8]) {
    switch format {
    case .csv: CSVWriter.begin(into: &buffer)
    case .text, .jsonl: break
    }
  }

  /// Appends one line.
  package mutating func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    switch format {
    case .text: text.append(entry, to: &buffer)
    case .jsonl: JSONLinesWriter.append(entry, to: &buffer)
    case .csv: CSVWriter.append(entry, to: &buffer)
    }
  }
}
