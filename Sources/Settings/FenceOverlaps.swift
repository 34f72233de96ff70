internal import Geodesy
internal import Tracking

/// Finds overlapping fences.
///
/// A line sweeps over the bounding boxes from south to north; only fences whose boxes it crosses at
/// the same time are compared. So fences spread over a country cost little more than sorting them.
struct FenceOverlaps {
  /// The first overlapping pairs found, as indices in order.
  private(set) var pairs: [(first: Int, second: Int)] = []
  /// How many overlapping pairs were found.
  private(set) var count = 0
  /// Whether all pairs were compared; false when there were too many.
  private(set) var isComplete = true

  /// Limits of the work, a few seconds: ten thousand fences in one place are fifty million pairs, whose
  /// exact count nobody needs.
  private static let mostBoxes = 200_000_000
  static let mostEdgePairs = 1_000_000_000
  /// The cost of comparing a circle with an edge or a circle, in comparisons of two edges.
  static let circleCost = 500

  private let fences: [Fence]
  private let edgeCounts: [Int]
  private let shown: Int
  private var boxesLeft = Self.mostBoxes
  private var edgePairsLeft: Int

  /// Finds the overlaps of `fences` and keeps the first `shown` pairs.
  init(_ fences: [Fence], shown: Int, mostEdgePairs: Int = Self.mostEdgePairs) {
    self.fences = fences
    self.shown = shown
    edgeCounts = fences.map { Self.edgeCount($0.area) }
    edgePairsLeft = mostEdgePairs
    sweep()
    pairs.sort { ($0.second, $0.first) < ($1.second, $1.first) }
  }

  /// The number of edges of an area's polygons; 0 for a circle.
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
    // A file of 64 MiB has at most tens of millions of edges, so neither the product nor the difference
    // overflows.
    edgePairsLeft -= one > 0 && other > 0 ? one * other : Self.circleCost * max(one, other, 1)
    guard edgePairsLeft >= 0, fences[a].area.overlaps(fences[b].area) else { return }
    count += 1
    if pairs.count < shown { pairs.append((min(a, b), max(a, b))) }
  }
}
