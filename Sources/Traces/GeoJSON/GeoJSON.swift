package import Geodesy

/// A fence that a GeoJSON file holds.
package struct GeoJSONFence: Sendable, Hashable {
  /// The feature's `id`, else its property `id` or `name`; nil when it has none of them.
  package var id: String?
  /// A circle for a Point with a radius, else polygons.
  package var area: Area
  /// Line on which the feature begins, from 1.
  package var line: Int
  /// Whether an edge spans more than 180° of longitude as written.
  ///
  /// It is taken the short way round, over the antimeridian, which may not be what was meant
  /// (RFC 7946 §3.1.9 wants such an area cut there).
  package var spansWideEdge: Bool {
    switch area {
    case .circle: false
    case .polygons(let polygons): polygons.contains(where: \.spansWideEdge)
    }
  }
}

/// Fences from GeoJSON (RFC 7946).
package enum GeoJSON {
  /// The fences of a FeatureCollection, a Feature, or a Polygon or MultiPolygon by itself.
  ///
  /// A Point is a circle when its Feature has a property `radius`: a number of metres, or a text
  /// with a unit (`"2 km"`). Altitudes and properties of other names are passed over.
  /// - Parameter path: the file's name for errors.
  /// - Throws: `TraceError.invalid` with the place of the first thing that is wrong.
  package static func fences(
    in text: Span<UInt8>, path: String
  ) throws(TraceError) -> [GeoJSONFence] {
    let start = text.beginsWithByteOrderMark ? 3 : 0
    do throws(JSONError) {
      try checkSyntax(text, from: start)
      var reader = GeoJSONReader()
      return try reader.fences(text, at: start)
    } catch {
      let place = JSONPlace(of: error.offset, in: text, from: start)
      let message = place.path.isEmpty ? error.message : "\(place.path): \(error.message)"
      throw .invalid(path: path, line: place.line, column: place.column, message: message)
    }
  }

  /// Reads all of the text once, so that what is wrong with the JSON is said first.
  private static func checkSyntax(_ text: Span<UInt8>, from start: Int) throws(JSONError) {
    var scanner = JSONScanner(at: start)
    while try scanner.next(in: text) != nil {}
  }
}
