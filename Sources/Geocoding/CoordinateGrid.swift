internal import Geodesy
internal import Glibc

/// Cells that cover the Earth, each at least of one size in latitude and longitude.
///
/// Rows have equal heights. Each has columns of equal widths, fewer near the poles, and the
/// antimeridian cuts no cell.
struct CoordinateGrid: Sendable, Hashable {
  /// The index of a cell.
  struct Cell: Sendable, Hashable, Codable {
    /// From the South Pole.
    var row: Int
    /// Eastwards from the antimeridian.
    var column: Int
  }

  /// Valid sizes, metres: from better than any receiver to the size of a country.
  static let sizes = 1.0...1_000_000

  private let rows: Double

  /// A grid of cells of `size` metres, which is within ``sizes``.
  init(size: Double) {
    // No degree of latitude is longer than 111 694 m on WGS 84, so no cell is less than its size
    // by more than 1 %.
    rows = max(1, (180 * 111_694 / size).rounded(.down))
  }

  /// The cell of a valid coordinate.
  ///
  /// - Complexity: O(1), one cosine.
  func cell(of position: Coordinate) -> Cell {
    let row = min(rows - 1, ((position.latitude + 90) / 180 * rows).rounded(.down))
    let columns = columns(inRow: row)
    let column = ((position.longitude + 180) / 360 * columns).rounded(.down)
    // 180 degrees east is 180 degrees west.
    return Cell(row: Int(row), column: column >= columns ? 0 : Int(column))
  }

  /// The middle of the cell of a valid coordinate.
  func middle(of position: Coordinate) -> Coordinate {
    let cell = cell(of: position)
    return Coordinate(
      latitude: (Double(cell.row) + 0.5) / rows * 180 - 90,
      longitude: (Double(cell.column) + 0.5) / columns(inRow: Double(cell.row)) * 360 - 180)
  }

  /// As many as make the cells about square at the middle of the row, and at least one.
  private func columns(inRow row: Double) -> Double {
    let latitude = ((row + 0.5) / rows * 180 - 90) * .pi / 180
    return max(1, (2 * rows * cos(latitude)).rounded(.down))
  }
}
