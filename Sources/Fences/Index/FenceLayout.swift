/// The parts of a table of fences, in the order in which they lie in memory.
///
/// Places, reaches, settings and the ends of ids have an entry for each fence. The cells and their
/// entries are the index; the last four are the polygons (``ShapeColumns``). Files have them in
/// this order: a new one changes the version.
enum FenceSection: Int, CaseIterable {
  case places, reaches, settingsOfFences, settings, idEnds, ids, idSlots, cells, entries
  case shapes, polygons, rings, points
}

/// Where the parts of a table of fences lie.
struct FenceLayout {
  /// Every part begins at a multiple of so many bytes.
  static var alignment: Int { 64 }
  /// Bytes before the first part.
  static var headerSize: Int { 320 }

  /// The number of fences.
  let count: Int
  /// The levels of cells that have any, as bits.
  let levels: UInt8
  /// Of each part, in bytes from the beginning.
  let ranges: [Range<Int>]

  /// Lays parts of the given sizes one behind the other.
  init(count: Int, levels: UInt8, sizes: (FenceSection) -> Int) {
    self.count = count
    self.levels = levels
    var end = Self.headerSize
    ranges = FenceSection.allCases.map { section in
      let start = (end + Self.alignment - 1) / Self.alignment * Self.alignment
      end = start + sizes(section)
      return start..<end
    }
  }

  /// Lays parts where they are found.
  init(count: Int, levels: UInt8, ranges: [Range<Int>]) {
    (self.count, self.levels, self.ranges) = (count, levels, ranges)
  }

  /// Bytes on the whole.
  var size: Int { ranges.last?.upperBound ?? Self.headerSize }
  subscript(section: FenceSection) -> Range<Int> { ranges[section.rawValue] }
}
