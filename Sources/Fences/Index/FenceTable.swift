internal import Geodesy

/// Fences as columns, and the index by which they are found: one piece of memory that nobody
/// changes, as a builder made it or a file holds it.
///
/// Nothing is read that lies beyond the part it belongs to, whatever the bytes are.
final class FenceTable: @unchecked Sendable {
  // Unchecked: the pointers lead into memory that `owner` keeps and that nobody changes.
  let bytes: UnsafeRawBufferPointer
  private let owner: any AnyObject & Sendable
  /// Where each part lies in ``bytes``.
  let layout: FenceLayout
  /// The levels of cells that have any, as bits.
  let levels: UInt8

  /// By fence, as the next two.
  let places: UnsafeBufferPointer<PlaceRecord>
  /// Of circles: degrees of longitude that they reach from their centre, rounded up.
  let reaches: UnsafeBufferPointer<Float>
  let settingsOfFences: UnsafeBufferPointer<UInt32>
  let settings: UnsafeBufferPointer<FenceSettings>
  /// Where the name of each fence ends in ``ids``.
  let idEnds: UnsafeBufferPointer<UInt32>
  let ids: UnsafeBufferPointer<UInt8>
  /// Numbers of fences plus one by the hash of their names; 0 where there is none.
  let idSlots: UnsafeBufferPointer<UInt32>
  /// The hash table of cells, by their keys.
  let cells: UnsafeBufferPointer<CellRecord>
  /// The entries of all cells, in words of 4 bytes.
  let entries: UnsafeBufferPointer<UInt32>
  private let shapes: LazyShapes

  init(
    _ bytes: UnsafeRawBufferPointer, _ layout: FenceLayout, owner: any AnyObject & Sendable
  ) {
    self.bytes = bytes
    self.layout = layout
    levels = layout.levels
    self.owner = owner
    func part<T>(_ section: FenceSection, _ type: T.Type) -> UnsafeBufferPointer<T> {
      UnsafeRawBufferPointer(rebasing: bytes[layout[section]]).assumingMemoryBound(to: T.self)
    }
    places = part(.places, PlaceRecord.self)
    reaches = part(.reaches, Float.self)
    settingsOfFences = part(.settingsOfFences, UInt32.self)
    settings = part(.settings, FenceSettings.self)
    idEnds = part(.idEnds, UInt32.self)
    ids = part(.ids, UInt8.self)
    idSlots = part(.idSlots, UInt32.self)
    cells = part(.cells, CellRecord.self)
    entries = part(.entries, UInt32.self)
    shapes = LazyShapes(
      ShapeReader(
        shapeEnds: part(.shapes, UInt32.self), polygonEnds: part(.polygons, UInt32.self),
        ringEnds: part(.rings, UInt32.self), points: part(.points, Coordinate.self),
        owner: owner))
  }

  var count: Int { layout.count }

  /// - Precondition: the index is one of a fence.
  /// - Complexity: O(1); a polygon is prepared at its first use.
  func area(_ index: Int) -> Area {
    let place = places[index]
    guard let shape = place.shape else {
      return .circle(
        Circle(
          center: place.center, radius: place.radius, longitudeReach: Double(reaches[index])))
    }
    return shapes.area(shape)
  }

  /// Whether a fence has the area of one in another table: the same circle, or the same vertices.
  func hasSameArea(_ index: Int, as other: Int, of table: FenceTable) -> Bool {
    let (a, b) = (places[index], table.places[other])
    guard a.shape == nil, b.shape == nil else { return area(index) == table.area(other) }
    return a.center == b.center && a.radius == b.radius
  }

  /// Whether a fence's box meets `box`.
  func isNear(_ index: Int, _ box: Box) -> Bool { self.box(index)?.intersects(box) ?? false }

  /// A box that contains a fence; nil for one without polygons.
  func box(_ index: Int) -> Box? {
    let place = places[index]
    if let shape = place.shape { return shapes.box(shape) }
    return Circle.boundingBox(
      center: place.center, radius: place.radius, longitudeReach: Double(reaches[index]))
  }

  /// The settings of a fence; the usual ones where a damaged file has a wrong number.
  func settings(_ index: Int) -> FenceSettings {
    let number = Int(settingsOfFences[index])
    return number < settings.count ? settings[number] : .usual
  }

  /// The bytes of a fence's name.
  func name(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = index == 0 ? 0 : Int(idEnds[index - 1])
    let end = Int(idEnds[index])
    guard start <= end, end <= ids.count else { return UnsafeBufferPointer(rebasing: ids[0..<0]) }
    return UnsafeBufferPointer(rebasing: ids[start..<end])
  }

  func id(_ index: Int) -> String { String(decoding: name(index), as: UTF8.self) }

  func index(ofID id: String) -> Int? {
    var id = id
    return id.withUTF8 { index(ofName: $0) }
  }

  /// The fence whose name has these bytes.
  ///
  /// Nil when there is none.
  ///
  /// - Complexity: O(length) on average. A damaged table is searched once round.
  func index(ofName wanted: UnsafeBufferPointer<UInt8>) -> Int? {
    var slot = Hash.slot(Hash.of(wanted), idSlots.count)
    for _ in idSlots.indices {
      guard let index = fence(inSlot: slot) else { return nil }
      if name(index).elementsEqual(wanted) { return index }
      slot = slot + 1 < idSlots.count ? slot + 1 : 0
    }
    return nil
  }

  private func fence(inSlot slot: Int) -> Int? {
    let number = Int(idSlots[slot])
    return number > 0 && number <= count ? number - 1 : nil
  }

  /// The entries of a cell; nil when no fence meets it.
  @inline(__always)
  func entries(_ key: UInt64) -> (entries: CellEntries, isMixed: Bool)? {
    let slots = cells.count
    guard slots > 0 else { return nil }
    var slot = Hash.slot(Hash.of(key), slots)
    // A table that is full of other keys is damaged; it ends the search all the same.
    for _ in 0..<slots {
      let cell = cells[slot]
      if cell.key == key { return entries(cell) }
      guard cell.key != 0 else { return nil }
      slot = slot + 1 < slots ? slot + 1 : 0
    }
    return nil
  }

  @inline(__always)
  private func entries(_ cell: CellRecord) -> (entries: CellEntries, isMixed: Bool)? {
    let (start, count) = (Int(cell.start), cell.count)
    guard let base = entries.baseAddress,
      start + CellEntries.words(count) + CellEntries.spareWords <= entries.count
    else { return nil }
    return (CellEntries(UnsafeRawPointer(base + start), count: count), cell.isMixed)
  }
}

/// The hash functions of the table: the same on every machine, as files hold what they give.
enum Hash {
  @inline(__always)
  static func of(_ key: UInt64) -> UInt64 {
    let mixed = (key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 29
  }

  /// FNV-1a, 64 bits, mixed once more.
  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    of(bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  /// The place of a hash among so many, by its upper bits.
  @inline(__always)
  static func slot(_ hash: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high)
  }
}
