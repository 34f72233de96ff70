internal import Geodesy

/// The fences that are watched: an immutable set, which any number of trackers share.
public struct FenceSet: Sendable, Hashable {
  /// The fences in the order in which they were given.
  public let fences: [Fence]
  /// The boxes around them, in the same order: a fix that is far away is told by four comparisons.
  private let boxes: [Box]

  /// No fences.
  public init() {
    fences = []
    boxes = []
  }

  /// Makes a set.
  ///
  /// - Throws: ``FenceSetError`` when two fences have the same id or one has no area.
  /// - Complexity: O(n).
  public init(_ fences: [Fence]) throws(FenceSetError) {
    var seen = Set<String>(minimumCapacity: fences.count)
    for fence in fences where !seen.insert(fence.id).inserted {
      throw FenceSetError.duplicateID(fence.id)
    }
    self.fences = fences
    boxes = try fences.map { fence throws(FenceSetError) in
      guard let box = fence.area.boundingBox else { throw .emptyArea(fence.id) }
      return box
    }
  }

  /// Whether a fence's box meets `box`.
  func isNear(_ index: Int, _ box: Box) -> Bool {
    boxes[index].intersects(box)
  }

  /// Calls `body` with the index of every fence whose box meets `box`, in ascending order.
  ///
  /// Every fence that shares a place with `box` is among them.
  /// - Complexity: O(n), a few nanoseconds a fence.
  @inline(__always)
  func forEachFence(near box: Box, _ body: (Int) -> Void) {
    for index in boxes.indices where boxes[index].intersects(box) {
      body(index)
    }
  }
}

/// Why fences make no set.
public enum FenceSetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Two fences have this id.
  case duplicateID(String)
  /// The fence with this id has no polygon.
  case emptyArea(String)

  /// One sentence that says what is wrong.
  public var description: String {
    switch self {
    case .duplicateID(let id): "two fences are called '\(id)': every fence needs an id of its own"
    case .emptyArea(let id): "the fence '\(id)' has no polygon, so that nothing can be in it"
    }
  }
}

extension FenceSet: Codable {
  /// Reads the fences and indexes them anew.
  public init(from decoder: any Decoder) throws {
    try self.init([Fence](from: decoder))
  }

  /// Writes the fences.
  public func encode(to encoder: any Encoder) throws {
    try fences.encode(to: encoder)
  }
}
