internal import Text

/// What is wrong with a record that cannot be read, for messages.
extension CSVRecord.Outcome {
  /// Where it is wrong, in a record at `start`.
  func place(_ start: Int) -> Int {
    switch self {
    case .textAfterQuote(let offset), .unclosedQuote(let offset): offset
    case .record, .needsMore, .tooLong: start
    }
  }

  var code: IssueCode {
    switch self {
    case .unclosedQuote: .unclosedQuote
    case .textAfterQuote: .syntax
    case .record, .needsMore, .tooLong: .tooLong
    }
  }

  func message(_ bytes: Span<UInt8>) -> String {
    switch self {
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
