/// The formats of the event log.
package enum EventFormat: String, Sendable, Hashable, CaseIterable {
  /// A line for people; it may change.
  case text
  /// JSON Lines, the stable format.
  case jsonl
  /// Comma-separated values for spreadsheets.
  case csv
  /// A GeoJSON feature collection (RFC 7946) for maps: a point for each event.
  case geojson
  /// GPX 1.1 for maps: a waypoint for each event with a place.
  case gpx
  /// KML 2.2 for maps: a placemark for each event.
  case kml

  /// Whether the format is for maps: one document, which is complete only at its end.
  package var isMap: Bool {
    switch self {
    case .text, .jsonl, .csv: false
    case .geojson, .gpx, .kml: true
    }
  }
}
