/// The fences that a search finds, by number.
struct FoundFences {
  private let room: UnsafeMutableBufferPointer<UInt32>
  /// How many were found, including those without room.
  private(set) var count = 0

  /// The capacity on the stack.
  private static var few: Int { 256 }

  private init(_ room: UnsafeMutableBufferPointer<UInt32>) { self.room = room }

  /// Searches into storage on the stack, repeats that with enough room when too many were found, and
  /// calls `body` with the result.
  @inline(__always)
  static func collect(
    _ search: (inout FoundFences) -> Void, _ body: (inout FoundFences) -> Void
  ) {
    let wanted = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: few) { room in
      var found = FoundFences(room)
      search(&found)
      if found.count <= few { body(&found) }
      return found.count
    }
    guard wanted > few else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: wanted) { room in
      var found = FoundFences(room)
      search(&found)
      body(&found)
    }
  }

  /// The unsorted result.
  @inline(__always)
  var raw: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: room.baseAddress, count: count)
  }

  /// The result, sorted, without duplicates or invalid numbers.
  ///
  /// - Complexity: O(n) for those of one cell, which ascend; else O(n log n).
  mutating func finished(_ table: FenceTable) -> UnsafeBufferPointer<UInt32> {
    if !isAscending || Int(raw.last ?? 0) >= table.count {
      var all = UnsafeMutableBufferPointer(rebasing: room[..<count])
      all.sort()
      var kept = 0
      for number in raw where number < table.count && (kept == 0 || number != room[kept - 1]) {
        room[kept] = number
        kept += 1
      }
      count = kept
    }
    return raw
  }

  private var isAscending: Bool {
    for place in raw.indices.dropFirst() where raw[place] <= raw[place - 1] { return false }
    return true
  }

  /// Adds a fence; without room it is only counted, and the search is repeated with enough.
  @inline(__always)
  mutating func append(_ fence: UInt32) {
    if count < room.count { room[count] = fence }
    count += 1
  }

  /// Adds some of eight fences without branches, which could not be predicted.
  ///
  /// - Parameter bits: The lowest one in the byte of each that is added.
  /// - Returns: false, and adds none, when there is too little room.
  @inline(__always)
  mutating func append(
    _ fences: UnsafePointer<UInt32>, where bits: UInt64
  ) -> Bool {
    guard count + 8 <= room.count, let base = room.baseAddress else { return false }
    guard bits != 0 else { return true }
    var bytes = bits
    for lane in 0..<8 {
      base[count] = fences[lane]
      count &+= Int(truncatingIfNeeded: bytes & 1)
      bytes &>>= 8
    }
    return true
  }

  /// Drops all but the first ones.
  @inline(__always)
  mutating func drop(after first: Int) { count = first }
}
