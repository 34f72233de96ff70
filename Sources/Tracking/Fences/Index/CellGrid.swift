internal import Geodesy

/// Grids of cells by which the fences near a place are found.
///
/// Each level has rows of equal height, and in each row as many columns as make the cells about
/// square. A fence lies in all cells of one level that its box meets, so that a place needs to look
/// at one cell of each level only.
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
  @inline(__always)
  static func key(_ level: Int, row: Int, column: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: (level + 1) << 40 | row << 20 | column)
  }

  /// The only cell of the highest level.
  static var worldKey: UInt64 { key(worldLevel, row: 0, column: 0) }

  /// Calls `body` with every cell of a level that a box meets, row by row from the south, until it
  /// says that it is enough.
  ///
  /// A pole, which has every longitude, is in the first cell of its row.
  @inline(__always)
  static func forEachCell(
    _ box: Box, _ level: Int, _ body: (_ row: Row, _ column: Int) -> Bool
  ) {
    let (first, last) = (row(box.south, level).number, row(box.north, level).number)
    guard first <= last else { return }
    for number in first...last {
      let row = row(number: number, level)
      let zone = CellZones.shared[level, row.zone]
      for columns in ranges(box, zone) {
        for column in columns where !body(row, column) { return }
      }
      let isPolar =
        (number == first && box.south <= -90) || (number == last && box.north >= 90)
      let hasFirst = ranges(box, zone).contains { $0.lowerBound == 0 }
      if isPolar && !hasFirst && !body(row, 0) { return }
    }
  }

  /// The columns that a box meets in a zone: one range, or two over the antimeridian.
  @inline(__always)
  private static func ranges(_ box: Box, _ zone: CellZone) -> ColumnRanges {
    let last = Int(zone.columns) - 1
    // The antimeridian is the western edge of the first column.
    let west = box.west >= 180 ? -180 : box.west
    let low = column(west, zone)
    if west <= box.east {
      guard box.east >= 180 else { return ColumnRanges(low...max(low, column(box.east, zone))) }
      return low == 0 ? ColumnRanges(0...last) : ColumnRanges(low...last, 0...0)
    }
    let high = column(box.east, zone)
    return high + 1 >= low ? ColumnRanges(0...last) : ColumnRanges(low...last, 0...high)
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

/// One or two ranges of columns, without an array.
private struct ColumnRanges: Sequence, IteratorProtocol {
  private var first: ClosedRange<Int>?
  private var second: ClosedRange<Int>?

  init(_ first: ClosedRange<Int>, _ second: ClosedRange<Int>? = nil) {
    (self.first, self.second) = (first, second)
  }

  @inline(__always)
  mutating func next() -> ClosedRange<Int>? {
    defer { (first, second) = (second, nil) }
    return first
  }
}
