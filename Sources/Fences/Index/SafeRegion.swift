internal import Geodesy

/// Positions around one that are all in the same fences.
///
/// A device in it needs four comparisons and no lookup. It is a box, which begins as the whole
/// Earth and is narrowed by each level of cells that a search looks at.
struct SafeRegion: Sendable {
  /// Degrees; not over the antimeridian.
  private var south, west, north, east: Double

  /// No place.
  static var none: SafeRegion { SafeRegion(south: 1, west: 1, north: 0, east: 0) }
  /// All places.
  static var all: SafeRegion { SafeRegion(south: -90, west: -180, north: 90, east: 180) }

  /// Whether a position is one of them; never true for an invalid position.
  @inline(__always)
  func holds(_ place: Coordinate) -> Bool {
    place.latitude >= south && place.latitude <= north && place.longitude >= west
      && place.longitude <= east
  }

  /// Takes those that are in a cell: less a hair, for rounding.
  @inline(__always)
  mutating func narrow(to row: CellGrid.Row, column: Int, _ level: Int, _ zone: CellZone) {
    let height = 1 / CellGrid.rowsPerDegree(level)
    let low = Double(row.number) * height - 90
    let left = Double(column) * zone.degreesPerColumn - 180
    south = max(south, low + Self.hair)
    north = min(north, low + height - Self.hair)
    west = max(west, left + Self.hair)
    east = min(east, left + zone.degreesPerColumn - Self.hair)
  }

  /// Takes those that are no farther than so many metres from a place in the rows of a zone.
  ///
  /// What is a straight line in degrees is no longer than it would be if all degrees were as long as
  /// the longest; and no shorter than the geodesic.
  @inline(__always)
  mutating func narrow(around place: Coordinate, metres: Double, _ zone: CellZone) {
    let side = metres * 0.707
    let (up, across) = (side / CellGrid.longestDegree, side / zone.longestDegree)
    south = max(south, place.latitude - up)
    north = min(north, place.latitude + up)
    west = max(west, place.longitude - across)
    east = min(east, place.longitude + across)
  }

  /// Degrees: 0.1 mm, many times the rounding error of an angle.
  private static var hair: Double { 1e-9 }
}
