package import Receivers
internal import Text
package import Traces

/// Reads a trace of any supported format from a file or from standard input, in constant memory.
///
/// It owns the source, so it cannot be copied.
package struct TraceReader: ~Copyable {
  /// Bytes read and total bytes, before decompression; the total of a pipe is unknown.
  package var progress: (read: Int, total: Int?) { (source.bytesRead, source.totalBytes) }
  /// The format, detected from the content.
  package let format: TraceFormat
  /// Whether it is an XML document of another program, of which the decoder reports the root element.
  package let isForeignDocument: Bool
  /// The program or receiver that the trace names as its producer, as far as it was read.
  package var producer: String? { decoder.producer }

  /// Which file of a recording it is; nil for other traces.
  package let part: RecordingPart?
  /// Whether the next file of the recording is read after this one, by ``proceed(to:)``: then nothing ends
  /// with it.
  package var isFollowed = false
  /// The number of lines read before this file, of a recording of several.
  package private(set) var linesBefore = 0

  private var source: TextSource
  private var decoder: any TraceDecoder
  private var buffer: [UInt8]
  /// The bytes in the buffer that are not decoded yet.
  private var filled: Range<Int>
  private var isOver = false
  /// The line feeds read of all files of a recording.
  private var lines = 0
  /// Whether the last line read of a recording has no end yet.
  private var isLineOpen = false
  private var lastLine = 1
  private var step = Self.step

  /// Bytes per read: some hundred points.
  package static let step = 64 << 10
  /// The longest record, in bytes.
  private static let recordLimit = 1 << 20

  /// Opens a file, or standard input when `path` is `-`, and detects its format.
  ///
  /// - Parameters:
  ///   - entry: The entry of an archive to read instead, which has this path.
  ///   - step: The number of bytes of the first read.
  package init(
    path: String, entry: ZipEntry? = nil, options: ReadingOptions = ReadingOptions(),
    step: Int = Self.step
  ) throws(TraceError) {
    var source = if let entry { try TextSource(entry) } else { try TextSource(path: path) }
    var buffer = [UInt8](repeating: 0, count: step * 2)
    var count = 0
    var detection = TraceFormat.Detection.undecided
    var damage: String?
    while detection == .undecided, count < Self.step {
      if buffer.count - count < step {
        buffer.append(contentsOf: repeatElement(0, count: buffer.count))
      }
      let chunk = try source.read(into: &buffer, at: count)
      if case .damaged(let reason) = chunk { damage = reason }
      guard case .bytes(let more) = chunk else { break }
      count += more
      detection = TraceFormat.detect(buffer[..<count], options)
    }
    if detection == .undecided {
      detection = TraceFormat.detect(buffer[..<count], options, isFinal: true)
    }
    guard case .format(let format) = detection else {
      if ForeignFile.isArchive(buffer[..<count]) { damage = ForeignFile.archive }
      if let damage {
        throw .invalid(path: source.path, line: 1, column: 1, message: damage)
      }
      let known = TraceFormat.allCases.map(\.name).joined(separator: ", ")
      let found =
        count == 0
        ? "the file is empty"
        : ForeignFile.description(
          of: buffer[..<count], path: source.isFile ? path : nil, isCompressed: source.isCompressed)
      if found == ForeignFile.unknown,
        let table = ForeignTable.description(of: buffer[..<count])
      {
        throw .unrecognised(path: source.path, reason: table)
      }
      throw .unrecognised(path: source.path, reason: "\(found); expected one of: \(known)")
    }
    self.format = format
    isForeignDocument =
      format == .gpx
      && TraceFormat.isForeignDocument(
        buffer[..<count], path: path)
    part = format == .gpsd ? RecordingPart(top: buffer[..<count]) : nil
    decoder = format.decoder(options, isConverted: source.isConverted)
    self.source = source
    self.buffer = buffer
    filled = 0..<count
    countLines(from: 0)
  }

  /// Empties `batch` and fills it with the next points and marks, some hundred at most.
  ///
  /// - Returns: whether there were any; false at the end of the trace.
  /// - Throws: when the system cannot read on. Any other problem of the trace, such as gzip data
  ///   that end early, is an issue in the batch.
  package mutating func read(into batch: inout TraceBatch) throws(TraceError) -> Bool {
    batch.removeAll()
    while !isOver, batch.points.isEmpty, batch.marks.isEmpty {
      if filled.isEmpty || !decode(isFinal: false, &batch) { try readOn(&batch) }
    }
    if let line = batch.points.last?.line { lastLine = line }
    return !batch.points.isEmpty || !batch.marks.isEmpty
  }

  /// Continues with the next file of the recording, which another reader has just opened.
  ///
  /// The decoder goes on, and so do its numbers of lines.
  package mutating func proceed(to next: consuming TraceReader) {
    linesBefore = lines
    lines += next.lines
    isLineOpen = next.isLineOpen
    (buffer, filled) = (next.buffer, next.filled)
    source = next.source
    (isOver, lastLine) = (false, linesBefore + 1)
  }

  /// Releases the descriptor and the unused part of the buffer until the next read.
  ///
  /// - Parameter step: The number of bytes of the next read.
  package mutating func rest(step: Int) {
    source.rest(step: step)
    self.step = step
    buffer = Array(buffer[filled])
    filled = 0..<filled.count
  }

  /// Decodes the buffer; returns whether any bytes were consumed.
  private mutating func decode(isFinal: Bool, _ batch: inout TraceBatch) -> Bool {
    let bytes = buffer
    let used = decoder.decode(bytes.span.extracting(filled), isFinal: isFinal, into: &batch)
    filled = filled.lowerBound + used..<filled.upperBound
    if decoder.isFinished || isFinal { isOver = true }
    return used > 0
  }

  /// Reads more bytes after those that the decoder left.
  private mutating func readOn(_ batch: inout TraceBatch) throws(TraceError) {
    // Byte by byte: a slice of the buffer would copy all of it.
    for place in 0..<filled.count { buffer[place] = buffer[filled.lowerBound + place] }
    filled = 0..<filled.count
    guard filled.count + Self.step <= Self.recordLimit else { return reportOverlongRecord(&batch) }
    if buffer.count - filled.count < step {
      let size = max(2 * step, 2 * filled.count)
      buffer.append(contentsOf: repeatElement(0, count: size - buffer.count))
    }
    switch try source.read(into: &buffer, at: filled.count) {
    case .bytes(let count):
      let known = filled.count
      filled = 0..<known + count
      countLines(from: known)
    case .end: end(&batch)
    case .damaged(let reason): reportDamage(reason, &batch)
    }
  }

  /// Counts the lines of a recording that end behind a place in the buffer.
  private mutating func countLines(from start: Int) {
    guard part != nil, start < filled.upperBound else { return }
    for place in start..<filled.upperBound where buffer[place] == UInt8(ascii: "\n") { lines += 1 }
    isLineOpen = buffer[filled.upperBound - 1] != UInt8(ascii: "\n")
  }

  /// Decodes the last bytes of the file.
  private mutating func end(_ batch: inout TraceBatch) {
    guard isFollowed else {
      _ = decode(isFinal: true, &batch)
      return
    }
    isOver = true
    guard isLineOpen else { return }
    // The writer ends a truncated line, too, before it goes on in the same file.
    buffer[filled.count] = UInt8(ascii: "\n")
    filled = 0..<filled.count + 1
    countLines(from: filled.upperBound - 1)
    _ = decode(isFinal: false, &batch)
  }

  /// Decodes the available bytes and reports why there are no more.
  private mutating func reportDamage(_ reason: String, _ batch: inout TraceBatch) {
    end(&batch)
    var issue = TraceIssue(
      .truncated, line: batch.points.last?.line ?? lastLine, column: format.isBinary ? 0 : 1,
      "\(reason); everything before it was read", code: .damaged)
    if case .issue(let last)? = batch.marks.last?.mark, last.kind == .truncated {
      (issue.line, issue.column) = (last.line, last.column)
      batch.marks.removeLast()
    }
    batch.mark(.issue(issue))
  }

  private mutating func reportOverlongRecord(_ batch: inout TraceBatch) {
    isOver = true
    batch.mark(
      .issue(
        TraceIssue(
          .malformed, line: lastLine, column: 1,
          "the record after this line is longer than the limit of \(Self.recordLimit >> 20) MiB",
          code: .tooLong)))
  }
}
