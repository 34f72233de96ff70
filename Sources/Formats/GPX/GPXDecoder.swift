internal import Geodesy
internal import Text
package import Traces
internal import Tracking

/// Reads GPX 1.0 and 1.1, in UTF-8.
///
/// An invalid value is dropped (without its coordinates, the point is), an error of the XML ends
/// reading; what was read before stays. A point is emitted at its end tag.
package struct GPXDecoder: TraceDecoder {
  package private(set) var isFinished = false
  package private(set) var producer: String?

  private var scanner: XMLScanner
  /// Whether the first bytes were compared with those of a web page.
  private var hasBegun = false
  /// The open elements, outermost first.
  private var elements: [GPXVocabulary.Element] = []
  private var point = GPXPoint()
  /// The offset of the field whose text is being read.
  private var fieldOffset = 0
  private var fieldPlace: GPXPosition?
  /// The name of the open track, route or waypoint, once it is known.
  private var name: String?
  private var isNameReported = false
  private var zoneNote = ZoneNote()
  private var devices = DeviceTable()
  /// The prefix of our own namespace; nil when the document does not declare it.
  private var ownPrefix: ShortName?
  private var pointShapes = GPXPointShapes()
  /// Where the previous point ended, in the current bytes and in a segment, and the number of marks
  /// then; nil when the scanner has moved on.
  private var pointEnd: (offset: Int, marks: Int)?
  /// Whether points may be read by their shapes; false in tests that compare both ways.
  var usesShapes = true

  package init() { self.init(isConverted: false) }

  /// A decoder of bytes that were converted to UTF-8 from the encoding that they declare.
  init(isConverted: Bool) { scanner = XMLScanner(isConverted: isConverted) }

  package mutating func decode(
    _ bytes: Span<UInt8>, isFinal: Bool, into batch: inout TraceBatch
  ) -> Int {
    if !hasBegun, !begin(bytes, isFinal: isFinal, &batch) { return 0 }
    while !isFinished {
      if pointEnd != nil { readPoints(bytes, &batch) }
      switch scanner.next(bytes, isFinal: isFinal) {
      case .start: start(bytes, &batch)
      case .end: end(bytes, &batch)
      case .more: return keep(bytes)
      case .done: isFinished = true
      case .truncated: reportTruncated(bytes, &batch)
      case .failed:
        guard let error = scanner.syntaxError else { break }
        report(
          .malformed, place(error.offset, bytes), error.message, &batch, code: error.code)
        isFinished = true
      }
    }
    return bytes.count
  }

  /// Reports a file that begins as a web page does, which is seldom XML.
  ///
  /// - Returns: Whether the bytes are enough to know it.
  private mutating func begin(
    _ bytes: Span<UInt8>, isFinal: Bool, _ batch: inout TraceBatch
  ) -> Bool {
    guard let isPage = ForeignFile.isWebPage(bytes) ?? (isFinal ? false : nil) else {
      return false
    }
    hasBegun = true
    guard isPage, let start = bytes.firstIndex(of: UInt8(ascii: "<"), from: 0) else { return true }
    report(.malformed, place(start, bytes), ForeignFile.webPage, &batch)
    isFinished = true
    return true
  }

  /// Reads the points whose shapes are known, after one that has ended.
  private mutating func readPoints(_ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch) {
    guard usesShapes, let end = pointEnd, end.offset == scanner.position else { return }
    let start = GPXPointShapes.Stop(
      offset: end.offset, line: scanner.lines.line(at: end.offset, bytes))
    let stop = pointShapes.read(
      bytes, from: start, after: point, into: &batch)
    guard stop.offset > start.offset else { return }
    scanner.position = stop.offset
    scanner.lines.move(to: stop.offset, line: stop.line)
    pointEnd?.offset = stop.offset
  }

  /// Records that a point has ended, and learns its shape when it is valid.
  private mutating func endPoint(_ bytes: borrowing Span<UInt8>, _ marks: Int) {
    guard elements.last?.isSegment == true else { return pointEnd = nil }
    if usesShapes, let start = pointEnd, start.marks == marks {
      pointShapes.learn(bytes, start.offset..<scanner.position)
    }
    pointEnd = (scanner.position, marks)
  }

  /// Keeps what is needed of the bytes that are discarded.
  private mutating func keep(_ bytes: borrowing Span<UInt8>) -> Int {
    pointEnd = nil
    // Unknown elements may be in the field, so it is not always the last.
    if fieldPlace == nil, elements.contains(where: \.isField) {
      fieldPlace = place(fieldOffset, bytes)
    }
    return scanner.use(bytes)
  }

  // MARK: Elements

  private mutating func start(_ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch) {
    let name = ShortName(bytes, scanner.name)
    guard let parent = elements.last else { return startRoot(name, bytes, &batch) }
    var element = GPXVocabulary.element(name, in: parent)
    // Others name the model there, which many devices share.
    if case .field(.device) = element, !isOwn(bytes) { element = .other }
    elements.append(element)
    switch element {
    case .field:
      fieldOffset = scanner.tag
      fieldPlace = nil
      scanner.text.begin(depth: elements.count, at: scanner.position)
    case .point:
      reportName(of: .track, &batch)
      point.begin(line: scanner.lines.line(at: scanner.tag, bytes))
      readCoordinate(bytes, "trkpt", &batch)
    case .waypoint, .routePoint:
      point.begin(line: 0)
      if case .waypoint = element { self.name = nil }
      readCoordinate(bytes, element.isWaypoint ? "wpt" : "rtept", &batch)
    case .track, .route:
      (self.name, point.device) = (nil, nil)
      isNameReported = false
    case .segment:
      reportName(of: .track, &batch)
      batch.mark(.segment)
    case .gpx, .trackExtensions, .extensions, .other: break
    }
  }

  private mutating func startRoot(
    _ name: ShortName, _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    if scanner.hasLateDeclaration { batch.mark(.note(XMLScanner.lateDeclaration)) }
    if name == Self.root {
      producer = creator(bytes)
      point.habits = producer.map { GPXHabits(creator: $0) } ?? GPXHabits()
      ownPrefix = declaredPrefix(bytes)
      return elements.append(.gpx)
    }
    let found = XMLScanner.quote(bytes, scanner.name)
    report(
      .malformed, place(scanner.tag, bytes),
      "the root element is <\(found)>\(Self.remark(on: name, found))", &batch)
    isFinished = true
  }

  /// What is wrong with another root.
  private static func remark(on root: ShortName, _ name: String) -> String {
    if root == ShortName(TCXContent.root.name) || root == ShortName(KMLContent.root.name) {
      return ", which comes too late for the format to be recognised; delete what is before it"
    }
    if name.lowercased() == "html" { return ": \(ForeignFile.webPage)" }
    return ", expected <gpx>, <TrainingCenterDatabase> or <kml>; export the track as GPX where it "
      + "was made"
  }

  private static let root = ShortName("gpx")

  private mutating func creator(_ bytes: borrowing Span<UInt8>) -> String? {
    guard
      let attribute = scanner.attributes.first(where: { ShortName(bytes, $0.local) == Self.creator }
      )
    else { return nil }
    return GPXText.name(scanner.resolved(bytes, attribute.value).span)
  }

  private static let creator = ShortName("creator")

  /// The prefix that stands for the namespace of the elements that `convert` writes.
  private func declaredPrefix(_ bytes: borrowing Span<UInt8>) -> ShortName? {
    for attribute in scanner.attributes
    where attribute.local.lowerBound > attribute.name.lowerBound
      && ShortName(bytes, attribute.value) == Self.namespace
    {
      return ShortName(bytes, attribute.local)
    }
    return nil
  }

  private static let namespace = ShortName("urn:waymark:gpx:1")

  /// Whether the name of the tag has the prefix of our namespace.
  private func isOwn(_ bytes: borrowing Span<UInt8>) -> Bool {
    let start = scanner.tag + 1
    guard let ownPrefix, scanner.name.lowerBound > start + 1 else { return false }
    return ShortName(bytes, start..<scanner.name.lowerBound - 1) == ownPrefix
  }

  private mutating func end(_ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch) {
    guard let element = elements.popLast() else { return }
    switch element {
    case .field(let field): endField(field, bytes, &batch)
    case .point:
      if let point = point.finished { batch.points.append(point) }
      endPoint(bytes, batch.marks.count)
    case .waypoint:
      if let fix = point.finished?.fix { batch.mark(.waypoint(fix.coordinate, name: name)) }
    case .routePoint:
      reportName(of: .route, &batch)
      if let fix = point.finished?.fix { batch.mark(.routePoint(fix.coordinate)) }
    case .track, .route: reportName(of: element, &batch)
    case .segment: pointEnd = nil
    case .gpx, .trackExtensions, .extensions, .other: break
    }
  }

  /// Reports that the track or route begins, once.
  private mutating func reportName(of element: GPXVocabulary.Element, _ batch: inout TraceBatch) {
    guard !isNameReported else { return }
    isNameReported = true
    batch.mark(element.isRoute ? .route(name: name) : .track(name: name))
  }

  // MARK: Values

  private mutating func endField(
    _ field: GPXVocabulary.Field, _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    let isCollected = scanner.text.depth == elements.count + 1
    defer { scanner.text.end() }
    // An element inside of this one replaced its text: there is no plain value.
    guard isCollected else {
      if field == .name { return name = nil }
      return wrongValue(field, bytes, bytes.extracting(0..<0), &batch)
    }
    if scanner.text.copy.isEmpty {
      let piece = scanner.text.piece
      readField(field, bytes.extracting(piece), bytes, &batch)
    } else {
      _ = scanner.text.save(bytes)
      let copy = scanner.text.copy
      readField(field, copy.span, bytes, &batch)
    }
  }

  private mutating func readField(
    _ field: GPXVocabulary.Field, _ value: borrowing Span<UInt8>,
    _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    if field == .name {
      name = GPXText.name(value)
    } else if field == .device {
      point.device = devices.index(ofName: value, in: &batch.devices)
    } else if !point.set(field, value) {
      wrongValue(field, bytes, value, &batch)
    } else if field == .time {
      zoneNote.look(at: value, into: &batch)
    }
  }

  private mutating func readCoordinate(
    _ bytes: borrowing Span<UInt8>, _ element: String, _ batch: inout TraceBatch
  ) {
    var latitude: Double?
    var longitude: Double?
    for attribute in scanner.attributes {
      let name = ShortName(bytes, attribute.local)
      if name == Self.latitude {
        latitude = number(attribute, bytes, element, &batch)
        guard latitude != nil else { return }
      } else if name == Self.longitude {
        longitude = number(attribute, bytes, element, &batch)
        guard longitude != nil else { return }
      }
    }
    guard let latitude, let longitude else {
      let missing = latitude == nil ? "lat" : "lon"
      return report(
        .record, place(scanner.tag, bytes),
        "a <\(element)> without the attribute \(missing); it is left out", &batch,
        code: .missingPosition)
    }
    point.coordinate = Coordinate(latitude: latitude, longitude: longitude)
  }

  static let latitude = ShortName("lat")
  static let longitude = ShortName("lon")

  private mutating func number(
    _ attribute: XMLScanner.Attribute, _ bytes: borrowing Span<UInt8>, _ element: String,
    _ batch: inout TraceBatch
  ) -> Double? {
    let number: Double?
    if attribute.hasReferences {
      let value = scanner.resolved(bytes, attribute.value)
      number = DecimalNumber.parse(value.span)
    } else {
      number = DecimalNumber.parse(bytes.extracting(attribute.value))
    }
    if number == nil {
      let name = XMLScanner.quote(bytes, attribute.local)
      let value = XMLScanner.quote(bytes, attribute.value)
      report(
        .record, place(attribute.value.lowerBound, bytes),
        "\(name) is '\(value)', where degrees were expected; the <\(element)> is left out", &batch,
        code: .wrongNumber)
    }
    return number
  }

  // MARK: Issues

  private mutating func wrongValue(
    _ field: GPXVocabulary.Field, _ bytes: borrowing Span<UInt8>, _ value: borrowing Span<UInt8>,
    _ batch: inout TraceBatch
  ) {
    let expected =
      field == .time
      ? TimeText.expectation(for: value, field.expectation) : field.expectation
    report(
      .record, fieldPlace ?? place(fieldOffset, bytes),
      "\(field.word) is '\(XMLScanner.quote(value, 0..<value.count))', where \(expected) "
        + "was expected; the value is left out", &batch, code: field.code)
  }

  private mutating func reportTruncated(
    _ bytes: borrowing Span<UInt8>, _ batch: inout TraceBatch
  ) {
    let what =
      scanner.hasRoot
      ? "the trace ends inside the document; what is complete was read"
      : "the trace ends before its root element, where <gpx> was expected"
    report(.truncated, place(bytes.count, bytes), what, &batch)
    isFinished = true
  }

  private mutating func report(
    _ kind: TraceIssue.Kind, _ place: GPXPosition, _ message: String, _ batch: inout TraceBatch,
    code: IssueCode? = nil
  ) {
    batch.mark(
      .issue(TraceIssue(kind, line: place.line, column: place.column, message, code: code)))
  }

  private mutating func place(_ offset: Int, _ bytes: borrowing Span<UInt8>) -> GPXPosition {
    GPXPosition(
      line: scanner.lines.line(at: offset, bytes), column: scanner.lines.column(at: offset, bytes))
  }
}

/// A line and a column in bytes, both from 1.
struct GPXPosition: Sendable {
  var line: Int
  var column: Int
}
