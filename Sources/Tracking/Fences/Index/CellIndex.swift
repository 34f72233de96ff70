internal import Geodesy

/// The cells that fences meet, while they are collected.
///
/// First every fence is added, which finds its cells; then the entries are written, cell by cell in
/// the order in which the cells were found, so that what is near lies near.
struct CellIndex {
  /// Levels that have cells, as bits.
  private(set) var levels: UInt8 = 0
  private var levelOfFence: [UInt8] = []
  /// Of every fence the numbers of its cells, one fence behind the other.
  private var cellsOfFences: [UInt32] = []
  /// By number: what each cell is called, and how many fences meet it.
  private var keys: [UInt64] = []
  private var counts: [UInt32] = []
  private var hasOthers: [Bool] = []
  private var starts: [Int] = []
  private(set) var entryWords = 0
  /// Numbers of cells plus one, by the hash of their keys; at most half of them are taken.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// A circle meets no more cells than that; a polygon that has many corners may meet more.
  private static var fewCells: Int { 64 }
  private static var cellsPerVertex: Int { 2 }
  private static var manyCells: Int { 65_536 }

  /// Slots of the finished table: three fifths are taken.
  var slotCount: Int { keys.isEmpty ? 0 : keys.count * 5 / 3 + 1 }

  mutating func add(_ fence: Int, _ draft: FenceDraft) {
    let box = draft.boundingBox(fence) ?? .world
    let place = draft.places[fence]
    let level = Self.level(of: place, box, draft)
    levelOfFence.append(UInt8(level))
    levels |= 1 << UInt8(level)
    guard level < CellGrid.worldLevel else {
      add(CellGrid.worldKey, isOther: true)
      return
    }
    let isOther = place.shape != nil
    CellGrid.forEachCell(box, level) { row, column in
      add(CellGrid.key(level, row: row.number, column: column), isOther: isOther)
      return true
    }
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

  private static func cellLimit(_ area: Area) -> Int {
    guard case .polygons(let polygons) = area else { return fewCells }
    let vertices = polygons.reduce(0) { sum, polygon in
      polygon.holes.reduce(sum + polygon.exterior.count) { $0 + $1.count }
    }
    return min(max(fewCells, cellsPerVertex * vertices), manyCells)
  }

  private mutating func add(_ key: UInt64, isOther: Bool) {
    let cell = number(of: key)
    counts[cell] += 1
    if isOther { hasOthers[cell] = true }
    cellsOfFences.append(UInt32(cell))
  }

  private mutating func number(of key: UInt64) -> Int {
    var slot = Hash.slot(Hash.of(key), slots.count)
    while slots[slot] != 0 {
      let cell = Int(slots[slot]) - 1
      if keys[cell] == key { return cell }
      slot = slot + 1 < slots.count ? slot + 1 : 0
    }
    keys.append(key)
    counts.append(0)
    hasOthers.append(false)
    slots[slot] = UInt32(keys.count)
    if keys.count * 2 > slots.count { grow() }
    return keys.count - 1
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (cell, key) in keys.enumerated() {
      var slot = Hash.slot(Hash.of(key), slots.count)
      while slots[slot] != 0 { slot = slot + 1 < slots.count ? slot + 1 : 0 }
      slots[slot] = UInt32(cell + 1)
    }
  }

  /// All fences are added: lays the entries of the cells one behind the other.
  mutating func close() {
    slots = []
    starts.reserveCapacity(counts.count)
    for count in counts {
      starts.append(entryWords)
      entryWords += CellEntries.words(Int(count))
    }
  }

  /// Writes the table of the cells, and the entries.
  func write(
    cells: UnsafeMutableRawBufferPointer, entries: UnsafeMutableRawBufferPointer,
    _ draft: FenceDraft
  ) {
    let others = writeEntries(entries, draft)
    let table = cells.bindMemory(to: CellRecord.self)
    for (cell, key) in keys.enumerated() {
      var slot = Hash.slot(Hash.of(key), table.count)
      while table[slot].key != 0 { slot = slot + 1 < table.count ? slot + 1 : 0 }
      table[slot] = CellRecord(
        key: key, start: starts[cell], count: Int(counts[cell]), isMixed: others[cell])
    }
  }

  /// - Returns: of every cell whether it has entries that are no circles on its map.
  private func writeEntries(
    _ entries: UnsafeMutableRawBufferPointer, _ draft: FenceDraft
  ) -> [Bool] {
    var writer = EntryWriter(
      entries: entries,
      cells: starts.indices.map {
        EntryWriter.Cell(start: starts[$0] * 4, count: Int(counts[$0]), hasOthers: hasOthers[$0])
      })
    var next = 0
    for (fence, level) in levelOfFence.enumerated() {
      let place = draft.places[fence]
      guard level < CellGrid.worldLevel, let box = draft.boundingBox(fence) else {
        writer.write(fence, nil, to: Int(cellsOfFences[next]))
        next += 1
        continue
      }
      CellGrid.forEachCell(box, Int(level)) { row, column in
        let circle = CellCircle(place, row, column, Int(level))
        writer.write(fence, circle, to: Int(cellsOfFences[next]))
        next += 1
        return true
      }
    }
    return writer.cells.map(\.hasOthers)
  }
}

/// Writes the entries of cells, those of each cell in the order in which they come.
private struct EntryWriter {
  struct Cell {
    /// Where the entries begin, bytes.
    let start: Int
    let count: Int
    var filled = 0
    var hasOthers: Bool

    init(start: Int, count: Int, hasOthers: Bool) {
      (self.start, self.count, self.hasOthers) = (start, count, hasOthers)
    }
  }

  let entries: UnsafeMutableRawBufferPointer
  private(set) var cells: [Cell]

  init(entries: UnsafeMutableRawBufferPointer, cells: [Cell]) {
    (self.entries, self.cells) = (entries, cells)
  }

  /// - Parameter circle: nil when the fence is to be asked.
  @inline(__always)
  mutating func write(_ fence: Int, _ circle: CellCircle?, to number: Int) {
    let cell = cells[number]
    cells[number].filled += 1
    if circle == nil { cells[number].hasOthers = true }
    let entry = circle ?? CellCircle(x: 0, y: 0, radius: CellEntries.asks)
    let (start, place, count) = (cell.start, cell.filled, cell.count)
    entries.storeBytes(of: UInt32(fence), toByteOffset: start + 4 * place, as: UInt32.self)
    let columns = start + 4 * count + 2 * place
    entries.storeBytes(of: entry.x, toByteOffset: columns, as: Int16.self)
    entries.storeBytes(of: entry.y, toByteOffset: columns + 2 * count, as: Int16.self)
    entries.storeBytes(of: entry.radius, toByteOffset: columns + 4 * count, as: UInt16.self)
  }
}

/// A circle on the map of a cell.
private struct CellCircle {
  let x, y: Int16
  let radius: UInt16

  init(x: Int16, y: Int16, radius: UInt16) {
    (self.x, self.y, self.radius) = (x, y, radius)
  }

  /// Nil when it is none, or the map is not good enough to tell who is in it.
  init?(_ place: PlaceRecord, _ row: CellGrid.Row, _ column: Int, _ level: Int) {
    let zone = CellZones.shared[level, row.zone]
    let units = place.radius / CellGrid.height(level) * CellZone.unitsPerCell
    guard place.shape == nil, zone.band < .infinity, units <= CellZone.unitsPerCell,
      let (x, y) = CellFrame(row, column: column, level, zone).farPoint(of: place.center)
    else { return nil }
    self.init(x: x, y: y, radius: UInt16(max(0, units.rounded())))
  }
}
