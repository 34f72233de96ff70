package import Geodesy
internal import Text
package import Traces

/// A fence in a GeoJSON file.
package struct GeoJSONFence: Sendable, Hashable {
  /// The feature's `id`, else its property `id` or `name`; nil without any of them.
  package var id: String?
  /// A circle for a Point with a radius, else polygons.
  package var area: Area
  /// Which feature of the file it is, from 1.
  package var number: Int
  /// Line on which the feature begins, from 1.
  package var line: Int
  /// Whether an edge spans more than 180° of longitude as written.
  ///
  /// Such an edge goes the short way round, over the antimeridian, which may not be intended (RFC
  /// 7946 §3.1.9 requires such an area to be cut there).
  package var spansWideEdge: Bool {
    switch area {
    case .circle: false
    case .polygons(let polygons): polygons.contains(where: \.spansWideEdge)
    }
  }
}

/// Fences from GeoJSON (RFC 7946).
package enum GeoJSON {
  /// The fences of a FeatureCollection, a Feature, or a single Polygon or MultiPolygon.
  ///
  /// A Point is a circle when its Feature has a property `radius`: a number of metres, or a text
  /// with a unit (`"2 km"`). Altitudes and other properties are ignored.
  /// - Parameter path: the file's name for errors.
  /// - Throws: `TraceError.invalid` with the position of the first error.
  package static func fences(
    in text: Span<UInt8>, path: String
  ) throws(TraceError) -> [GeoJSONFence] {
    let (fences, errors) = read(text, path: path)
    if let error = errors.first { throw error }
    return fences
  }

  /// The fences, and an error for each feature that is not a fence.
  ///
  /// An error of the JSON is the only one. After ``mostErrors`` the text is not read on.
  /// - Parameter path: the file's name for errors.
  package static func read(
    _ text: Span<UInt8>, path: String
  ) -> (fences: [GeoJSONFence], errors: [TraceError]) {
    let start = text.beginsWithByteOrderMark ? 3 : 0
    var reader = GeoJSONReader(path: path, start: start)
    do throws(JSONError) {
      try checkSyntax(text, from: start)
      let fences = try reader.fences(text)
      return (fences, reader.errors)
    } catch {
      let place = JSONPosition(of: error.offset, in: text, from: start)
      let message = place.path.isEmpty ? error.message : "\(place.path): \(error.message)"
      return (
        [],
        [.invalid(path: path, line: place.line, column: place.column, message: message)]
      )
    }
  }

  /// The most errors of a file.
  static let mostErrors = 1_000

  /// Checks all of the text first, so errors of the JSON are reported before others.
  private static func checkSyntax(_ text: Span<UInt8>, from start: Int) throws(JSONError) {
    var scanner = JSONScanner(at: start)
    while try scanner.next(in: text) != nil {}
  }
}
