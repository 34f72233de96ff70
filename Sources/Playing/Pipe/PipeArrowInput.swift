internal import ArrowStreams
internal import Traces

/// The rows of an input that is an Arrow stream, some at a time.
struct PipeArrowInput {
  /// What the rows are in: the last record batch.
  private(set) var fixes: ArrowFixes?
  /// Why the stream was not read to its end.
  private(set) var failure: (kind: TraceIssue.Kind, message: String)?

  private let reader: ArrowFixReader
  /// The most rows at a time.
  private let most: Int
  private var nextRow = 0
  private var isEnded = false

  /// The bytes before the header of a message.
  private static let beginning = 8

  init(most: Int) throws(ArrowStreamError) {
    reader = try ArrowFixReader()
    self.most = most
  }

  /// The next rows of ``fixes``; nil at the end.
  mutating func read(_ input: inout PipeInput) throws(TraceError) -> Range<Int>? {
    while true {
      if let fixes, nextRow < fixes.count {
        let rows = nextRow..<min(nextRow + most, fixes.count)
        nextRow = rows.upperBound
        return rows
      }
      if isEnded { return nil }
      try readMessage(&input)
    }
  }

  private mutating func readMessage(_ input: inout PipeInput) throws(TraceError) {
    let number = reader.batchCount + 1
    let rest = number > 1 ? "; everything before it was read" : ""
    // The reader sees what an input is that is shorter than the beginning of a message.
    _ = try input.wait(for: Self.beginning)
    let step: ArrowFixReader.Step
    do throws(ArrowStreamError) {
      step = try reader.next(input.bytes.span.extracting(input.waiting))
    } catch {
      let place = reader.isBegun ? "record batch \(number): " : ""
      return try end(&input, .malformed, "\(place)\(error)\(rest)")
    }
    switch step {
    case .needs(let count):
      guard try !input.wait(for: count) else { return }
      let missing = count - input.waiting.count
      switch (reader.isBegun, input.waiting.isEmpty) {
      // A stream may end without a mark.
      case (true, true): isEnded = true
      case (false, true):
        try end(&input, .truncated, "the input is empty, expected an Arrow stream")
      case (false, false):
        try end(
          &input, .truncated, "the stream ends in its schema, \(missing) bytes or more too early")
      case (true, false):
        try end(
          &input, .truncated,
          "the stream ends in record batch \(number), \(missing) bytes or more too early\(rest)")
      }
    case .passed(let count): input.pass(count)
    case .rows(let fixes, let count):
      input.pass(count)
      (self.fixes, nextRow) = (fixes, 0)
    case .end(let count):
      input.pass(count)
      let isAll = try !input.wait(for: 1)
      try end(
        &input, .malformed,
        isAll
          ? nil : "something follows the end of the stream; it was not read, give one stream alone")
    }
  }

  /// Ends the reading; what is left of the input is passed, because a state names all of it.
  private mutating func end(
    _ input: inout PipeInput, _ kind: TraceIssue.Kind, _ message: String?
  ) throws(TraceError) {
    isEnded = true
    failure = message.map { (kind, $0) }
    while try input.wait(for: 1) { input.pass(input.waiting.count) }
  }
}
