public import Geodesy

/// The fences that contain the last position of a device.
///
/// For programs that need plain geometry without the engine's evidence: the same fences as
/// ``FenceSet/forEachFence(containing:_:)``, exact to the geodesic. A fence that was passed between two
/// positions is not noticed.
public struct FencePresence: Sendable, Hashable, Codable {
  /// A change of side.
  public struct Change: Sendable, Hashable {
    /// The index of the fence in its set.
    public let fence: Int
    /// Whether the device came in; else it went out.
    public let isEntry: Bool

    /// Makes a change.
    public init(fence: Int, isEntry: Bool) {
      (self.fence, self.isEntry) = (fence, isEntry)
    }
  }

  /// The fences in which it is, ascending.
  private var numbers: [UInt32] = []
  /// Positions without a change; it can be computed again at any time.
  private var safeRegion = SafeRegion.none

  /// Makes a device that is in no fence.
  public init() {}

  /// The indices of the fences in which the device is, ascending.
  public var inside: some RandomAccessCollection<Int> { numbers.lazy.map(Int.init) }

  /// Moves the device and appends the changes, by ascending fence.
  ///
  /// - Parameters:
  ///   - place: any numbers; an invalid position is in no fence.
  ///   - set: the same at every call; for another set start over.
  ///   - changes: the changes are appended to it.
  /// - Complexity: that of ``FenceSet/forEachFence(containing:_:)``, and the fences in which the device
  ///   is; four comparisons while it is nearer to the position of the last lookup than to any edge, or
  ///   in a cell without fences. It allocates only to hold more fences than before.
  public mutating func move(
    to place: Coordinate, in set: FenceSet, into changes: inout [Change]
  ) {
    guard !safeRegion.holds(place) else { return }
    let table = set.table
    FoundFences.collect({ table.search(at: place, &$0, &safeRegion) }) { found in
      // Most often it is where it was.
      guard !isInside(found.raw) else { return }
      let found = found.finished(table)
      appendChanges(found, &changes)
      numbers.removeAll(keepingCapacity: true)
      numbers.append(contentsOf: found)
    }
  }

  /// Whether the fences that were found are those in which the device is already.
  @inline(__always)
  private func isInside(_ found: UnsafeBufferPointer<UInt32>) -> Bool {
    guard found.count == numbers.count else { return false }
    for place in found.indices where found[place] != numbers[place] { return false }
    return true
  }

  /// Walks both lists, which ascend, side by side.
  private func appendChanges(_ found: UnsafeBufferPointer<UInt32>, _ changes: inout [Change]) {
    var (old, new) = (0, 0)
    while old < numbers.count || new < found.count {
      if new == found.count || (old < numbers.count && numbers[old] < found[new]) {
        changes.append(Change(fence: Int(numbers[old]), isEntry: false))
        old += 1
      } else if old == numbers.count || found[new] < numbers[old] {
        changes.append(Change(fence: Int(found[new]), isEntry: true))
        new += 1
      } else {
        (old, new) = (old + 1, new + 1)
      }
    }
  }
}

extension FencePresence {
  private enum CodingKeys: CodingKey { case numbers }

  /// Whether both devices are in the same fences.
  public static func == (a: Self, b: Self) -> Bool { a.numbers == b.numbers }

  /// Hashes the fences in which the device is.
  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}
