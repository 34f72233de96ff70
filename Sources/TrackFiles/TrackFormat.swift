/// The formats in which tracks are written.
package enum TrackFormat: String, Sendable, Hashable, CaseIterable {
  /// GPX 1.1, with accuracy, speed and course in extensions.
  case gpx
  /// A GeoJSON feature collection (RFC 7946): a line for each segment, with the values of its fixes.
  case geojson
  /// KML 2.3: a track with times for each segment.
  case kml
  /// A row for each fix.
  case csv
  /// A JSON object for each fix, as in an event log.
  case ndjson

  /// Whether each fix is written alone, so that fixes of many devices may come in any order.
  package var hasRows: Bool {
    switch self {
    case .csv, .ndjson: true
    case .gpx, .geojson, .kml: false
    }
  }
}
