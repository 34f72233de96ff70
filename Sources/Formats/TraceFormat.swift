internal import Receivers
internal import Text
package import Traces

/// The supported formats of traces.
package enum TraceFormat: Sendable, Hashable, CaseIterable {
  /// GPX 1.0 and 1.1.
  case gpx
  /// Garmin's Training Center Database.
  case tcx
  /// KML 2.2 and 2.3.
  case kml
  /// FIT, of sport devices: the only binary format.
  case fit
  /// Flight recorders of gliders and paragliders.
  case igc
  /// Racelogic's data loggers.
  case vbox
  /// Comma-separated values below a header.
  case csv
  /// One JSON object per line: the `fix` lines of an event log.
  case ndjson
  /// GeoJSON with times, also as Overland sends it.
  case geoJSON
  /// Google's `Records.json`.
  case googleRecords
  /// Google's timelines: exports of Android and iOS, and the Semantic Location History of Takeout.
  case googleTimeline
  /// Messages of OwnTracks.
  case ownTracks
  /// Messages of OwnTracks as its Recorder stores them, one a line.
  case ownTracksRecordings
  /// Positions of Traccar's API.
  case traccar
  /// Records of JSON with the names of columns.
  case jsonTable
  /// A log of gpsd: its JSON, perhaps mixed with sentences of NMEA 0183.
  case gpsd
  /// Sentences of NMEA 0183.
  case nmea

  /// The name of the format, for messages.
  package var name: String {
    switch self {
    case .gpx: "GPX"
    case .tcx: "TCX"
    case .kml: "KML"
    case .fit: "FIT"
    case .igc: "IGC"
    case .vbox: "VBOX"
    case .csv: "CSV"
    case .ndjson: "NDJSON of fixes"
    case .geoJSON: "GeoJSON"
    case .googleRecords: "Google Records.json"
    case .googleTimeline: "Google timelines"
    case .ownTracks: "OwnTracks JSON"
    case .ownTracksRecordings: "OwnTracks recordings"
    case .traccar: "Traccar JSON"
    case .jsonTable: "JSON records"
    case .gpsd: "gpsd logs"
    case .nmea: "NMEA 0183"
    }
  }

  /// Whether the places of a trace are bytes, not lines.
  package var isBinary: Bool { self == .fit }

  /// A decoder; `isConverted` means that the bytes were converted from the encoding that they
  /// declare.
  package func decoder(_ options: ReadingOptions, isConverted: Bool) -> any TraceDecoder {
    switch self {
    case .gpx: GPXDecoder(isConverted: isConverted)
    case .tcx: XMLTraceDecoder<TCXContent>(isConverted: isConverted)
    case .kml: XMLTraceDecoder<KMLContent>(isConverted: isConverted)
    case .fit: FITDecoder()
    case .igc: LineTraceDecoder<IGCContent>()
    case .vbox: LineTraceDecoder<VBOXContent>()
    case .csv: CSVDecoder(options)
    case .ndjson: NDJSONDecoder(options)
    case .geoJSON: JSONTraceDecoder(GeoJSONContent(options))
    case .googleRecords: JSONTraceDecoder(JSONRecords(.google, options))
    case .googleTimeline: JSONTraceDecoder(GoogleTimelineContent(options))
    case .ownTracks: JSONTraceDecoder(JSONRecords(.ownTracks, options))
    case .ownTracksRecordings: LineTraceDecoder<OwnTracksRecordings>()
    case .traccar: JSONTraceDecoder(JSONRecords(.traccar, options))
    case .jsonTable: JSONTraceDecoder(JSONTable(options))
    case .gpsd, .nmea:
      ReceiverLogDecoder(
        readsShips: options.readsShips, allowsSimulated: options.allowsSimulated)
    }
  }

  /// The result of format detection.
  enum Detection: Sendable, Hashable {
    case format(TraceFormat)
    /// There are too few bytes.
    case undecided
    case unknown
  }

  /// Detects the format of a trace, of which a text is in UTF-8, by its beginning.
  ///
  /// A receiver log may begin in the middle of a line, or with comments: the first lines are tried
  /// one after the other. With `isFinal`, nothing follows the head.
  static func detect(
    _ head: ArraySlice<UInt8>, _ options: ReadingOptions = ReadingOptions(), isFinal: Bool = false
  ) -> Detection {
    switch FITDecoder.begins(head) {
    case true?: return .format(.fit)
    case nil where !isFinal: return .undecided
    case false?, nil: break
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var text = head.starts(with: mark) ? head.dropFirst(3) : head
    text = text.drop(while: isXMLSpace)
    guard let first = text.first else { return .undecided }
    if first == UInt8(ascii: "<") { return detectXML(text, isFinal: isFinal) }
    if ForeignFile.isKnown(head) { return .unknown }
    if first == 0xEF, text.count < 3 { return .undecided }
    switch CSVSignature(options).matches(text, isFinal: isFinal) {
    case true?: return .format(.csv)
    case false?: break
    case nil: return .undecided
    }
    if let found = JSONSignature.format(of: text, options, isFinal: isFinal) { return found }
    let isBinary = ForeignFile.isBinary(head)
    var tried = 0
    while tried < triedLines {
      let line = line(of: text)
      let isWhole = line.endIndex < text.endIndex
      // Some bytes of a binary file look like a line of an event log.
      if let found = detect(line: line, isWhole: isWhole || isFinal),
        !isBinary || found != .format(.ndjson)
      {
        return found
      }
      guard isWhole else { return .undecided }
      let isNothing = line.isEmpty || line.first == UInt8(ascii: "#")
      tried += isNothing ? 0 : 1
      text = text[line.endIndex...].dropFirst()
    }
    return .unknown
  }
}

/// Detection by one line.
extension TraceFormat {
  /// The most other lines that may precede the first line with a signature.
  private static let triedLines = 100

  private static func line(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.prefix { $0 != 0x0A && $0 != 0x0D }
  }

  /// The format of an XML document by its root element.
  ///
  /// What has another root, or none yet, such as a web page, is left to the decoder of GPX, whose errors
  /// name it.
  private static func detectXML(_ text: ArraySlice<UInt8>, isFinal: Bool) -> Detection {
    switch root(of: text) {
    case .name(let name): .format(Self.formatsByRoot[name] ?? .gpx)
    case .none(let canFollow, _): canFollow && !isFinal ? .undecided : .format(.gpx)
    }
  }

  /// Whether a document that was taken for GPX has the root element of another program's documents.
  ///
  /// A web page is one where its path says so. Otherwise it is what a service gives in the place of a
  /// track.
  static func isForeignDocument(_ head: ArraySlice<UInt8>, path: String) -> Bool {
    var name = path.lowercased()[...]
    if name.hasSuffix(".gz") { name = name.dropLast(3) }
    // What has the name of a track should be one: services also give an error in its place.
    if [".gpx", ".tcx", ".kml"].contains(where: { name.hasSuffix($0) }) { return false }
    let pagePath = [".html", ".htm", ".xhtml"].contains { name.hasSuffix($0) }
    if ForeignFile.isWebPage(Array(head).span) == true { return pagePath }
    switch root(of: head.drop { $0 != UInt8(ascii: "<") }) {
    case .name(let name), .none(canFollow: false, let name?):
      if name == ShortName("html") || name == ShortName("HTML") { return pagePath }
      return formatsByRoot[name] == nil
    case .none: return false
    }
  }

  private enum Root {
    case name(ShortName)
    /// There is none, or not yet; the document type may name it.
    case none(canFollow: Bool, named: ShortName?)
  }

  private static func root(of text: ArraySlice<UInt8>) -> Root {
    let bytes = Array(text)
    var scanner = XMLScanner(isConverted: true)
    guard case .start = scanner.next(bytes.span, isFinal: false) else {
      return .none(
        canFollow: scanner.syntaxError == nil,
        named: scanner.doctypeName.map { ShortName(bytes.span, $0) })
    }
    return .name(ShortName(bytes.span, scanner.name))
  }

  private static let formatsByRoot: [ShortName: TraceFormat] = [
    ShortName("gpx"): .gpx, ShortName(TCXContent.root.name): .tcx,
    ShortName(KMLContent.root.name): .kml,
  ]

  /// The format that a line shows; nil when it shows none, or not yet.
  private static func detect(
    line slice: ArraySlice<UInt8>, isWhole: Bool
  ) -> Detection? {
    let bytes = Array(slice)
    if IGCContent.isSignature(bytes.span) { return .format(.igc) }
    if VBOXContent.isSignature(bytes.span) { return .format(.vbox) }
    if let start = OwnTracksRecordings.message(in: bytes.span) {
      return bytes[start] == UInt8(ascii: "{") ? .format(.ownTracksRecordings) : nil
    }
    var line = ReceiverLine(number: 1, isCut: !isWhole)
    switch line.find(in: bytes.span) {
    case .object: return detectObject(bytes.span.extracting(line.content), isWhole: isWhole)
    case .sentence: return isSentence(bytes[line.content]) ? .format(.nmea) : nil
    case .nothing, .sentenceAfter, .unknown:
      // Some loggers write lines before the header of a table.
      return isWhole && CSVSignature.isHeader(bytes.span) ? .format(.csv) : nil
    }
  }

  /// A report of gpsd has a class in capitals.
  ///
  /// Any other object is a line of an event log, or unknown.
  private static func detectObject(_ bytes: Span<UInt8>, isWhole: Bool) -> Detection? {
    var scanner = JSONScanner()
    do throws(JSONError) {
      _ = try scanner.next(in: bytes)
      while let key = try scanner.nextKey(in: bytes) {
        if key.equals("type", in: bytes) { return .format(.ndjson) }
        guard key.equals("class", in: bytes) else {
          try scanner.skipValue(in: bytes)
          continue
        }
        if case .string(let name)? = try scanner.nextValue(in: bytes),
          name.string(in: bytes).utf8.allSatisfy({ $0.isCapital || $0.decimalDigit != nil })
        {
          return .format(.gpsd)
        }
      }
    } catch {
      if error.isCutShort { return isWhole ? .format(.ndjson) : nil }
    }
    return .format(.ndjson)
  }

  /// Whether a line begins like a sentence, with an address of letters and digits.
  private static func isSentence(_ line: ArraySlice<UInt8>) -> Bool {
    guard let comma = line.firstIndex(of: UInt8(ascii: ",")) else { return false }
    let address = line[line.startIndex + 1..<comma]
    return 4...8 ~= address.count
      && address.allSatisfy { $0.isCapital || $0.decimalDigit != nil }
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
}
