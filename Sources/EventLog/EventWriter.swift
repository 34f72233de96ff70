internal import Text

/// Writes event logs in any format: ``begin(into:)`` once, ``append(_:to:)`` for every entry, and
/// ``end(into:)`` once.
package struct EventWriter: Sendable {
  package let format: EventFormat
  private var text: TextWriter
  /// How many features of a GeoJSON document are written.
  private var features = 0

  /// Makes a writer; `fences` are the ids that events may name, for the width of the columns.
  package init(
    format: EventFormat, fences: some Sequence<String> = EmptyCollection(),
    layout: TextLayout = TextLayout()
  ) {
    self.format = format
    text = TextWriter(fences: fences, layout: layout)
  }

  /// The current widths of the text columns, for a writer that continues the log.
  package var columns: [Int] {
    get { text.widths.indices.map { text.widths[$0] } }
    set { text.widen(to: newValue) }
  }

  /// Appends what comes before the first entry: the header of CSV, the beginning of a document.
  package func begin(into buffer: inout [UInt8]) {
    switch format {
    case .text, .jsonl: break
    case .csv: CSVWriter.begin(into: &buffer)
    case .geojson: MapDocument.geoJSON.begin(into: &buffer)
    case .gpx: MapDocument.gpx.begin(into: &buffer)
    case .kml: MapDocument.kml.begin(into: &buffer)
    }
  }

  /// Appends one entry.
  package mutating func append(_ entry: LogEntry, to buffer: inout [UInt8]) {
    switch format {
    case .text: text.append(entry, to: &buffer)
    case .jsonl: JSONLinesWriter.append(entry, to: &buffer)
    case .csv: CSVWriter.append(entry, to: &buffer)
    case .geojson:
      GeoJSONWriter.append(entry, isFirst: features == 0, to: &buffer)
      features += 1
    case .gpx: GPXEvents.append(entry, to: &buffer)
    case .kml: KMLEvents.append(entry, to: &buffer)
    }
  }

  /// Appends what comes after the last entry: the end of a document.
  package func end(into buffer: inout [UInt8]) {
    switch format {
    case .text, .jsonl, .csv: break
    case .geojson: MapDocument.geoJSON.end(isEmpty: features == 0, into: &buffer)
    case .gpx: MapDocument.gpx.end(into: &buffer)
    case .kml: MapDocument.kml.end(into: &buffer)
    }
  }
}
