/// Memory in slots of any size, which are given back and used again for other sizes.
///
/// A slot that is given back joins its free neighbours, so when records grow one after the other, each
/// of them finds room where those before it lay. Nothing moves, so an address stays valid.
///
/// A slot begins with a word of 32 bits: for a used one the length of what is in it, for a free one its
/// units; below them two flags. A free slot also ends with its units, where the slot behind it finds
/// them, and has the addresses of the next and the previous free slot of its kind after the first word.
/// This is the scheme of D. Lea, "A Memory Allocator" (2000), with boundary tags and bins.
///
/// Addresses count units of 16 bytes over all pages, so one Int names a slot. Slots up to a
/// kilobyte come in every multiple of 16 bytes, larger ones in eight sizes to each doubling.
struct SlotPages: Sendable {
  /// Bytes; every slot begins at a multiple of it.
  static let unit = 16
  /// Bytes before what is in a slot.
  static let head = 4
  static let pageSize = 1 << 20
  private static let unitsPerPage = pageSize / unit

  private var pages: [[UInt8]] = []
  /// The first free slot of every kind, or ``none``.
  private var first: [Int] = []
  /// Pages without memory: a record longer than a page had them for itself.
  private var vacant: [Int] = []

  private static let none = -1
  /// Flags in the first word of a slot: it is free; the slot before it on the page is.
  private static let (isFree, followsFree) = (1 as UInt32, 2 as UInt32)
  /// The smallest free slots, which have no room for addresses, only join others.
  private static let fewestListed = 2

  /// Bytes of all pages.
  var capacity: Int { pages.reduce(0) { $0 + $1.count } }

  // MARK: Slots

  /// A slot for so many bytes.
  /// - Complexity: O(1), and O(page) when no free slot is large enough.
  mutating func take(_ length: Int) -> Int {
    let kind = Self.kind(of: Self.units(for: length), roundedUp: true)
    let units = Self.units(of: kind)
    guard units <= Self.unitsPerPage else { return takePage(units, length) }
    let address = firstFree(from: kind) ?? addPage(Self.pageSize)
    let found = Int(head(address) >> 2)
    unlist(address, found)
    if found > units {
      setFree(address + units, found - units)
    } else {
      markNext(address, units, 0)
    }
    setHead(address, UInt32(truncatingIfNeeded: length) << 2)
    return address
  }

  /// Gives back a slot.
  /// - Complexity: O(1).
  mutating func giveBack(_ address: Int) {
    var (start, units) = (address, Self.slotUnits(length(address)))
    guard units <= Self.unitsPerPage else {
      pages[address / Self.unitsPerPage] = []
      vacant.append(address / Self.unitsPerPage)
      return
    }
    if head(start) & Self.followsFree != 0 {
      let before = Int(word(start, -4))
      start -= before
      unlist(start, before)
      units += before
    }
    let next = start + units
    if next % Self.unitsPerPage != 0, head(next) & Self.isFree != 0 {
      let behind = Int(head(next) >> 2)
      unlist(next, behind)
      units += behind
    }
    setFree(start, units)
    markNext(start, units, Self.followsFree)
  }

  /// The length of what is in a used slot.
  func length(_ address: Int) -> Int { Int(head(address) >> 2) }

  /// Whether a record of this length can lie in the slot.
  func fits(_ length: Int, _ address: Int) -> Bool {
    Self.slotUnits(length) == Self.slotUnits(self.length(address))
  }

  /// Puts bytes into a slot in which they fit.
  mutating func write(_ record: ArraySlice<UInt8>, at address: Int) {
    setHead(
      address, UInt32(truncatingIfNeeded: record.count) << 2 | head(address) & Self.followsFree)
    let (page, offset) = Self.location(address)
    pages[page].withUnsafeMutableBytes { bytes in
      record.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + Self.head)...]).copyMemory(from: $0)
      }
    }
  }

  /// Calls `body` with what is in a used slot.
  func withBytes<Result>(
    _ address: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let (page, offset) = Self.location(address)
    let start = offset + Self.head
    return pages[page].withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<start + length(address)]))
    }
  }

  // MARK: Pages

  /// A page of free slots; its address.
  private mutating func addPage(_ size: Int) -> Int {
    let address = newPage(size)
    setFree(address, Self.unitsPerPage)
    return address
  }

  /// A page that one slot has for itself.
  private mutating func takePage(_ units: Int, _ length: Int) -> Int {
    let address = newPage(units * Self.unit)
    setHead(address, UInt32(truncatingIfNeeded: length) << 2)
    return address
  }

  /// A page without slots, in the place of a vacant one if there is any; its address.
  private mutating func newPage(_ size: Int) -> Int {
    let memory = [UInt8](repeating: 0, count: size)
    if let page = vacant.popLast() {
      pages[page] = memory
      return page * Self.unitsPerPage
    }
    pages.append(memory)
    return (pages.count - 1) * Self.unitsPerPage
  }

  private static func location(_ address: Int) -> (page: Int, offset: Int) {
    (address / unitsPerPage, address % unitsPerPage * unit)
  }

  // MARK: Free slots

  /// The first free slot of this kind, or of the next larger one that has any.
  private func firstFree(from kind: Int) -> Int? {
    guard kind < first.count else { return nil }
    return first[kind...].first { $0 != Self.none }
  }

  /// Makes a free slot, which follows a used one, and lists it.
  private mutating func setFree(_ address: Int, _ units: Int) {
    let size = UInt32(truncatingIfNeeded: units)
    setHead(address, size << 2 | Self.isFree)
    setWord(address + units, -4, size)
    guard units >= Self.fewestListed else { return }
    let kind = Self.kind(of: units, roundedUp: false)
    while first.count <= kind { first.append(Self.none) }
    let next = first[kind]
    setLink(address, .next, next)
    setLink(address, .previous, Self.none)
    if next != Self.none { setLink(next, .previous, address) }
    first[kind] = address
  }

  /// Takes a free slot off its list.
  private mutating func unlist(_ address: Int, _ units: Int) {
    guard units >= Self.fewestListed else { return }
    let (next, previous) = (link(address, .next), link(address, .previous))
    if next != Self.none { setLink(next, .previous, previous) }
    if previous != Self.none {
      setLink(previous, .next, next)
    } else {
      first[Self.kind(of: units, roundedUp: false)] = next
    }
  }

  /// Writes into the slot behind one, if there is any on the page, whether that is free.
  private mutating func markNext(_ address: Int, _ units: Int, _ flag: UInt32) {
    let next = address + units
    guard next % Self.unitsPerPage != 0 else { return }
    setHead(next, head(next) & ~Self.followsFree | flag)
  }

  // MARK: Words

  private func head(_ address: Int) -> UInt32 { word(address, 0) }
  private mutating func setHead(_ address: Int, _ head: UInt32) { setWord(address, 0, head) }

  /// The word so many bytes from an address, which may be the end of the page.
  private func word(_ address: Int, _ distance: Int) -> UInt32 {
    let (page, offset) = Self.location(address, distance)
    return pages[page].withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }

  private mutating func setWord(_ address: Int, _ distance: Int, _ word: UInt32) {
    let (page, offset) = Self.location(address, distance)
    pages[page].withUnsafeMutableBytes {
      $0.storeBytes(of: word, toByteOffset: offset, as: UInt32.self)
    }
  }

  private static func location(_ address: Int, _ distance: Int) -> (page: Int, offset: Int) {
    // Of the end of a page the page itself: nothing is before the start of one.
    let (page, offset) = location(distance < 0 ? address - 1 : address)
    return (page, distance < 0 ? offset + unit + distance : offset + distance)
  }

  /// Where a free slot has the addresses of its list, bytes from its start.
  private enum Link: Int { case next = 4, previous = 12 }

  private func link(_ address: Int, _ link: Link) -> Int {
    let (page, offset) = Self.location(address)
    return pages[page].withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: offset + link.rawValue, as: Int.self)
    }
  }

  private mutating func setLink(_ address: Int, _ link: Link, _ other: Int) {
    let (page, offset) = Self.location(address)
    pages[page].withUnsafeMutableBytes {
      $0.storeBytes(of: other, toByteOffset: offset + link.rawValue, as: Int.self)
    }
  }

  // MARK: Sizes

  /// The units that a record needs with the word before it.
  private static func units(for length: Int) -> Int { (length + head + unit - 1) / unit }

  /// The units of a slot for so many bytes.
  private static func slotUnits(_ length: Int) -> Int {
    units(of: kind(of: units(for: length), roundedUp: true))
  }

  /// Kinds up to a kilobyte by units; then eight to each doubling.
  private static func kind(of units: Int, roundedUp: Bool) -> Int {
    guard units > 64 else { return units }
    let shift = Int.bitWidth - units.leadingZeroBitCount - 4
    let steps = (units + (roundedUp ? (1 << shift) - 1 : 0)) >> shift
    return 64 + (shift - 3) * 8 + steps - 8
  }

  /// The units of a slot of a kind: the inverse of `kind(of:roundedUp:)`.
  private static func units(of kind: Int) -> Int {
    guard kind > 64 else { return kind }
    let (shift, step) = ((kind - 64) / 8 + 3, (kind - 64) % 8 + 8)
    return step << shift
  }
}
