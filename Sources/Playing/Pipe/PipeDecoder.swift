internal import Formats
internal import Glibc
internal import Traces

/// Decodes lines anywhere in the input: a copy of a decoder that has read the header can start at
/// any line.
struct PipeDecoder {
  /// The number of lines read.
  private(set) var lineCount = 0
  /// The number of lines before the first row of a table.
  private(set) var headerLineCount = 0
  /// Whether nothing after the header can be read.
  var isFinished: Bool { decoder.isFinished }

  private var decoder: any TraceDecoder
  /// Whether each line is decoded by itself: a cell could hold line breaks, and the result must not
  /// depend on where a block ends.
  private let isLineByLine: Bool

  private static let lineFeed = UInt8(ascii: "\n")

  /// Reads what must come before the first fix, and removes it from `range`.
  ///
  /// - Parameters:
  ///   - options: What is known of the input that it does not say itself.
  ///   - range: The first lines of the input.
  ///   - batch: Gets the errors in the header. Its devices are those that each parser begins with.
  init(
    _ input: PipeOptions.Input, _ options: ReadingOptions, _ bytes: [UInt8],
    _ range: inout Range<Int>, into batch: inout TraceBatch
  ) {
    var options = options
    // A copy of the decoder does not know the times before its lines.
    options.zone?.followsOrder = false
    if bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) { range = range.dropFirst(3) }
    switch input {
    case .ndjson, .arrow:
      decoder = NDJSONDecoder(options)
      isLineByLine = false
      // After an empty line the decoder no longer looks for a byte order mark.
      _ = decoder.decode([Self.lineFeed].span, isFinal: false, into: &batch)
      lineCount = 1
    case .csv:
      decoder = CSVDecoder(options, headerIsFirst: true)
      isLineByLine = true
      readHeader(bytes, &range, &batch)
    }
  }

  /// Reads the lines in a part of `bytes`; all of them are complete.
  mutating func decode(_ bytes: [UInt8], _ range: Range<Int>, into batch: inout TraceBatch) {
    guard isLineByLine else {
      _ = decoder.decode(bytes.span.extracting(range), isFinal: true, into: &batch)
      lineCount += Self.countLines(bytes, range)
      return
    }
    var start = range.lowerBound
    while start < range.upperBound {
      let end = Self.endOfLine(bytes, from: start, in: range)
      _ = decoder.decode(bytes.span.extracting(start..<end), isFinal: true, into: &batch)
      lineCount += 1
      start = end
    }
  }

  /// What an input is in place of NDJSON, and what reads it, as its first line shows.
  ///
  /// Nil where it may be NDJSON, or something unknown.
  static func advice(for lines: ArraySlice<UInt8>) -> String? {
    if let name = ForeignFile.name(of: lines) {
      return "the input is \(name), expected NDJSON; unpack it, or write it as NDJSON"
    }
    let line = lines.drop(while: { " \t\r\n".utf8.contains($0) })
      .prefix(while: { $0 != lineFeed })
    guard let first = line.first else { return nil }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
    case UInt8(ascii: "<"):
      return "the input looks like XML, expected NDJSON; waymark replay reads GPX and the like"
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      return "the input looks like NMEA 0183, expected NDJSON; waymark replay reads it"
    default:
      // A stream of NDJSON may begin inside a line.
      let rest = lines[line.endIndex...].drop(while: { " \t\r\n".utf8.contains($0) })
      let isTable =
        line.contains { ",;\t".utf8.contains($0) } && rest.first != UInt8(ascii: "{")
        && !line.contains(UInt8(ascii: "{")) && !line.contains(UInt8(ascii: "}"))
      return isTable ? "the input looks like CSV, expected NDJSON; --in csv reads it" : nil
    }
  }

  /// A header is the first line that is not blank.
  private mutating func readHeader(
    _ bytes: [UInt8], _ range: inout Range<Int>, _ batch: inout TraceBatch
  ) {
    var hasHeader = false
    while !hasHeader, !decoder.isFinished, !range.isEmpty {
      let end = Self.endOfLine(bytes, from: range.lowerBound, in: range)
      let line = bytes.span.extracting(range.lowerBound..<end)
      hasHeader = bytes[range.lowerBound..<end].contains { !" \t\r\n".utf8.contains($0) }
      if decoder.decode(line, isFinal: false, into: &batch) == 0 {
        _ = decoder.decode(line, isFinal: true, into: &batch)
      }
      lineCount += 1
      guard batch.points.isEmpty else { return leaveRow(&batch) }
      headerLineCount = lineCount
      range = end..<range.upperBound
    }
    // Reports the missing header.
    if !hasHeader { _ = decoder.decode([UInt8]().span, isFinal: true, into: &batch) }
  }

  /// Leaves the first line of a table without a header, which is a row, to be read with the others.
  private func leaveRow(_ batch: inout TraceBatch) {
    batch.points.removeAll()
    let notes = batch.marks.filter { if case .note = $0.mark { true } else { false } }
    batch.marks = notes.map { (before: 0, mark: $0.mark) }
  }

  /// The index after the line feed of the line at `start`.
  private static func endOfLine(_ bytes: [UInt8], from start: Int, in range: Range<Int>) -> Int {
    bytes.withUnsafeBytes { buffer in
      // The range lies within the buffer.
      guard let base = buffer.baseAddress,
        let found = memchr(base + start, Int32(lineFeed), range.upperBound - start)
      else { return range.upperBound }
      return UnsafeRawPointer(found) - base + 1
    }
  }

  private static func countLines(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var (count, start) = (0, range.lowerBound)
    while start < range.upperBound {
      start = endOfLine(bytes, from: start, in: range)
      count += 1
    }
    return count
  }
}
