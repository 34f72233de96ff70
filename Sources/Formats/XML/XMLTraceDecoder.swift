internal import Text
import Traces

/// Reads an XML format of tracks, in UTF-8.
///
/// An invalid value is dropped, an error of the XML ends reading; what was read before stays.
struct XMLTraceDecoder<Content: XMLTraceContent>: TraceDecoder {
  private(set) var isFinished = false
  var producer: String? { content.producer }

  private var scanner: XMLScanner
  private var content = Content()
  /// The open elements, outermost first.
  private var elements: [Content.Element] = []
  /// Where the element whose text is read begins: its offset, or its place once its bytes are used.
  ///
  /// The place is found only when it is needed, as a column is counted from the start of its line.
  private var textOffset: Int?
  private var textPlace = (line: 1, column: 1)
  private var nameOfText = ""

  init(isConverted: Bool = false) { scanner = XMLScanner(isConverted: isConverted) }

  // Without specialisations, every element would look up the types of the format at run time.
  @specialized(where Content == TCXContent)
  @specialized(where Content == KMLContent)
  mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    while !isFinished {
      switch scanner.next(bytes, isFinal: isFinal) {
      case .start: start(bytes, &batch)
      case .end: end(bytes, &batch)
      case .more:
        readPiece(bytes, &batch)
        placeText(bytes)
        return scanner.use(bytes)
      case .done: isFinished = true
      case .truncated: reportTruncated(bytes, &batch)
      case .failed:
        readPiece(bytes, &batch)
        guard !isFinished, let error = scanner.syntaxError else { break }
        report(
          .malformed, place(of: error.offset, bytes), error.message, &batch, code: error.code)
        isFinished = true
      }
    }
    return bytes.count
  }

  // MARK: Elements

  private mutating func start(_ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch) {
    let name = ShortName(bytes, scanner.name)
    guard let parent = elements.last else { return startRoot(name, bytes, &batch) }
    let element = Content.element(name, in: parent)
    elements.append(element)
    if element.text != .none {
      textOffset = scanner.tag
      nameOfText = XMLScanner.quote(bytes, scanner.name)
      scanner.text.begin(
        depth: elements.count, at: scanner.position, isStreamed: element.text == .streamed)
    }
    let line = scanner.lines.line(at: scanner.tag, bytes)
    content.begin(element, name: attributeName(bytes), line: line, into: &batch)
  }

  private mutating func startRoot(
    _ name: ShortName, _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    if scanner.hasLateDeclaration { batch.mark(.note(XMLScanner.lateDeclaration)) }
    guard name == ShortName(Content.root.name) else {
      let found = XMLScanner.quote(bytes, scanner.name)
      report(
        .malformed, place(of: scanner.tag, bytes),
        "the root element is <\(found)>, where <\(Content.root.name)> was expected", &batch)
      isFinished = true
      return
    }
    elements.append(Content.root.element)
  }

  private func attributeName(_ bytes: borrowing Span<UInt8>) -> String? {
    for attribute in scanner.attributes where ShortName(bytes, attribute.local) == Self.nameName {
      return XMLScanner.quote(bytes, attribute.value)
    }
    return nil
  }

  private static var nameName: ShortName { ShortName("name") }

  private mutating func end(_ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch) {
    guard let element = elements.popLast() else { return }
    if element.text != .none {
      // An element inside of this one may have replaced its text.
      if scanner.text.depth == elements.count + 1 {
        _ = scanner.text.save(bytes)
        let text = scanner.text.copy
        if let expected = content.read(element, text.span, into: &batch) {
          let found = XMLScanner.quote(text.span, 0..<text.count)
          placeText(bytes)
          report(
            .record, textPlace,
            "<\(nameOfText)> is '\(found)', where \(expected) was expected; it is left out", &batch,
            code: Content.code(ofText: element))
        }
      }
      scanner.text.end()
      textOffset = nil
    }
    if let problem = content.end(element, into: &batch) {
      report(
        .record, place(of: scanner.tag, bytes), problem, &batch, code: .missingPosition)
    }
  }

  /// Reads what there is of a text of any length, also of one around an element that is open.
  private mutating func readPiece(
    _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    let depth = scanner.text.depth
    guard depth > 0, depth <= elements.count, elements[depth - 1].text == .streamed else { return }
    let element = elements[depth - 1]
    _ = scanner.text.save(bytes)
    let text = scanner.text.copy
    scanner.text.drop(content.readPiece(element, text.span, into: &batch))
    guard scanner.text.copy.count > XMLScanner.tokenLimit else { return }
    placeText(bytes)
    report(
      .malformed, textPlace,
      "<\(nameOfText)> has a value of more than 64 KiB, the limit", &batch, code: .tooLong)
    isFinished = true
  }

  // MARK: Issues

  private mutating func reportTruncated(
    _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    readPiece(bytes, &batch)
    guard !isFinished else { return }
    report(
      .truncated, place(of: bytes.count, bytes),
      "the trace ends inside the document; what is complete was read", &batch)
    isFinished = true
  }

  private func report(
    _ kind: TraceIssue.Kind, _ place: (line: Int, column: Int), _ message: String,
    _ batch: inout TraceBatch, code: IssueCode? = nil
  ) {
    batch.mark(
      .issue(TraceIssue(kind, line: place.line, column: place.column, message, code: code)))
  }

  /// Finds the place of the element whose text is read, as long as its bytes are there.
  private mutating func placeText(_ bytes: borrowing Span<UInt8>) {
    guard let offset = textOffset else { return }
    textPlace = place(of: offset, bytes)
    textOffset = nil
  }

  private mutating func place(
    of offset: Int, _ bytes: borrowing Span<UInt8>
  ) -> (line: Int, column: Int) {
    (scanner.lines.line(at: offset, bytes), scanner.lines.column(at: offset, bytes))
  }
}
