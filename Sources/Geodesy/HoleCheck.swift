/// Finds holes beyond the outer ring of their polygon, and holes that overlap.
///
/// Rings may touch, in a point or along an edge, so whether edges cross does not decide. A place does
/// that is in a hole and outside of the outer ring, or in two holes: around all such places there are
/// edges. Each edge is divided where it meets the other ring, and places on both sides of each piece
/// are looked up. Where two rings do not meet, one edge of each is enough.
struct HoleCheck {
  /// The distance of a place from the piece of an edge that it is beside, degrees.
  ///
  /// A centimetre: narrower overlaps are those of rounded coordinates, and no crossing is as exact.
  private static let step = 1e-7
  /// Where on a piece the places are: at no simple fraction, as a ring may touch itself there.
  private static let shares = [0.381966, 0.723607]
  /// The most steps for each edge: a limit for files whose rings lie over each other everywhere.
  private static let mostSteps = 1_000

  private let rings: [Ring]
  /// Where places are looked up for a ring that meets no other.
  private let longestEdges: [PlaneSegment?]
  /// Falls with each comparison of an edge; below 0 the check ends with ``PolygonError/tooTangled(ring:)``.
  private var stepsLeft: Int

  /// - Parameter rings: Valid ones, the outer first.
  init(_ rings: [Ring]) {
    self.rings = rings
    longestEdges = rings.map(\.longestEdge)
    stepsLeft = Self.mostSteps * rings.reduce(0) { $0 + $1.edgeCount }
  }

  /// Throws the first error.
  /// - Complexity: O(n log n) for n edges, unless the rings meet in very many places.
  mutating func run() throws(PolygonError) {
    for hole in rings.indices.dropFirst() { try checkInside(hole) }
    try checkOverlaps()
  }

  /// Checks that a hole is inside of the outer ring, and smaller.
  ///
  /// It is smaller when some place beside an edge is in the outer ring and not in the hole.
  private mutating func checkInside(_ hole: Int) throws(PolygonError) {
    let (inner, outer) = (rings[hole], rings[0])
    var isAnyLeft = false
    let edge = try edge(of: hole, beside: 0) { place in
      let isInHole = inner.location(of: place) == .inside
      // One such place is enough.
      guard isInHole || !isAnyLeft else { return false }
      let location = outer.location(of: place)
      if !isInHole, location == .inside { isAnyLeft = true }
      return isInHole && location == .outside
    }
    if let edge { throw .holeOutside(ring: hole, edge: inner.vertexIndex(edge)) }
    guard isAnyLeft else { throw .holeWithoutRest(ring: hole) }
  }

  /// Checks that no two holes overlap; a line sweeps over their boxes from south to north.
  private mutating func checkOverlaps() throws(PolygonError) {
    let boxes = rings.indices.dropFirst()
      .map { (hole: $0, box: rings[$0].boundingBox) }
      .sorted { ($0.box.south, $0.hole) < ($1.box.south, $1.hole) }
    var open: [(hole: Int, box: Box)] = []
    for next in boxes {
      open.removeAll { $0.box.north < next.box.south }
      // A comparison of boxes is cheaper than one of edges.
      stepsLeft -= open.count / 4
      guard stepsLeft >= 0 else { throw .tooTangled(ring: next.hole) }
      for other in open where other.box.intersects(next.box) {
        try checkApart(other.hole, next.hole)
      }
      open.append(next)
    }
  }

  /// Checks that no place is in both of two holes.
  ///
  /// The edges of the smaller one are looked up in the tree of the larger one, which is fewer lookups.
  private mutating func checkApart(_ one: Int, _ other: Int) throws(PolygonError) {
    // Places are looked up even where no edge meets another one.
    stepsLeft -= 32
    let isOneSmaller = rings[one].edgeCount < rings[other].edgeCount
    let (few, many) = isOneSmaller ? (one, other) : (other, one)
    let (small, large) = (rings[few], rings[many])
    let edge = try edge(of: few, beside: many) { place in
      small.location(of: place) == .inside && large.location(of: place) == .inside
    }
    if edge != nil { throw .holeOverlap(ring: max(one, other), other: min(one, other)) }
  }

  /// The first edge of a ring that has a wrong place beside it.
  ///
  /// If only edges of the other ring have, it is the first one that meets that ring.
  private mutating func edge(
    of ring: Int, beside other: Int, where isWrong: (Coordinate) -> Bool
  ) throws(PolygonError) -> Int? {
    let (first, second) = (rings[ring], rings[other])
    var firstMet: Int?
    // The edges of the other ring, with the fractions of them where this one meets them.
    var met: [Int: [Double]] = [:]
    for index in 0..<first.edgeCount {
      let edge = first.edge(index)
      let fractions = meetings(of: edge, with: second, &met)
      guard stepsLeft >= 0 else { throw .tooTangled(ring: ring) }
      guard !fractions.isEmpty else { continue }
      if Self.hasPlace(beside: edge, dividedAt: fractions, isWrong) { return index }
      firstMet = firstMet ?? index
    }
    guard let firstMet else {
      let edges = [longestEdges[ring], longestEdges[other]].compactMap { $0 }
      return edges.contains { Self.hasPlace(beside: $0, dividedAt: [], isWrong) } ? 0 : nil
    }
    let isMetWrong = met.contains { index, fractions in
      Self.hasPlace(beside: second.edge(index), dividedAt: fractions, isWrong)
    }
    return isMetWrong ? firstMet : nil
  }

  /// The fractions of an edge where it meets a ring; those of the ring's edges are added to `met`.
  ///
  /// Either may lie over the antimeridian, so that one of them is 360 degrees further east; all shifts by
  /// a turn at which they could meet are tried.
  private mutating func meetings(
    of edge: PlaneSegment, with ring: Ring, _ met: inout [Int: [Double]]
  ) -> [Double] {
    var fractions: [Double] = []
    var steps = 1
    let limit = stepsLeft
    if edge.minY <= ring.north, edge.maxY >= ring.south {
      for shift in Ring.shifts(ring.minX - edge.maxX, ring.maxX - edge.minX) {
        let line = shift == 0 ? edge : edge.shifted(shift)
        ring.edges.search { box, _ in
          box.isApart(from: line)
        } _: { index in
          steps += 1
          let other = ring.edge(index)
          guard line.isNear(other) else { return steps <= limit }
          let (one, two) = line.fractions(of: other)
          if let one { fractions.append(one) }
          if let two { fractions.append(two) }
          let (three, four) = other.fractions(of: line)
          if let three { met[index, default: []].append(three) }
          if let four { met[index, default: []].append(four) }
          return steps <= limit
        }
      }
    }
    stepsLeft -= steps
    return fractions
  }

  /// Whether a place beside a piece of a line is wrong.
  ///
  /// - Parameter fractions: Where other edges meet the line, from 0 at its start to 1 at its end, in any
  ///   order. Between two of them nothing crosses the line, so two places on each side decide a piece.
  private static func hasPlace(
    beside line: PlaneSegment, dividedAt fractions: [Double], _ isWrong: (Coordinate) -> Bool
  ) -> Bool {
    let (x, y) = (line.end.x - line.start.x, line.end.y - line.start.y)
    let length = (x * x + y * y).squareRoot()
    // A place beside a piece that is shorter than a step could be in a narrow overlap.
    let shortest = length > 2 * step ? step / length : 0
    var last = 0.0
    for fraction in (fractions + [1]).sorted() {
      let (begin, piece) = (last, fraction - last)
      last = fraction
      guard piece > shortest else { continue }
      for share in shares {
        let point = line.start.interpolated(to: line.end, begin + piece * share)
        for side in [step / length, -step / length] {
          let place = PlanePoint(x: point.x - y * side, y: point.y + x * side)
          if abs(place.y) < 90, isWrong(place.coordinate) { return true }
        }
      }
    }
    return false
  }
}

extension Ring {
  /// The longest edge, nil without any.
  fileprivate var longestEdge: PlaneSegment? {
    var (longest, length) = (PlaneSegment?.none, -Double.infinity)
    for index in 0..<edgeCount {
      let edge = edge(index)
      let (x, y) = (edge.end.x - edge.start.x, edge.end.y - edge.start.y)
      if x * x + y * y > length { (longest, length) = (edge, x * x + y * y) }
    }
    return longest
  }

  /// The index of the vertex where an edge begins, in the list the ring was made from (repeated
  /// vertices count).
  func vertexIndex(_ edge: Int) -> Int {
    let ends = written.indices.filter {
      $0 + 1 == written.count || written[$0 + 1] != written[$0]
    }
    return edge < ends.count ? ends[edge] : written.count - 1
  }
}
