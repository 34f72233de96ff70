extension Ring {
  /// Whether it encloses nothing: all of it on one line, or at a pole.
  var isFlat: Bool {
    guard winding == 0 else { return south >= 90 || north <= -90 }
    return abs(doubledArea) <= 1e-12 * (maxX - minX) * (north - south)
  }

  /// The first two edges found that cross or lie on each other, nil when there are none.
  ///
  /// Touching in a point is allowed.
  /// - Complexity: O(n log n) for rings whose edges are short, O(n²) at worst.
  func selfIntersection() -> (Int, Int)? {
    var edges = (0..<edgeCount).map { (index: $0, isCopy: false, line: edge($0)) }
    // A ring that winds meets itself one turn on, too.
    for turn in 1..<(1 + (winding == 0 ? 0 : Int((maxX - minX) / 360) + 1)) {
      edges += (0..<edgeCount).map { ($0, true, edge($0).shifted(360 * Double(turn))) }
    }
    edges.sort { $0.line.minX < $1.line.minX }
    var open: [Int] = []
    for (position, candidate) in edges.enumerated() {
      open.removeAll { edges[$0].line.maxX < candidate.line.minX }
      for other in open where !(edges[other].isCopy && candidate.isCopy) {
        if edges[other].line.crossesOrCovers(candidate.line) {
          let pair = (edges[other].index, candidate.index)
          return (min(pair.0, pair.1), max(pair.0, pair.1))
        }
      }
      open.append(position)
    }
    // A ring that winds twice crosses itself; rounding may have hidden where.
    return abs(winding) > 1 ? (0, edgeCount - 1) : nil
  }
}
