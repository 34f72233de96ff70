internal import Geodesy
internal import Tracking

/// Which fences share a place.
///
/// A line is swept from south to north over the fences' boxes; only those that it touches together
/// are compared, so fences spread over a country cost little more than sorting them.
struct FenceOverlaps {
  /// The first overlapping pairs that were met, as indices in order.
  private(set) var pairs: [(first: Int, second: Int)] = []
  /// How many overlapping pairs were met.
  private(set) var count = 0
  /// Whether all pairs were looked at; false when there were too many.
  private(set) var isComplete = true

  /// Bounds on the work, a few seconds of it: ten thousand fences in one place make fifty million
  /// pairs, and nobody needs to know how many of them overlap.
  private static let mostBoxes = 200_000_000
  static let mostEdgePairs = 1_000_000_000
  /// What comparing a circle with an edge or a circle costs, in comparisons of two edges.
  static let circleCost = 500

  private let fences: [Fence]
  private let edgeCounts: [Int]
  private let shown: Int
  private var boxesLeft = Self.mostBoxes
  private var edgePairsLeft: Int

  /// Looks for the overlaps of `fences` and keeps the first `shown` pairs.
  init(_ fences: [Fence], shown: Int, mostEdgePairs: Int = Self.mostEdgePairs) {
    self.fences = fences
    self.shown = shown
    edgeCounts = fences.map { Self.edgeCount($0.area) }
    edgePairsLeft = mostEdgePairs
    sweep()
    pairs.sort { ($0.second, $0.first) < ($1.second, $1.first) }
  }

  /// How many edges the polygons of an area have; 0 for a circle.
  private static func edgeCount(_ area: Area) -> Int {
    guard case .polygons(let polygons) = area else { return 0 }
    return polygons.reduce(0) { $0 + $1.vertexCount }
  }

  private mutating func sweep() {
    let boxes = fences.enumerated()
      .compactMap { index, fence in fence.area.boundingBox.map { (fence: index, box: $0) } }
      .sorted { ($0.box.south, $0.fence) < ($1.box.south, $1.fence) }
    var touched: [(fence: Int, box: Box)] = []
    for next in boxes {
      touched.removeAll { $0.box.north < next.box.south }
      boxesLeft -= touched.count
      for other in touched where other.box.intersects(next.box) {
        compare(other.fence, next.fence)
      }
      guard boxesLeft >= 0, edgePairsLeft >= 0 else {
        isComplete = false
        return
      }
      touched.append(next)
    }
  }

  private mutating func compare(_ a: Int, _ b: Int) {
    guard edgePairsLeft >= 0 else { return }
    let (one, other) = (edgeCounts[a], edgeCounts[b])
    // A fence has at most the tens of millions of edges that a file of 64 MiB can hold, so neither
    // the product nor the difference overflows.
    edgePairsLeft -= one > 0 && other > 0 ? one * other : Self.circleCost * max(one, other, 1)
    guard edgePairsLeft >= 0, fences[a].area.overlaps(fences[b].area) else { return }
    count += 1
    if pairs.count < shown { pairs.append((min(a, b), max(a, b))) }
  }
}
