internal import Geodesy

extension FenceSet {
  /// Takes fences one by one and makes a set of them.
  ///
  /// For many fences that come one after the other, as from a file: it keeps no `Fence`. A fence
  /// that is refused changes nothing, and the next one may be added.
  public struct Builder: Sendable {
    private var places: [PlaceRecord] = []
    private var reaches: [Float] = []
    private var settingsOfFences: [UInt32] = []
    private var settings: [FenceSettings] = []
    private var numbers: [FenceSettings: UInt32] = [:]
    private var idEnds: [UInt32] = []
    private var ids: [UInt8] = []
    private var areas: [Area] = []
    private var shapes = ShapeColumns()

    /// Makes a builder without fences.
    public init() {}

    /// The number of fences so far.
    public var count: Int { places.count }

    /// Adds a fence.
    ///
    /// - Throws: ``FenceSetError/emptyArea(_:)`` when it has no area, ``FenceSetError/noCircle(_:)``
    ///   when it is a circle with an invalid centre or a radius that is not a number,
    ///   ``FenceSetError/tooLarge`` when there are too many.
    public mutating func append(_ fence: Fence) throws(FenceSetError) {
      guard places.count < FenceSet.greatestCount,
        ids.count + fence.id.utf8.count <= FenceSet.greatestLength,
        shapes.points.count < FenceSet.greatestCount
      else { throw .tooLarge }
      switch fence.area {
      case .circle(var circle):
        guard circle.center.isValid, !circle.radius.isNaN else { throw .noCircle(fence.id) }
        // It contains nothing, however far below 0 its radius is; such are the records of polygons.
        if circle.radius <= 0 { circle = Circle(center: circle.center, radius: 0) }
        places.append(PlaceRecord(circle))
        reaches.append(Self.roundedUp(circle.longitudeReach))
      case .polygons(let polygons):
        guard !polygons.isEmpty else { throw .emptyArea(fence.id) }
        places.append(PlaceRecord(shape: areas.count))
        reaches.append(0)
        areas.append(fence.area)
        shapes.append(polygons)
      }
      ids.append(contentsOf: fence.id.utf8)
      idEnds.append(UInt32(ids.count))
      settingsOfFences.append(number(of: FenceSettings(fence)))
    }

    /// The place of settings in their list; equal ones are kept once.
    private mutating func number(of entry: FenceSettings) -> UInt32 {
      // Most often it is that of the fence before.
      if let last = settingsOfFences.last, settings[Int(last)] == entry { return last }
      if let number = numbers[entry] { return number }
      let number = UInt32(settings.count)
      settings.append(entry)
      numbers[entry] = number
      return number
    }

    /// No number of degrees becomes smaller.
    private static func roundedUp(_ degrees: Double) -> Float {
      let float = Float(degrees)
      return Double(float) < degrees ? float.nextUp : float
    }

    /// Makes the set.
    ///
    /// - Throws: ``FenceSetError/duplicateID(_:)`` when two fences have the same id,
    ///   ``FenceSetError/tooLarge`` when they meet too many cells.
    /// - Complexity: O(n), about a microsecond for a circle.
    public consuming func build() throws(FenceSetError) -> FenceSet {
      let index = index
      guard index.entryWords <= UInt32.max else { throw .tooLarge }
      let (table, slots) = table(index)
      try table.writeIDs(slots)
      return FenceSet(table: table)
    }

    /// The table of no fences.
    static var emptyTable: FenceTable {
      let none = Builder()
      return none.table(none.index).table
    }

    private var index: CellIndex {
      let draft = FenceDraft(places: places, reaches: reaches, areas: areas)
      var index = CellIndex(count: places.count)
      for fence in places.indices { index.add(fence, draft) }
      index.close()
      return index
    }

    /// The table, and the slots in which its ids are still to be written.
    private func table(
      _ index: CellIndex
    ) -> (table: FenceTable, idSlots: UnsafeMutableBufferPointer<UInt32>) {
      let slotCount = places.count + places.count / 2
      let layout = FenceLayout(count: places.count, levels: index.levels) { section in
        switch section {
        case .places: places.count * MemoryLayout<PlaceRecord>.stride
        case .reaches: reaches.count * 4
        case .settingsOfFences: settingsOfFences.count * 4
        case .settings: settings.count * MemoryLayout<FenceSettings>.stride
        case .idEnds: idEnds.count * 4
        case .ids: ids.count
        case .idSlots: slotCount * 4
        case .cells: index.slotCount * MemoryLayout<CellRecord>.stride
        case .entries: (index.entryWords + CellEntries.spareWords) * 4
        case .shapes: shapes.shapeEnds.count * 4
        case .polygons: shapes.polygonEnds.count * 4
        case .rings: shapes.ringEnds.count * 4
        case .points: shapes.points.count * MemoryLayout<Coordinate>.stride
        }
      }
      let memory = FenceMemory(size: layout.size)
      func part(_ section: FenceSection) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: memory.bytes[layout[section]])
      }
      func copy<T>(_ values: [T], to section: FenceSection) {
        values.withUnsafeBytes { part(section).copyMemory(from: $0) }
      }
      copy(places, to: .places)
      copy(reaches, to: .reaches)
      copy(settingsOfFences, to: .settingsOfFences)
      copy(settings, to: .settings)
      copy(idEnds, to: .idEnds)
      copy(ids, to: .ids)
      copy(shapes.shapeEnds, to: .shapes)
      copy(shapes.polygonEnds, to: .polygons)
      copy(shapes.ringEnds, to: .rings)
      copy(shapes.points, to: .points)
      index.write(cells: part(.cells), entries: part(.entries), part(.places))
      let table = FenceTable(UnsafeRawBufferPointer(memory.bytes), layout, owner: memory)
      return (table, part(.idSlots).bindMemory(to: UInt32.self))
    }
  }

  /// The most fences of a set.
  static var greatestCount: Int { 1 << 30 }
  /// The most bytes that the names of a set may have together.
  static var greatestLength: Int { Int(UInt32.max) }
}

/// The fences that an index is made of.
struct FenceDraft {
  let places: [PlaceRecord]
  let reaches: [Float]
  let areas: [Area]

  func boundingBox(_ index: Int) -> Box? {
    let place = places[index]
    if let shape = place.shape { return areas[shape].boundingBox }
    return Circle.boundingBox(
      center: place.center, radius: place.radius, longitudeReach: Double(reaches[index]))
  }
}

extension FenceTable {
  /// Fills the hash table of names: once, before the first lookup.
  fileprivate func writeIDs(
    _ slots: UnsafeMutableBufferPointer<UInt32>
  ) throws(FenceSetError) {
    for index in 0..<count {
      let name = name(index)
      var slot = Hash.slot(Hash.of(name), slots.count)
      while slots[slot] != 0 {
        guard !self.name(Int(slots[slot]) - 1).elementsEqual(name) else {
          throw .duplicateID(id(index))
        }
        slot = slot + 1 < slots.count ? slot + 1 : 0
      }
      slots[slot] = UInt32(index + 1)
    }
  }
}
