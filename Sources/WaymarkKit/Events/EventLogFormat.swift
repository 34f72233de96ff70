internal import EventLog

/// A format of the event log.
public enum EventLogFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// A line for people; it may change between versions.
  case text
  /// JSON Lines, one object a line: the stable format, which replays and tools read.
  case jsonl
  /// Comma-separated values below a header, a column for every key.
  case csv
  /// A GeoJSON feature collection (RFC 7946) for maps, a point for each event.
  case geojson
  /// GPX 1.1 for maps, a waypoint for each event.
  case gpx
  /// KML 2.2 for maps, a placemark for each event.
  case kml

  var format: EventFormat {
    switch self {
    case .text: .text
    case .jsonl: .jsonl
    case .csv: .csv
    case .geojson: .geojson
    case .gpx: .gpx
    case .kml: .kml
    }
  }
}
