public import Geodesy

extension FenceSet {
  /// Calls `body` with the index of every fence whose box meets `box`, in ascending order.
  ///
  /// Every fence that shares a place with `box` is among them.
  /// - Complexity: O(cells of the box + fences in them), at most O(n).
  @inline(__always)
  package func forEachFence(near box: Box, _ body: (Int) -> Void) {
    FoundFences.collect({ table.search(near: box, &$0) }) { found in
      for fence in found.finished(table) { body(Int(fence)) }
    }
  }

  /// Calls `body` with the index of every fence that `place` is in, in ascending order.
  ///
  /// The edge belongs to the fence. The result is that of `Area.contains(_:)` for every fence: exact to
  /// the geodesic for circles.
  /// - Parameters:
  ///   - place: any numbers; an invalid position is in no fence.
  ///   - body: called with an index.
  /// - Complexity: O(1) and the fences that meet the cell of some 500 m; those whose edge is
  ///   nearer than centimetres, polygons and circles larger than that are tested one by one.
  public func forEachFence(containing place: Coordinate, _ body: (Int) -> Void) {
    var safeRegion = SafeRegion.none
    FoundFences.collect({ table.search(at: place, &$0, &safeRegion) }) { found in
      for fence in found.finished(table) { body(Int(fence)) }
    }
  }
}

extension FenceTable {
  /// So many cells are looked at before all fences are, if there are not more fences.
  private static var fewCells: Int { 16 }

  /// Adds the fences whose box meets `box`, some of them twice.
  func search(near box: Box, _ found: inout FoundFences) {
    guard box.south >= -90, box.north <= 90, abs(box.west) <= 180, abs(box.east) <= 180 else {
      return
    }
    guard cellCount(box) <= max(Self.fewCells, count) else {
      for index in 0..<count where isNear(index, box) { found.append(UInt32(index)) }
      return
    }
    forEachLevel { level in
      CellGrid.forEachCell(box, level) { row, column in
        search(in: CellGrid.key(level, row: row.number, column: column), near: box, &found)
      }
    }
    if hasWorldFences { search(in: CellGrid.worldKey, near: box, &found) }
  }

  /// Adds the fences of one cell whose box meets `box`.
  private func search(in key: UInt64, near box: Box, _ found: inout FoundFences) {
    guard let (entries, _) = entries(key) else { return }
    for place in 0..<entries.count {
      let fence = entries.fences[place]
      if fence < count && isNear(Int(fence), box) { found.append(fence) }
    }
  }

  /// Whether some fence is too large for every level.
  var hasWorldFences: Bool { levels >> UInt8(CellGrid.worldLevel) & 1 != 0 }

  /// Calls `body` with every level of cells that has fences.
  @inline(__always)
  func forEachLevel(_ body: (Int) -> Void) {
    var rest = levels & (1 << UInt8(CellGrid.levelCount) - 1)
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }

  /// How many cells a box meets on all levels, roughly.
  private func cellCount(_ box: Box) -> Int {
    var sum = 0
    forEachLevel { sum += CellGrid.cellEstimate(box, $0) }
    return sum
  }
}
