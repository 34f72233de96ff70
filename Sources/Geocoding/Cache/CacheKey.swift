internal import Geodesy
internal import HTTP

/// The key of all requests with the same answer, a text without spaces.
///
/// Different requests have different keys: text from outside is escaped.
enum CacheKey {
  /// The key of a request.
  ///
  /// - Returns: `at:ROW,COLUMN:LANGUAGE` of the cell of a coordinate, or `of:TEXT:AREA:LANGUAGE`;
  ///   `*` where a part is missing.
  /// - Complexity: O(length of the text).
  static func text(of request: GeocoderRequest, grid: CoordinateGrid) -> String {
    let language = request.language?.percentEncoded ?? "*"
    switch request.subject {
    case .coordinate(let coordinate):
      let cell = grid.cell(of: coordinate)
      return "at:\(cell.row),\(cell.column):\(language)"
    case .text(let text, let near):
      let area = near.map { near in
        "\(near.center.latitude),\(near.center.longitude),\(near.radius)"
      }
      return "of:\(text.percentEncoded):\(area ?? "*"):\(language)"
    }
  }
}
