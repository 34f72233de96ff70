/// Counts how often cells are met, and gives them numbers in the order in which they are first met.
struct CellSlots {
  /// A key, 0 in a free slot, the number that the cell has, and how often it was met.
  private struct Slot {
    var key: UInt64
    var cell, count: UInt32
  }

  /// How many cells there are.
  private(set) var cellCount = 0
  /// Cells by the hash of their keys; at most half of the slots are taken.
  private var memory: FenceMemory

  /// - Parameter count: Slots at first; they double when half of them are taken.
  init(count: Int) { memory = FenceMemory(size: count * MemoryLayout<Slot>.stride) }

  private var slots: UnsafeMutableBufferPointer<Slot> {
    memory.bytes.assumingMemoryBound(to: Slot.self)
  }

  /// Counts a cell; returns its number.
  @inline(__always)
  mutating func count(_ key: UInt64) -> UInt32 {
    let slots = slots
    let slot = Self.slot(of: key, slots)
    if slots[slot].key == key {
      slots[slot].count += 1
      return slots[slot].cell
    }
    let cell = UInt32(truncatingIfNeeded: cellCount)
    slots[slot] = Slot(key: key, cell: cell, count: 1)
    cellCount += 1
    if cellCount * 2 > slots.count { grow() }
    return cell
  }

  /// Where a cell is, or where there is room for it.
  @inline(__always)
  private static func slot(of key: UInt64, _ slots: UnsafeMutableBufferPointer<Slot>) -> Int {
    var slot = Hash.slot(Hash.of(key), slots.count)
    while slots[slot].key != 0, slots[slot].key != key {
      slot = slot + 1 < slots.count ? slot + 1 : 0
    }
    return slot
  }

  @inline(never)
  private mutating func grow() {
    let old = memory
    memory = FenceMemory(size: 2 * old.bytes.count)
    for slot in old.bytes.assumingMemoryBound(to: Slot.self) where slot.key != 0 {
      slots[Self.slot(of: slot.key, slots)] = slot
    }
  }

  /// The keys of all cells by their numbers, and how often they were met.
  func cells() -> (keys: [UInt64], counts: [UInt32]) {
    var keys = [UInt64](repeating: 0, count: cellCount)
    var counts = [UInt32](repeating: 0, count: cellCount)
    for slot in slots where slot.key != 0 {
      keys[Int(slot.cell)] = slot.key
      counts[Int(slot.cell)] = slot.count
    }
    return (keys, counts)
  }
}
