internal import Geodesy

/// A circle on the map of a cell.
///
/// In whole units of the cell's level from its middle: 3.4 cm in the smallest cells, where a cell
/// is 16,384 units high. Six bytes, beside four for the number of the fence.
struct CellCircle {
  let x, y: Int16
  let radius: UInt16
}

/// Makes circles on the map of one cell.
struct CircleMapper {
  private let frame: CellFrame
  private let unitsPerMetre: Double

  /// Nil when the map of the cell is too inaccurate for circles.
  init?(_ key: UInt64) {
    guard key != CellGrid.worldKey else { return nil }
    let (level, row, column) = CellGrid.cell(key)
    let zone = CellZones.shared[level, row.zone]
    guard zone.band < .infinity else { return nil }
    frame = CellFrame(row, column: column, level, zone)
    unitsPerMetre = CellZone.unitsPerCell / CellGrid.height(level)
  }

  /// Nil for a polygon, and for a circle that does not fit on this map.
  ///
  /// One fits whose radius is at most a cell and whose centre is within two cells of the middle.
  @inline(__always)
  func circle(_ place: PlaceRecord) -> CellCircle? {
    let units = place.radius * unitsPerMetre
    guard place.shape == nil, units <= CellZone.unitsPerCell,
      let (x, y) = frame.farPoint(of: place.center)
    else { return nil }
    return CellCircle(x: x, y: y, radius: UInt16(max(0, units.rounded())))
  }
}
