internal import Geodesy
internal import Glibc

/// Borders of provinces, by cells of a degree.
///
/// Each cell has the region at its south-western corner, and the lines that cross it with the regions
/// on their left and right. To find the region of a position, follow its parallel west to the side of
/// the cell, then the side south to the corner: the first line on the way decides, else the corner.
struct GazetteerBorders {
  /// The index of the first run of each row of cells.
  let rows: GazetteerBytes
  /// Runs of equal cells: the first column, and the region or the offset of the lines.
  let runs: GazetteerBytes
  /// Regions and lines of the cells with lines.
  let lines: GazetteerBytes

  /// Units per degree of the lines.
  private static var quanta: Double { 1_000 }

  /// An edge of a line: its ends in units from the cell's corner, and the regions on its sides.
  struct Edge {
    let x1, y1, x2, y2: Double
    let left, right: Int
  }

  /// The content of a cell: one region, or the offset of its lines.
  private enum Cell {
    case region(Int)
    case lines(Int)
  }

  /// What a cell of a degree holds.
  ///
  /// - Complexity: O(log runs of the row).
  private func cell(row: Int, column: Int) -> Cell {
    let found = runs.firstIndex(from: rows.word(4 * row), to: rows.word(4 * row + 4)) {
      runs.short(6 * $0) > column
    }
    let value = runs.word(6 * (found - 1) + 2)
    return value >> 31 == 0 ? .region(value) : .lines(value & 0x7fff_ffff)
  }

  /// Calls `body` with every edge of a cell; returns the region at its corner.
  ///
  /// - Parameter left: How many more edges are read. All cells together have fewer than `lines` has bytes,
  ///   unless a malicious file gives many cells the same lines.
  @inline(__always)
  private func forEachEdge(_ offset: Int, left: inout Int, _ body: (Edge) -> Void) -> Int {
    var reader = GazetteerReader(lines, at: offset)
    let corner = reader.number()
    var groups = reader.number()
    var (x, y) = (0, 0)
    while groups > 0 && !reader.isAtEnd && left > 0 {
      (groups, left) = (groups - 1, left - 1)
      let regions = (left: reader.number(), right: reader.number())
      var count = reader.number()
      while count > 0 && !reader.isAtEnd && left > 0 {
        (count, left) = (count - 1, left - 1)
        var corners = reader.number()
        x &+= reader.signed()
        y &+= reader.signed()
        while corners > 1 && !reader.isAtEnd && left > 0 {
          (corners, left) = (corners - 1, left - 1)
          let (fromX, fromY) = (x, y)
          x &+= reader.signed()
          y &+= reader.signed()
          body(
            Edge(
              x1: Double(fromX), y1: Double(fromY), x2: Double(x), y2: Double(y),
              left: regions.left, right: regions.right))
        }
      }
    }
    return corner
  }

  /// The region of a position; 0 is the sea.
  /// - Complexity: O(edges in the cell).
  func region(at position: Coordinate) -> Int {
    var position = position
    // The borders leave out the last tenth of a degree around the South Pole.
    position.latitude = max(position.latitude, -89.5)
    let (row, column) = Self.cell(of: position)
    let offset: Int
    switch cell(row: row, column: column) {
    case .region(let region): return region
    case .lines(let start): offset = start
    }
    let x = (position.longitude + 180 - Double(column)) * Self.quanta
    let y = (position.latitude + 90 - Double(row)) * Self.quanta
    // Half a unit away from the corners of lines, so none lies on the way.
    let edge = -0.5
    var (nearestX, nearestY) = (edge, edge)
    var (acrossX, acrossY): (Int?, Int?)
    var left = lines.count
    let corner = forEachEdge(offset, left: &left) { line in
      if (line.y1 <= y) != (line.y2 <= y) {
        let crossing = line.x1 + (y - line.y1) * (line.x2 - line.x1) / (line.y2 - line.y1)
        if crossing <= x && crossing > nearestX {
          nearestX = crossing
          acrossX = line.y2 > line.y1 ? line.right : line.left
        }
      }
      if (line.x1 <= edge) != (line.x2 <= edge) {
        let crossing = line.y1 + (edge - line.x1) * (line.y2 - line.y1) / (line.x2 - line.x1)
        if crossing <= y && crossing > nearestY {
          nearestY = crossing
          acrossY = line.x2 > line.x1 ? line.left : line.right
        }
      }
    }
    return acrossX ?? acrossY ?? corner
  }

  /// The region with the border nearest to a position at sea, within so many metres.
  ///
  /// On a flat map at the latitude of the position; nil when there is no border within the limit.
  ///
  /// - Complexity: O(edges in the cells within that distance).
  func coast(near position: Coordinate, within limit: Double) -> (region: Int, distance: Double)? {
    let metres = Self.degree / Self.quanta
    let reach = limit / Self.degree
    let cosine = max(cos(position.latitude * .pi / 180), 1e-9)
    var nearest = limit * limit
    var found: Int?
    var left = lines.count
    forEachRow(around: position, reach) { cells in
      for cell in cells { search(cell) }
    }
    func search(_ number: Int) {
      let (row, column) = number.quotientAndRemainder(dividingBy: 360)
      guard case .lines(let offset) = cell(row: row, column: column) else { return }
      let x = Angle.wrapped(position.longitude + 180 - Double(column)) * Self.quanta
      let y = (position.latitude + 90 - Double(row)) * Self.quanta
      _ = forEachEdge(offset, left: &left) { line in
        let region = line.left == 0 ? line.right : line.left
        guard region != 0 else { return }
        let (ax, ay) = ((line.x1 - x) * cosine * metres, (line.y1 - y) * metres)
        let (dx, dy) = ((line.x2 - line.x1) * cosine * metres, (line.y2 - line.y1) * metres)
        let square = dx * dx + dy * dy
        let along = square > 0 ? min(max(-(ax * dx + ay * dy) / square, 0), 1) : 0
        let (px, py) = (ax + along * dx, ay + along * dy)
        if px * px + py * py < nearest {
          nearest = px * px + py * py
          found = region
        }
      }
    }
    return found.map { ($0, nearest.squareRoot()) }
  }

  /// The mean length of a degree of latitude, metres.
  static var degree: Double { 111_195 }

  /// The cell of a position: its row from the South Pole and its column from the antimeridian.
  static func cell(of position: Coordinate) -> (row: Int, column: Int) {
    (min(Int(position.latitude + 90), 179), min(Int(position.longitude + 180), 359))
  }
}

/// Calls `body` with the numbers of all cells of a degree within a distance, in degrees of latitude, in
/// ranges of one row.
@inline(__always)
func forEachRow(around position: Coordinate, _ height: Double, _ body: (Range<Int>) -> Void) {
  let (low, high) = (max(position.latitude - height, -90), min(position.latitude + height, 90))
  let parallel = cos(max(abs(low), abs(high)) * .pi / 180)
  let width = height / max(parallel, 1e-9)
  let west = Int((position.longitude - width + 180).rounded(.down))
  let east = Int((position.longitude + width + 180).rounded(.down))
  for row in Int(low + 90)...min(Int(high + 90), 179) {
    let start = row * 360
    if east - west >= 359 {
      body(start..<(start + 360))
    } else if west < 0 {
      body(start..<(start + east + 1))
      body((start + 360 + west)..<(start + 360))
    } else if east >= 360 {
      body(start..<(start + east - 359))
      body((start + west)..<(start + 360))
    } else {
      body((start + west)..<(start + east + 1))
    }
  }
}
