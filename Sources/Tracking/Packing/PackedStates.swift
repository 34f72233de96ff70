internal import Packing

/// Packed states of many devices in few large pieces of memory.
///
/// A record lies in a slot of its size rounded up; free slots are reused by records of the same size.
struct PackedStates: Sendable {
  /// Where a record lies.
  struct Place: Sendable, Hashable {
    /// In units of ``PackedStates/unit``, pages of a fixed size one after the other.
    var address: Int
  }

  private var pages: [[UInt8]] = []
  /// How much of the last page is in use.
  private var used = pageSize
  /// Free slots by size class.
  private var free: [[Int]] = []

  /// Bytes; every record begins at a multiple of it.
  private static let unit = 16
  private static let pageSize = 1 << 20
  private static let unitsPerPage = pageSize / unit
  /// Bytes of the length before a record.
  private static let head = 4

  /// Keeps a record.
  /// - Complexity: O(length).
  mutating func insert(_ record: ArraySlice<UInt8>) -> Place {
    let kind = Self.sizeClass(of: record.count)
    let reused = kind < free.count ? free[kind].popLast() : nil
    let place = Place(address: reused ?? room(kind))
    write(record, at: place)
    return place
  }

  /// Replaces a record, in its slot when it fits there.
  mutating func replace(_ place: Place, with record: ArraySlice<UInt8>) -> Place {
    guard Self.sizeClass(of: record.count) == Self.sizeClass(of: length(place)) else {
      remove(place)
      return insert(record)
    }
    write(record, at: place)
    return place
  }

  /// Removes a record.
  mutating func remove(_ place: Place) {
    let kind = Self.sizeClass(of: length(place))
    while free.count <= kind { free.append([]) }
    free[kind].append(place.address)
  }

  /// Puts the state of a record into a tracker with the same rules.
  ///
  /// An invalid record resets the tracker.
  func unpack(_ place: Place, into tracker: inout Tracker) {
    let isState = read(place) { (unpacker) throws(PackedStateError) in
      try tracker.unpack(from: &unpacker)
    }
    if !isState { tracker = Tracker(rules: tracker.rules) }
  }

  /// The counts that a state begins with.
  func counts(_ place: Place) -> GateCounts {
    var counts = GateCounts()
    _ = read(place) { (unpacker) throws(PackedStateError) in
      counts = try GateCounts(from: &unpacker)
    }
    return counts
  }

  private func read(
    _ place: Place, _ body: (inout Unpacker) throws(PackedStateError) -> Void
  ) -> Bool {
    withBytes(of: place) { bytes in
      var unpacker = Unpacker(bytes)
      do throws(PackedStateError) {
        try body(&unpacker)
        return true
      } catch {
        return false
      }
    }
  }

  /// Calls `body` with the bytes of a record.
  func withBytes<Result>(
    of place: Place, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let (page, offset) = Self.location(place)
    let start = offset + Self.head
    return pages[page].withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<start + length(place)]))
    }
  }

  private func length(_ place: Place) -> Int {
    let (page, offset) = Self.location(place)
    return pages[page].withUnsafeBytes {
      Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  private mutating func write(_ record: ArraySlice<UInt8>, at place: Place) {
    let (page, offset) = Self.location(place)
    pages[page].withUnsafeMutableBytes { bytes in
      bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: record.count), toByteOffset: offset, as: UInt32.self)
      record.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + Self.head)...]).copyMemory(from: $0)
      }
    }
  }

  /// A new slot.
  private mutating func room(_ kind: Int) -> Int {
    let size = Self.size(of: kind)
    if used + size > Self.pageSize {
      // A record that is longer than a page gets a page of its own.
      pages.append([UInt8](repeating: 0, count: max(Self.pageSize, size)))
      used = 0
    }
    let address = (pages.count - 1) * Self.unitsPerPage + used / Self.unit
    used += size
    return address
  }

  private static func location(_ place: Place) -> (page: Int, offset: Int) {
    (place.address / unitsPerPage, place.address % unitsPerPage * unit)
  }

  /// Sizes up to a kilobyte by units; then eight to each doubling.
  private static func sizeClass(of length: Int) -> Int {
    let units = (length + head + unit - 1) / unit
    guard units > 64 else { return units }
    let shift = Int.bitWidth - units.leadingZeroBitCount - 4
    let steps = (units + (1 << shift) - 1) >> shift
    return 64 + (shift - 3) * 8 + steps - 8
  }

  private static func size(of kind: Int) -> Int {
    guard kind > 64 else { return kind * unit }
    let (shift, step) = ((kind - 64) / 8 + 3, (kind - 64) % 8 + 8)
    return (step << shift) * unit
  }
}
