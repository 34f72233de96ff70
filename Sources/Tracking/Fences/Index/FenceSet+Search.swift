public import Geodesy

extension FenceSet {
  /// Calls `body` with the index of every fence whose box meets `box`, in ascending order.
  ///
  /// Every fence that shares a place with `box` is among them.
  /// - Complexity: O(cells of the box + fences in them), at most O(n).
  @inline(__always)
  func forEachFence(near box: Box, _ body: (Int) -> Void) {
    withFences({ table.collect(near: box, $0) }) { for fence in $0 { body(Int(fence)) } }
  }

  /// Calls `body` with the index of every fence that `place` is in, in ascending order.
  ///
  /// The edge belongs to the fence. It is what ``Area/contains(_:)`` says of every fence: the answer is
  /// the exact geodesic's for circles.
  /// - Parameter place: any numbers; one that is no place is in no fence.
  /// - Complexity: O(1) and the fences that meet the cell of some 500 m; those whose edge is
  ///   nearer than centimetres, polygons and circles larger than that are asked one by one.
  public func forEachFence(containing place: Coordinate, _ body: (Int) -> Void) {
    withFences(containing: place) { for fence in $0 { body(Int(fence)) } }
  }

  /// Calls `body` once, with the numbers of the fences that `place` is in, ascending.
  @inline(__always)
  func withFences(
    containing place: Coordinate, _ body: (UnsafeBufferPointer<UInt32>) -> Void
  ) {
    withFences({ table.collect(containing: place, $0) }, body)
  }

  /// Collects numbers on the stack, or where there is more room when they are many.
  @inline(__always)
  private func withFences(
    _ collect: (UnsafeMutableBufferPointer<UInt32>) -> Int,
    _ body: (UnsafeBufferPointer<UInt32>) -> Void
  ) {
    let wanted = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: FenceTable.fewFences) {
      let count = collect($0)
      if count <= $0.count { body(UnsafeBufferPointer(rebasing: $0[0..<count])) }
      return count
    }
    guard wanted > FenceTable.fewFences else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: wanted) {
      body(UnsafeBufferPointer(rebasing: $0[0..<collect($0)]))
    }
  }
}

extension FenceTable {
  /// As many fences as are looked for on the stack.
  static var fewFences: Int { 128 }
  /// So many cells are looked at before all fences are, if there are not more fences.
  private static var fewCells: Int { 16 }

  /// Writes the numbers of the fences whose box meets `box`, ascending.
  ///
  /// - Returns: how many there are; when it is more than there is room, all is to be done again with
  ///   so much.
  func collect(near box: Box, _ room: UnsafeMutableBufferPointer<UInt32>) -> Int {
    guard box.south >= -90, box.north <= 90, abs(box.west) <= 180, abs(box.east) <= 180 else {
      return 0
    }
    var found = FoundFences(room)
    guard cellCount(box) <= max(Self.fewCells, count) else {
      for index in 0..<count where isNear(index, box) { found.append(UInt32(index)) }
      return found.count
    }
    forEachLevel { level in
      CellGrid.forEachCell(box, level) { row, column in
        collect(CellGrid.key(level, row: row.number, column: column), near: box, &found)
        return true
      }
    }
    if hasWorldFences { collect(CellGrid.worldKey, near: box, &found) }
    return found.finish()
  }

  private func collect(_ key: UInt64, near box: Box, _ found: inout FoundFences) {
    guard let (entries, _) = entries(key) else { return }
    for place in 0..<entries.count {
      let fence = entries.fences[place]
      if fence < count && isNear(Int(fence), box) { found.append(fence) }
    }
  }

  /// Writes the numbers of the fences that hold `place`, ascending.
  ///
  /// - Returns: as ``collect(near:_:)``.
  func collect(containing place: Coordinate, _ room: UnsafeMutableBufferPointer<UInt32>) -> Int {
    guard place.isValid else { return 0 }
    var found = FoundFences(room)
    forEachLevel { collect($0, containing: place, &found) }
    if hasWorldFences, let (entries, _) = entries(CellGrid.worldKey) {
      askAll(entries, place, &found)
    }
    return found.finish()
  }

  @inline(__always)
  private func collect(_ level: Int, containing place: Coordinate, _ found: inout FoundFences) {
    let row = CellGrid.row(place.latitude, level)
    let zone = CellZones.shared[level, row.zone]
    // A pole has every longitude; the antimeridian is the western edge of the first column.
    let isPole = abs(place.latitude) == 90
    let longitude = place.longitude < 180 ? place.longitude : -180
    let column = isPole ? 0 : CellGrid.column(longitude, zone)
    guard
      let (entries, isMixed) = entries(CellGrid.key(level, row: row.number, column: column))
    else { return }
    guard !isPole, zone.band != CellZone.unusable else {
      askAll(entries, place, &found)
      return
    }
    let point = CellFrame(row, column: column, level, zone).point(
      latitude: place.latitude, longitude: longitude)
    if isMixed {
      collectMixed(entries, place, point.x, point.y, zone.band, &found)
    } else {
      collectCircles(entries, place, point.x, point.y, zone.band, &found)
    }
  }

  @inline(__always)
  private func collectCircles(
    _ entries: CellEntries, _ place: Coordinate, _ x: Int32, _ y: Int32, _ band: Int32,
    _ found: inout FoundFences
  ) {
    for index in 0..<entries.count { judge(index, entries, place, x, y, band, &found) }
  }

  @inline(never)
  private func collectMixed(
    _ entries: CellEntries, _ place: Coordinate, _ x: Int32, _ y: Int32, _ band: Int32,
    _ found: inout FoundFences
  ) {
    for index in 0..<entries.count {
      if entries.radii[index] == CellEntries.asks {
        ask(entries.fences[index], place, &found)
      } else {
        judge(index, entries, place, x, y, band, &found)
      }
    }
  }

  /// Judges a circle on the map of the cell; one whose edge is as near as the map may be wrong is
  /// asked itself.
  @inline(__always)
  private func judge(
    _ index: Int, _ entries: CellEntries, _ place: Coordinate, _ x: Int32, _ y: Int32,
    _ band: Int32, _ found: inout FoundFences
  ) {
    let (dx, dy) = (Int32(entries.xs[index]) &- x, Int32(entries.ys[index]) &- y)
    let square = UInt32(bitPattern: dx &* dx) &+ UInt32(bitPattern: dy &* dy)
    let radius = Int32(entries.radii[index])
    let outer = radius &+ band
    guard square <= UInt32(bitPattern: outer &* outer) else { return }
    let inner = max(radius &- band, 0)
    if square < UInt32(bitPattern: inner &* inner) {
      let fence = entries.fences[index]
      if fence < count { found.append(fence) }
    } else {
      ask(entries.fences[index], place, &found)
    }
  }

  private func askAll(_ entries: CellEntries, _ place: Coordinate, _ found: inout FoundFences) {
    for index in 0..<entries.count { ask(entries.fences[index], place, &found) }
  }

  @inline(never)
  private func ask(_ fence: UInt32, _ place: Coordinate, _ found: inout FoundFences) {
    if fence < count && area(Int(fence)).contains(place) { found.append(fence) }
  }

  var hasWorldFences: Bool { layout.levels >> UInt8(CellGrid.worldLevel) & 1 != 0 }

  /// Calls `body` with every level of cells that has fences.
  @inline(__always)
  private func forEachLevel(_ body: (Int) -> Void) {
    for level in 0..<CellGrid.levelCount where layout.levels >> UInt8(level) & 1 != 0 {
      body(level)
    }
  }

  /// How many cells a box meets on all levels, roughly.
  private func cellCount(_ box: Box) -> Int {
    var sum = 0
    forEachLevel { sum += CellGrid.cellEstimate(box, $0) }
    return sum
  }
}

/// Numbers of fences as they are found.
struct FoundFences {
  private let room: UnsafeMutableBufferPointer<UInt32>
  /// How many were found, with those for which there was no room.
  private(set) var count = 0
  private var isAscending = true

  init(_ room: UnsafeMutableBufferPointer<UInt32>) { self.room = room }

  @inline(__always)
  mutating func append(_ fence: UInt32) {
    if count < room.count {
      if count > 0 && room[count - 1] >= fence { isAscending = false }
      room[count] = fence
    }
    count += 1
  }

  /// Sorts them and drops those found twice.
  ///
  /// - Returns: how many there are.
  mutating func finish() -> Int {
    guard !isAscending, count <= room.count else { return count }
    var found = UnsafeMutableBufferPointer(rebasing: room[0..<count])
    found.sort()
    var kept = 1
    for place in 1..<count where found[place] != found[kept - 1] {
      found[kept] = found[place]
      kept += 1
    }
    return kept
  }
}
