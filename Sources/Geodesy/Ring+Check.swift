extension Ring {
  /// Whether the ring encloses nothing: all of it is on one line, or at a pole.
  var isFlat: Bool {
    guard winding == 0 else { return south >= 90 || north <= -90 }
    let box = (maxX - minX) * (north - south)
    // The parts of a ring that crosses itself may cancel each other out.
    return abs(doubledArea) <= 1e-12 * box && isOnLine(tolerance: 1e-9 * box)
  }

  /// Whether all vertices are on the line from the first to the one farthest from it.
  ///
  /// - Parameter tolerance: Twice the area, square degrees, that a vertex may span with that line.
  private func isOnLine(tolerance: Double) -> Bool {
    guard let first = points.first else { return true }
    var (line, length) = (PlaneSegment(start: first, end: first), 0.0)
    for point in points {
      let (x, y) = (point.x - first.x, point.y - first.y)
      guard x * x + y * y > length else { continue }
      (line, length) = (PlaneSegment(start: first, end: point), x * x + y * y)
    }
    return points.allSatisfy { abs(line.side($0)) <= tolerance }
  }

  /// The result of checking all pairs of edges.
  enum EdgeCheck: Hashable {
    /// No edges cross or overlap.
    case simple
    /// The first two found that do, the earlier first.
    case crossing(Int, Int)
    /// There are too many pairs to check.
    case tangled
  }

  /// The most pairs of edges over a common longitude that are checked, per edge.
  ///
  /// A ring of up to 2,000 edges never has more, a coastline of millions a tenth of it. Without a
  /// bound, a file of some megabytes whose edges all run over the whole map would take hours.
  private static let mostPairs = 1_000
  /// The most turns round the Earth that a ring may make, in either direction: a lookup of a point
  /// tests every turn.
  private static let mostTurns = 8

  /// Whether edges cross or overlap; touching in a point is allowed.
  /// - Complexity: O(n log n) for rings whose edges are short, O(n²) up to a bound at worst.
  func edgeCheck() -> EdgeCheck {
    guard let edges = edgesByLongitude() else { return .tangled }
    var pairsLeft = Self.mostPairs * edges.count
    var open: [Int] = []
    for (position, candidate) in edges.enumerated() {
      open.removeAll { edges[$0].line.maxX < candidate.line.minX }
      pairsLeft -= open.count
      guard pairsLeft >= 0 else { return .tangled }
      for other in open where !(edges[other].isCopy && candidate.isCopy) {
        if edges[other].line.crossesOrCovers(candidate.line) {
          let pair = (edges[other].index, candidate.index)
          return .crossing(min(pair.0, pair.1), max(pair.0, pair.1))
        }
      }
      open.append(position)
    }
    // A ring that winds twice crosses itself; rounding may have hidden where.
    return abs(winding) > 1 ? .crossing(0, edgeCount - 1) : .simple
  }

  /// The edges from west to east; those of a ring that winds also as copies further east, where
  /// they meet the ring again.
  ///
  /// Nil when there are too many turns.
  private func edgesByLongitude() -> [(index: Int, isCopy: Bool, line: PlaneSegment)]? {
    let turns = Int((maxX - minX) / 360)
    guard turns <= Self.mostTurns else { return nil }
    var edges = (0..<edgeCount).map { (index: $0, isCopy: false, line: edge($0)) }
    for turn in 1..<(1 + (winding == 0 ? 0 : turns + 1)) {
      edges += (0..<edgeCount).map { ($0, true, edge($0).shifted(360 * Double(turn))) }
    }
    edges.sort { $0.line.minX < $1.line.minX }
    return edges
  }
}
