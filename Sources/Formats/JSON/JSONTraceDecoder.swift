internal import Text
import Traces

/// Reads a format of JSON documents, in constant memory whatever the length of a document.
///
/// Members without a meaning are skipped in pieces. Documents may follow one another. An invalid
/// value is left out, an error of the JSON ends reading; what was read before stays.
struct JSONTraceDecoder<Content: JSONTraceContent>: TraceDecoder {
  private(set) var isFinished = false

  private var stream = JSONStream()
  private var lines = LineCounter()
  private(set) var content: Content
  /// The open objects and arrays that have a meaning, outermost first.
  private var open: [Content.Element] = []
  /// While a value is skipped: the depth outside of it.
  private var skippedDepth: Int?
  private var isBegun = false

  init(_ content: Content) { self.content = content }

  // Without specialisations, every value would look up the types of the format at run time.
  @specialized(where Content == JSONRecords)
  @specialized(where Content == GeoJSONContent)
  @specialized(where Content == GoogleTimelineContent)
  @specialized(where Content == JSONTable)
  mutating func decode(_ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch) -> Int {
    guard !isFinished else { return bytes.count }
    if !isBegun {
      guard bytes.count >= 3 || isFinal else { return 0 }
      isBegun = true
      if bytes.beginsWithByteOrderMark {
        stream = JSONStream(at: 3)
        lines.skipMark(3)
      }
    }
    do throws(JSONError) {
      while try step(bytes, isFinal: isFinal, &batch) {}
      if !isFinal {
        lines.use(stream.offset, bytes)
        return stream.use()
      }
    } catch {
      if error.isCutShort {
        let message = "the file ends inside the document; what is complete was read"
        report(.truncated, at: bytes.count, message, bytes, &batch)
      } else {
        report(.malformed, at: error.offset, error.message, bytes, &batch, code: error.code)
      }
    }
    content.finish(into: &batch)
    isFinished = true
    return bytes.count
  }

  /// Reads one value, or the beginning or the end of one; returns whether the bytes went that far.
  private mutating func step(
    _ bytes: Span<UInt8>, isFinal: Bool, _ batch: inout TraceBatch
  ) throws(JSONError) -> Bool {
    if let depth = skippedDepth {
      guard try stream.skip(to: depth, bytes, isFinal: isFinal) else { return false }
      skippedDepth = nil
      // What is skipped has no meaning to lose.
      _ = stream.takeFault()
    }
    let before = stream
    guard let token = try stream.next(bytes, isFinal: isFinal) else { return false }
    switch token {
    case .key(let key):
      let parent = open[open.count - 1]
      guard let element = content.member(key, of: parent, bytes) else {
        skippedDepth = stream.depth
        return true
      }
      guard let value = try stream.next(bytes, isFinal: isFinal) else {
        // The key is read again with its value.
        stream = before
        return false
      }
      take(value, element, key: key, bytes, &batch)
      reportFault(bytes, &batch)
    case .endObject, .endArray:
      guard let element = open.popLast() else { return true }
      if let problem = content.end(element, into: &batch) {
        report(
          .record, at: stream.tokenOffset, problem, bytes, &batch, code: .missingPosition)
      }
    default:
      if let parent = open.last {
        take(token, content.item(of: parent), key: nil, bytes, &batch)
      } else {
        take(token, Content.root, key: nil, bytes, &batch)
      }
      reportFault(bytes, &batch)
    }
    return true
  }

  /// Takes a value, of which `token` may be only the beginning.
  private mutating func take(
    _ token: JSONToken, _ element: Content.Element?, key: JSONSlice?, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch
  ) {
    let isNested = token == .beginObject || token == .beginArray
    guard let element, element.form.matches(token) else {
      if isNested { skippedDepth = stream.depth - 1 }
      if let element, token != .null {
        content.leaveOut(element)
        reportValue(
          token, key: key, element.form.expectation, content.code(of: element), bytes, &batch)
      }
      return
    }
    let offset = stream.tokenOffset
    if isNested {
      open.append(element)
      content.begin(
        element, isArray: token == .beginArray, line: lines.line(at: offset, bytes), into: &batch)
    } else if let expected = content.read(element, token, bytes, into: &batch) {
      reportValue(token, key: key, expected, content.code(of: element), bytes, &batch)
    }
  }

  // MARK: Issues

  private mutating func reportValue(
    _ token: JSONToken, key: JSONSlice?, _ expected: String, _ code: IssueCode,
    _ bytes: Span<UInt8>, _ batch: inout TraceBatch
  ) {
    let name = key.map { String($0.string(in: bytes).prefix(40)).withoutControls }
    report(
      .record, at: stream.tokenOffset,
      "\(name ?? "the value") is \(token.quoted(bytes)), where \(expected) was expected; it is left out",
      bytes, &batch, code: code)
  }

  private mutating func reportFault(_ bytes: Span<UInt8>, _ batch: inout TraceBatch) {
    guard let fault = stream.takeFault() else { return }
    report(.record, at: fault.offset, fault.message, bytes, &batch, code: fault.code)
  }

  private mutating func report(
    _ kind: TraceIssue.Kind, at offset: Int, _ message: String, _ bytes: Span<UInt8>,
    _ batch: inout TraceBatch, code: IssueCode? = nil
  ) {
    let (line, column) = (lines.line(at: offset, bytes), lines.column(at: offset, bytes))
    batch.mark(.issue(TraceIssue(kind, line: line, column: column, message, code: code)))
  }
}

extension ShortName {
  /// The name of a member.
  init(_ key: JSONSlice, _ bytes: Span<UInt8>) {
    guard key.isEscaped else {
      self.init(bytes, key.range)
      return
    }
    self.init(key.string(in: bytes))
  }
}
