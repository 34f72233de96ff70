internal import Text

/// Writes tracks in one format: ``begin(into:)``, ``append(_:to:)`` for each track, ``end(into:)``.
///
/// The same tracks give the same bytes. Coordinates are written as they are: leave out fixes without a
/// valid one.
package struct TrackWriter: Sendable {
  package let format: TrackFormat
  private let style: TrackStyle
  /// How many features or tracks are written.
  private var count = 0

  package init(_ format: TrackFormat, style: TrackStyle = .exact) {
    self.format = format
    self.style = style
  }

  /// Appends what comes before the first track.
  package func begin(into text: inout [UInt8]) {
    switch format {
    case .gpx: GPXTrack.begin(into: &text)
    case .geojson: MapDocument.geoJSON.begin(into: &text)
    case .kml: KMLTrack.begin(into: &text)
    case .csv: TrackRows.header(style, into: &text)
    case .ndjson: break
    }
  }

  /// Appends a track; fixes of formats with rows may come in tracks of one fix.
  package mutating func append(_ track: RecordedTrack, to text: inout [UInt8]) {
    switch format {
    case .gpx: GPXTrack(style).append(track, to: &text)
    case .geojson: GeoJSONTrack(style).append(track, count: &count, to: &text)
    case .kml: KMLTrack(style).append(track, to: &text)
    case .csv: TrackRows(style).appendCells(track, to: &text)
    case .ndjson: TrackRows(style).appendObjects(track, to: &text)
    }
  }

  /// Appends what comes after the last track.
  package func end(into text: inout [UInt8]) {
    switch format {
    case .gpx: MapDocument.gpx.end(into: &text)
    case .geojson: MapDocument.geoJSON.end(isEmpty: count == 0, into: &text)
    case .kml: MapDocument.kml.end(into: &text)
    case .csv, .ndjson: break
    }
  }
}
