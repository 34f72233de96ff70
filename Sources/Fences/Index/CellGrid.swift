internal import Geodesy

/// Grids of cells by which the fences near a place are found.
///
/// Each level has rows of equal height, and in each row as many columns as make the cells about
/// square. A fence lies in all cells of one level that its box meets, so that a place needs to look
/// at one cell of each level only.
///
/// The columns of a row are counted from the antimeridian, so it is an edge between cells. All
/// columns meet at a pole, which belongs to the first one.
enum CellGrid {
  /// Levels of cells; above them is one cell that is the whole Earth.
  static var levelCount: Int { 5 }
  /// The level whose only cell is the whole Earth.
  static var worldLevel: Int { levelCount }
  /// The first level whose rows are higher than a degree.
  private static var coarseLevel: Int { 4 }
  /// Degrees of latitude of a row on the coarse level.
  private static var coarseRow: Int { 5 }
  /// Degrees of latitude, each of which has as many rows.
  static var zoneCount: Int { 180 }

  /// Rows in a degree of latitude: 556 m, 2.8 km, 14 km and 56 km high; the coarse ones are 556 km.
  static func rowsPerDegree(_ level: Int) -> Double {
    switch level {
    case 0: 200
    case 1: 40
    case 2: 8
    case 3: 2
    default: 1 / Double(coarseRow)
    }
  }

  /// A degree of latitude on the whole, metres: the most that there is, at the poles.
  static var longestDegree: Double { 111_695 }

  /// The height of a cell, metres, rounded up.
  static func height(_ level: Int) -> Double { longestDegree / rowsPerDegree(level) }

  /// A row: which of the zone's rows it is, and the zone.
  struct Row {
    /// From the South Pole.
    let number: Int
    let zone: Int
    /// Which of the rows of the zone.
    let part: Int
  }

  /// The row of a latitude, −90...90.
  ///
  /// It never falls as the latitude rises: so boxes that meet have a cell in common.
  @inline(__always)
  static func row(_ latitude: Double, _ level: Int) -> Row {
    let height = latitude + 90
    let zone = min(Int(height), zoneCount - 1)
    guard level < coarseLevel else { return coarse(zone / coarseRow) }
    let count = Int(rowsPerDegree(level))
    let part = min(Int((height - Double(zone)) * Double(count)), count - 1)
    return Row(number: zone * count + part, zone: zone, part: part)
  }

  /// A row by its number.
  static func row(number: Int, _ level: Int) -> Row {
    guard level < coarseLevel else { return coarse(number) }
    let count = Int(rowsPerDegree(level))
    return Row(number: number, zone: number / count, part: number % count)
  }

  /// Rows of several degrees have the columns of the zone that is nearest to the equator.
  private static func coarse(_ number: Int) -> Row {
    let first = number * coarseRow
    return Row(number: number, zone: first < 90 ? first + coarseRow - 1 : first, part: 0)
  }

  /// The column of a longitude, −180...180; both ends are the first one.
  @inline(__always)
  static func column(_ longitude: Double, _ zone: CellZone) -> Int {
    guard longitude < 180 else { return 0 }
    return min(Int((longitude + 180) * zone.columnsPerDegree), Int(zone.columns) - 1)
  }

  /// The number of a cell; never 0.
  ///
  /// Level in the upper bits, row in the next 20, column in the lowest 20: the smallest cells have
  /// 36,000 rows and at most 72,000 columns.
  @inline(__always)
  static func key(_ level: Int, row: Int, column: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: (level + 1) << 40 | row << 20 | column)
  }

  /// The cell with a number, which is not that of the whole Earth.
  static func cell(_ key: UInt64) -> (level: Int, row: Row, column: Int) {
    let level = Int(key >> 40) - 1
    return (level, row(number: Int(key >> 20 & 0xF_FFFF), level), Int(key & 0xF_FFFF))
  }

  /// The only cell of the highest level.
  static var worldKey: UInt64 { key(worldLevel, row: 0, column: 0) }

  /// Calls `body` with every cell of a level that a box meets, row by row from the south.
  ///
  /// A pole, which has every longitude, is in the first cell of its row.
  @inline(__always)
  static func forEachCell(_ box: Box, _ level: Int, _ body: (_ row: Row, _ column: Int) -> Void) {
    var row = row(box.south, level)
    let last = self.row(box.north, level).number
    let first = row.number
    guard first <= last else { return }
    var columns = ColumnRanges(box, CellZones.shared[level, row.zone])
    while true {
      columns.forEach { body(row, $0) }
      let isPolar =
        (row.number == first && box.south <= -90) || (row.number == last && box.north >= 90)
      if isPolar && !columns.hasFirst { body(row, 0) }
      guard row.number < last else { return }
      let zone = row.zone
      row = next(row, level)
      if row.zone != zone { columns = ColumnRanges(box, CellZones.shared[level, row.zone]) }
    }
  }

  /// The row north of one.
  @inline(__always)
  private static func next(_ row: Row, _ level: Int) -> Row {
    guard level < coarseLevel else { return coarse(row.number + 1) }
    let isLast = row.part + 1 == Int(rowsPerDegree(level))
    return Row(
      number: row.number + 1, zone: isLast ? row.zone + 1 : row.zone,
      part: isLast ? 0 : row.part + 1)
  }

  /// How many cells of a level a box meets: some more than there are.
  static func cellEstimate(_ box: Box, _ level: Int) -> Int {
    let (first, last) = (row(box.south, level), row(box.north, level))
    let width = box.west <= box.east ? box.east - box.west : box.east + 360 - box.west
    // The row that is nearest to the equator has the most columns.
    let widest = first.zone >= 90 ? first.zone : max(min(last.zone, 90), 0)
    let columns = CellZones.shared[level, widest].columnsPerDegree * width
    return (last.number - first.number + 1) * (Int(columns) + 2)
  }
}

/// The columns that a box meets in a zone: one range, or two over the antimeridian.
private struct ColumnRanges {
  private let first: ClosedRange<Int>
  private var second: ClosedRange<Int>?

  @inline(__always)
  init(_ box: Box, _ zone: CellZone) {
    let last = Int(zone.columns) - 1
    // The antimeridian is the western edge of the first column.
    let west = box.west >= 180 ? -180 : box.west
    let low = CellGrid.column(west, zone)
    if west <= box.east {
      if box.east < 180 {
        first = low...max(low, CellGrid.column(box.east, zone))
      } else {
        first = low...last
        if low > 0 { second = 0...0 }
      }
    } else {
      let high = CellGrid.column(box.east, zone)
      first = high + 1 >= low ? 0...last : low...last
      if high + 1 < low { second = 0...high }
    }
  }

  var hasFirst: Bool { first.lowerBound == 0 || second != nil }

  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    for column in first { body(column) }
    if let second { for column in second { body(column) } }
  }
}
