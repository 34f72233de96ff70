package import Geodesy

/// The fences that are watched: an immutable set with an index, which any number of trackers share.
///
/// A copy is a reference. The fences keep the order in which they were given.
///
/// It is one piece of memory without pointers: columns of positions, settings and ids, and an index
/// of cells (Docs/Decisions/0013-fences-in-cells.md). The same memory behind a head is a file of
/// compiled fences. A set holds at most 2^30 fences; ``byteCount`` is what it takes.
public struct FenceSet: Sendable {
  let table: FenceTable

  init(table: FenceTable) { self.table = table }

  /// No fences.
  public init() { self = Self.empty }

  private static let empty = FenceSet(table: Builder.emptyTable)

  /// Makes a set.
  ///
  /// - Throws: ``FenceSetError`` when two fences have the same id or one has no area.
  /// - Complexity: O(n).
  public init(_ fences: [Fence]) throws(FenceSetError) {
    var builder = Builder()
    for fence in fences { try builder.append(fence) }
    self = try builder.build()
  }

  /// The index of the fence with an id; nil when there is none.
  /// - Complexity: O(1).
  public func index(ofID id: String) -> Int? { table.index(ofID: id) }

  /// How much memory the fences and their index take, bytes.
  public var byteCount: Int { table.bytes.count }

  /// The id of a fence, without the rest of it.
  /// - Complexity: O(length).
  public func id(at index: Int) -> String {
    precondition(indices.contains(index), "there is no fence with this index")
    return table.id(index)
  }

  /// Whether a fence's box meets `box`.
  package func isNear(_ index: Int, _ box: Box) -> Bool { table.isNear(index, box) }

  /// A box that contains a fence; nil for one without polygons.
  func box(of index: Int) -> Box? { table.box(index) }

  /// The settings of a fence.
  package func settings(_ index: Int) -> FenceSettings { table.settings(index) }

  /// A fence as the engine uses it.
  ///
  /// - Precondition: The index is one of a fence.
  /// - Complexity: O(1); a polygon is prepared at its first use, O(vertices).
  package func member(_ index: Int) -> Member {
    Member(area: table.area(index), settings: table.settings(index), table: table, index: index)
  }

  /// The same with its area, which is known.
  func member(_ index: Int, _ area: Area) -> Member {
    Member(area: area, settings: table.settings(index), table: table, index: index)
  }

  /// A fence of a set: area and settings are at hand, the name is made on demand.
  package struct Member {
    package let area: Area
    fileprivate let settings: FenceSettings
    // Counting references to the table would make threads wait for each other at every fix. Safe: only
    // an engine uses members, and for a shorter time than its rules, which retain the set.
    fileprivate unowned(unsafe) let table: FenceTable
    fileprivate let index: Int

    /// The id, made of its bytes: O(length).
    package var id: String { table.id(index) }
    package var notifications: Fence.Notifications { settings.notifications }
    /// The time of a dwell, nanoseconds; nil to report none.
    var dwell: Int64? { settings.dwell }
    package var initial: Fence.Initial { settings.initial }
    package var decision: Decision { settings.decision }
  }
}

extension FenceSet: RandomAccessCollection {
  /// The first index.
  public var startIndex: Int { 0 }
  /// One past the last index: the number of fences.
  public var endIndex: Int { table.count }

  /// A fence, rebuilt from the table.
  /// - Complexity: O(1) and the length of its id.
  public subscript(index: Int) -> Fence {
    precondition(indices.contains(index), "there is no fence with this index")
    let member = member(index)
    var fence = Fence(id: table.id(index), area: member.area)
    fence.notifications = member.notifications
    fence.dwell = member.dwell
    fence.initial = member.initial
    fence.decision = member.decision
    return fence
  }
}

extension FenceSet: Hashable {
  /// Whether both have the same fences in the same order.
  /// - Complexity: O(1) for copies, else O(n).
  public static func == (a: FenceSet, b: FenceSet) -> Bool {
    a.table === b.table || (a.count == b.count && a.elementsEqual(b))
  }

  /// Hashes the number of fences, and the first and the last.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(first)
    hasher.combine(last)
  }
}

/// Why a set cannot be made of some fences.
public enum FenceSetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two fences have this id.
  case duplicateID(String)
  /// The fence with this id has no polygon.
  case emptyArea(String)
  /// The circle of the fence with this id has an invalid centre, or a radius that is not a number.
  case noCircle(String)
  /// There are too many fences, or their ids are too long.
  case tooLarge

  /// One sentence: the error and how to correct it.
  public var description: String {
    switch self {
    case .duplicateID(let id): "two fences are called '\(id)': every fence needs an id of its own"
    case .emptyArea(let id): "the fence '\(id)' has no polygon: expected at least one"
    case .noCircle(let id):
      "the circle of the fence '\(id)' is invalid: expected a latitude from -90 to 90, a longitude from -180 to "
        + "180 and a radius that is a number"
    case .tooLarge:
      "too many fences: a set holds at most 2^30 fences and 4 GB of ids; divide them into several sets"
    }
  }
}

extension FenceSet: Codable {
  /// Reads the fences and indexes them again.
  ///
  /// - Throws: What the decoder throws, or ``FenceSetError``.
  public init(from decoder: any Decoder) throws {
    try self.init([Fence](from: decoder))
  }

  /// Writes the fences.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
  }
}
