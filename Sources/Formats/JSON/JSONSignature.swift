internal import Text

/// The format of a JSON document by its first members.
enum JSONSignature {
  /// The format that the beginning of a text shows; nil when the text is no JSON document.
  ///
  /// With `isFinal`, nothing follows the text.
  static func format(
    of text: ArraySlice<UInt8>, _ options: ReadingOptions = ReadingOptions(), isFinal: Bool
  ) -> TraceFormat.Detection? {
    guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else { return nil }
    let bytes = Array(text)
    var likely: TraceFormat?
    do throws(JSONError) {
      if let found = try format(ofDocument: bytes.span, &likely) { return .format(found) }
    } catch {
      guard error.isCutShort else { return nil }
      if !isFinal { return .undecided }
    }
    switch JSONTable.finding(in: bytes.span, options, isFinal: isFinal) {
    case .table: return .format(.jsonTable)
    case .untimed: return isFinal ? .unknown : .undecided
    case .lists, .ownFix, nil: break
    }
    if let likely { return .format(likely) }
    guard isDocument(bytes.span) || isOtherObject(bytes.span) else { return nil }
    return isFinal ? .unknown : .undecided
  }

  /// The names of the members of a document, or of the first object in it, as far as they can be read.
  static func members(of text: ArraySlice<UInt8>) -> [String] {
    let bytes = Array(text)
    var scanner = JSONScanner.replacingHalfPairs()
    var names: [String] = []
    do throws(JSONError) {
      var token = try scanner.next(in: bytes.span)
      while token == .beginArray { token = try scanner.next(in: bytes.span) }
      guard token == .beginObject else { return [] }
      while let key = try scanner.nextKey(in: bytes.span) {
        names.append(key.string(in: bytes.span).withoutControls)
        try scanner.skipValue(in: bytes.span)
      }
    } catch {
      // What came before the error is named.
    }
    return names
  }

  /// Whether a text is one object, and no line of an event log: it has neither a type nor a position.
  private static func isOtherObject(_ bytes: Span<UInt8>) -> Bool {
    var scanner = JSONScanner.replacingHalfPairs()
    do throws(JSONError) {
      guard try scanner.next(in: bytes) == .beginObject else { return false }
      while let key = try scanner.nextKey(in: bytes) {
        if lineMembers.contains(where: { key.equals($0, in: bytes) }) { return false }
        try scanner.skipValue(in: bytes)
      }
      return try scanner.next(in: bytes) == nil
    } catch {
      // Lines of logs are shorter.
      return error.isCutShort && bytes.count >= NDJSONDecoder.maxLineLength
    }
  }

  /// A line of an event log, or of gpsd's, has one of these.
  private static let lineMembers: [StaticString] = ["type", "class", "latitude", "longitude"]

  /// Whether JSON is a document and not lines of a log: an array of objects, or an object of several
  /// lines.
  private static func isDocument(_ bytes: Span<UInt8>) -> Bool {
    var scanner = JSONScanner.replacingHalfPairs()
    if bytes[0] == UInt8(ascii: "[") {
      _ = try? scanner.next(in: bytes)
      return (try? scanner.next(in: bytes)) == .beginObject
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: 0) else { return false }
    let line = bytes.extracting(0..<end)
    do throws(JSONError) {
      while try scanner.next(in: line) != nil {}
      return false
    } catch {
      return error.isCutShort
    }
  }

  /// The format by the members of a document; `likely` is what those so far make likely.
  private static func format(
    ofDocument bytes: Span<UInt8>, _ likely: inout TraceFormat?
  ) throws(JSONError) -> TraceFormat? {
    var scanner = JSONScanner.replacingHalfPairs()
    if bytes[0] == UInt8(ascii: "[") { return try format(ofNextArray: &scanner, bytes) }
    while try scanner.next(in: bytes) == .beginObject {
      var isMessage = false
      while let key = try scanner.nextKey(in: bytes) {
        switch meaning(of: key, documentMembers, bytes) {
        case .format(let format): return format
        case .array(let format):
          likely = format
          return try self.format(ofNextArray: &scanner, bytes)
        case .type: if let format = try self.format(ofNextType: &scanner, bytes) { return format }
        case .message:
          isMessage = true
          var ahead = scanner
          if try isTraccar(next: &ahead, bytes) { return .traccar }
          try scanner.skipValue(in: bytes)
        case .none: try scanner.skipValue(in: bytes)
        }
      }
      // Traccar's WebSocket sends messages of devices and events as well, which come first.
      let next = (scanner.offset..<bytes.count).first { !isXMLSpace(bytes[$0]) }
      guard isMessage, let next, bytes[next] == UInt8(ascii: "{") else { return nil }
      scanner = JSONScanner.replacingHalfPairs(at: next)
    }
    return nil
  }

  /// Whether the value that is next is a position of Traccar, or an array that begins with one.
  private static func isTraccar(
    next scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> Bool {
    var token = try scanner.next(in: bytes)
    if token == .beginArray { token = try scanner.next(in: bytes) }
    guard token == .beginObject else { return false }
    var (hasDevice, hasTime) = (false, false)
    while let key = try scanner.nextKey(in: bytes) {
      if key.equals("deviceId", in: bytes) { hasDevice = true }
      if key.equals("fixTime", in: bytes) { hasTime = true }
      if hasDevice, hasTime { return true }
      try scanner.skipValue(in: bytes)
    }
    return false
  }

  /// The format by the members of the first element of the array that is next.
  private static func format(
    ofNextArray scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> TraceFormat? {
    guard try scanner.next(in: bytes) == .beginArray, try scanner.next(in: bytes) == .beginObject
    else { return nil }
    while let key = try scanner.nextKey(in: bytes) {
      switch meaning(of: key, elementMembers, bytes) {
      case .format(let format): return format
      case .type: if let format = try self.format(ofNextType: &scanner, bytes) { return format }
      case .array, .message, .none: try scanner.skipValue(in: bytes)
      }
    }
    return nil
  }

  /// The format by a `type`, which is next.
  private static func format(
    ofNextType scanner: inout JSONScanner, _ bytes: Span<UInt8>
  ) throws(JSONError) -> TraceFormat? {
    let value = try scanner.nextValue(in: bytes)
    try scanner.skipRest(of: value, in: bytes)
    guard case .string(let slice) = value else { return nil }
    return geoJSONTypes.contains { slice.equals($0, in: bytes) } ? .geoJSON : nil
  }

  // MARK: Members

  private typealias Member = (name: StaticString, meaning: Meaning)

  private enum Meaning {
    case format(TraceFormat?)
    /// An array of records: its first one shows the format, which is this one by default.
    case array(TraceFormat?)
    /// A type, of GeoJSON or of an event log.
    case type
    /// What a message of Traccar may hold.
    case message
    case none
  }

  private static func meaning(
    of key: JSONSlice, _ members: [Member], _ bytes: Span<UInt8>
  ) -> Meaning {
    for (name, meaning) in members where key.equals(name, in: bytes) { return meaning }
    return .none
  }

  private static let geoJSONTypes: [StaticString] = [
    "FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", "LineString",
    "MultiLineString", "Polygon", "MultiPolygon",
  ]

  private static let recordMembers: [Member] = [
    ("latitudeE7", .format(.googleRecords)), ("longitudeE7", .format(.googleRecords)),
    ("timestampMs", .format(.googleRecords)),
    ("type", .type), ("geometry", .format(.geoJSON)),
    ("_type", .format(.ownTracks)), ("tst", .format(.ownTracks)),
    ("fixTime", .format(.traccar)), ("serverTime", .format(.traccar)),
  ]

  private static let elementMembers: [Member] =
    recordMembers + [
      ("startTime", .format(.googleTimeline)), ("endTime", .format(.googleTimeline)),
      ("timelinePath", .format(.googleTimeline)),
    ]

  private static let documentMembers: [Member] =
    recordMembers + [
      // A log of gpsd.
      ("class", .format(nil)),
      ("features", .format(.geoJSON)), ("coordinates", .format(.geoJSON)),
      ("locations", .array(.googleRecords)), ("data", .array(nil)),
      ("positions", .message), ("position", .message), ("devices", .message),
      ("events", .message),
      ("semanticSegments", .format(.googleTimeline)), ("rawSignals", .format(.googleTimeline)),
      ("timelineObjects", .format(.googleTimeline)), ("timelineEdits", .format(.googleTimeline)),
    ]
}
