import Glibc

/// The positions of a path in runs, each with its extent, and runs of runs: what is near everywhere is
/// passed over at once.
struct PathTree {
  /// The extent of a run in degrees; empty when `south` is above `north`.
  private struct Extent {
    var (south, north) = (Double.infinity, -Double.infinity)
    var (west, east) = (Double.infinity, -Double.infinity)

    mutating func extend(to other: Extent) {
      (south, north) = (min(south, other.south), max(north, other.north))
      (west, east) = (min(west, other.west), max(east, other.east))
    }

    /// At most so far away from a position is a position of the run, by
    /// ``SphericalPosition/flatDistance(to:)``.
    func farthest(from position: SphericalPosition) -> Double {
      let north = max(abs(south - position.latitude), abs(self.north - position.latitude))
      let east = max(abs(west - position.longitude), abs(self.east - position.longitude))
      // The other way around the Earth is never longer than half of it.
      return SphericalPosition.flatLength(
        north: north, east: min(east, 180), latitude: position.latitude)
    }
  }

  private let positions: [SphericalPosition]
  /// The extents of the nodes as a heap; the last half are runs of positions.
  private var extents: [Extent]
  private let leaves: Int
  private static let run = 16

  init(_ positions: [SphericalPosition]) {
    self.positions = positions
    var leaves = 1
    while leaves * Self.run < positions.count { leaves *= 2 }
    self.leaves = leaves
    extents = Array(repeating: Extent(), count: 2 * leaves)
    for (index, position) in positions.enumerated() {
      extents[leaves + index / Self.run].extend(
        to: Extent(
          south: position.latitude, north: position.latitude, west: position.longitude,
          east: position.longitude))
    }
    for node in (1..<leaves).reversed() {
      extents[node] = extents[2 * node]
      extents[node].extend(to: extents[2 * node + 1])
    }
  }

  /// The index of the first position, from one on, that is so many metres away or more; nil when there
  /// is none.
  ///
  /// - Complexity: O(log n) where the path does not stay just within the distance.
  func first(from start: Int, atLeast metres: Double, from position: SphericalPosition) -> Int? {
    find(node: 1, leaves: 0..<leaves, start, metres, position)
  }

  private func find(
    node: Int, leaves range: Range<Int>, _ start: Int, _ metres: Double,
    _ position: SphericalPosition
  ) -> Int? {
    guard range.upperBound * Self.run > start,
      extents[node].farthest(from: position) >= metres
    else { return nil }
    guard range.count > 1 else {
      let run = max(start, range.lowerBound * Self.run)
      let end = min(positions.count, range.upperBound * Self.run)
      return run < end
        ? (run..<end).first { positions[$0].flatDistance(to: position) >= metres } : nil
    }
    let middle = range.lowerBound + range.count / 2
    return find(node: 2 * node, leaves: range.lowerBound..<middle, start, metres, position)
      ?? find(node: 2 * node + 1, leaves: middle..<range.upperBound, start, metres, position)
  }
}
