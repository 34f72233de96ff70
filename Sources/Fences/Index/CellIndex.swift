internal import Geodesy

/// The cells that fences meet, while they are collected.
///
/// First every fence is added, which finds its cells; then the entries are written, cell by cell in
/// the order in which the cells were found, so that what is near lies near.
///
/// Call `add` for each fence by its number, `close` once, then `write` into memory of ``slotCount``
/// and ``entryWords``.
struct CellIndex {
  /// Levels that have cells, as bits.
  private(set) var levels: UInt8 = 0
  /// Of every fence the numbers of its cells, one fence behind the other.
  private var cellsOfFences: [UInt32] = []
  /// How many those are.
  private var cellCounts: [UInt32] = []
  /// By number: what each cell is called, how many fences meet it, and where its entries begin.
  private var keys: [UInt64] = []
  private var counts: [UInt32] = []
  private var starts: [Int] = []
  private(set) var entryWords = 0
  private var found: CellSlots

  /// A circle meets no more cells than that; a polygon that has many corners may meet more.
  private static var fewCells: Int { 64 }
  private static var cellsPerVertex: Int { 2 }
  private static var manyCells: Int { 65_536 }

  /// - Parameter count: How many fences are to be added.
  init(count: Int) {
    cellsOfFences.reserveCapacity(4 * count)
    cellCounts.reserveCapacity(count)
    found = CellSlots(count: max(64, count))
  }

  /// Slots of the finished table: three fifths are taken.
  var slotCount: Int { found.cellCount == 0 ? 0 : found.cellCount * 5 / 3 + 1 }

  /// Finds the cells of a fence: all that its box meets on one level.
  ///
  /// - Complexity: O(cells), at most 64 for a circle.
  mutating func add(_ fence: Int, _ draft: FenceDraft) {
    let box = draft.boundingBox(fence) ?? .world
    let level = Self.level(of: draft.places[fence], box, draft)
    levels |= 1 << UInt8(level)
    let before = cellsOfFences.count
    if level < CellGrid.worldLevel {
      CellGrid.forEachCell(box, level) { row, column in
        add(CellGrid.key(level, row: row.number, column: column))
      }
    } else {
      add(CellGrid.worldKey)
    }
    cellCounts.append(UInt32(cellsOfFences.count - before))
  }

  /// The lowest level of which the fence meets few cells.
  private static func level(of place: PlaceRecord, _ box: Box, _ draft: FenceDraft) -> Int {
    let limit = place.shape.map { cellLimit(draft.areas[$0]) } ?? fewCells
    for level in 0..<CellGrid.levelCount {
      // A circle's centre is no more than a cell away from each of them.
      if place.radius <= CellGrid.height(level), CellGrid.cellEstimate(box, level) <= limit {
        return level
      }
    }
    return CellGrid.worldLevel
  }

  /// How many cells a fence may meet: more for one with many corners, up to 65,536.
  private static func cellLimit(_ area: Area) -> Int {
    guard case .polygons(let polygons) = area else { return fewCells }
    let vertices = polygons.reduce(0) { $0 + $1.vertexCount }
    return min(max(fewCells, cellsPerVertex * vertices), manyCells)
  }

  private mutating func add(_ key: UInt64) { cellsOfFences.append(found.count(key)) }

  /// All fences are added: lays the entries of the cells one behind the other.
  mutating func close() {
    (keys, counts) = found.cells()
    starts.reserveCapacity(counts.count)
    for count in counts {
      starts.append(entryWords)
      entryWords += CellEntries.words(Int(count))
    }
  }

  /// Writes the table of the cells, and the entries.
  func write(
    cells: UnsafeMutableRawBufferPointer, entries: UnsafeMutableRawBufferPointer,
    _ places: UnsafeMutableRawBufferPointer
  ) {
    let places = UnsafeBufferPointer(places.bindMemory(to: PlaceRecord.self))
    let words = entries.bindMemory(to: UInt32.self)
    writeNumbers(words)
    let table = cells.bindMemory(to: CellRecord.self)
    for cell in keys.indices {
      let (start, count) = (starts[cell], Int(counts[cell]))
      let isMixed = words.baseAddress.map {
        Self.writeCircles(keys[cell], $0 + start, count, places)
      }
      var slot = Hash.slot(Hash.of(keys[cell]), table.count)
      while table[slot].key != 0 { slot = slot + 1 < table.count ? slot + 1 : 0 }
      table[slot] = CellRecord(
        key: keys[cell], start: start, count: count, isMixed: isMixed ?? false)
    }
  }

  /// Writes the numbers of the fences of every cell, ascending.
  private func writeNumbers(_ words: UnsafeMutableBufferPointer<UInt32>) {
    var next = starts
    next.withUnsafeMutableBufferPointer { next in
      var entry = 0
      for (fence, count) in cellCounts.enumerated() {
        for _ in 0..<count {
          let cell = Int(cellsOfFences[entry])
          words[next[cell]] = UInt32(truncatingIfNeeded: fence)
          next[cell] += 1
          entry += 1
        }
      }
    }
  }

  /// Writes the circles of a cell of which the numbers are written.
  ///
  /// - Returns: whether there are others, or circles that do not fit on the cell's map.
  private static func writeCircles(
    _ key: UInt64, _ words: UnsafeMutablePointer<UInt32>, _ count: Int,
    _ places: UnsafeBufferPointer<PlaceRecord>
  ) -> Bool {
    let columns = CellEntries(UnsafeRawPointer(words), count: count)
    let mapper = CircleMapper(key)
    var isMixed = false
    for place in 0..<count {
      let circle = mapper?.circle(places[Int(columns.fences[place])])
      if circle == nil { isMixed = true }
      columns.write(circle ?? CellCircle(x: 0, y: 0, radius: CellEntries.asks), at: place)
    }
    return isMixed
  }
}
