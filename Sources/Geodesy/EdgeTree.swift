/// The boxes of runs of neighbouring edges of a ring, so that a search reads only those it has to.
///
/// Runs of 16 edges, of 128, of 1,024 and so on, each with a box around its edges. A ring is a line
/// along which neighbours are near, so the runs are as good as the leaves of an R-tree, and need no
/// sorting. What a search finds is what it would find in all edges, to the bit. Two bytes an edge.
struct EdgeTree: Sendable {
  /// The boxes of the runs of each level, the shortest runs first.
  private let levels: [[EdgeBox]]
  private let edgeCount: Int

  private static let leaf = 16
  private static let fanout = 8
  /// A ring with fewer edges is searched as it is.
  private static let fewest = 64

  /// - Complexity: O(n) for n points, the first repeated at the end.
  init(_ points: PlanePoints) {
    let edgeCount = max(0, points.count - 1)
    self.edgeCount = edgeCount
    guard edgeCount >= Self.fewest else {
      levels = []
      return
    }
    var runs = stride(from: 0, to: edgeCount, by: Self.leaf).map { first in
      EdgeBox(points[first...min(first + Self.leaf, edgeCount)])
    }
    var levels = [runs]
    while runs.count > Self.fanout {
      runs = stride(from: 0, to: runs.count, by: Self.fanout).map { first in
        runs[first..<min(first + Self.fanout, runs.count)].reduce(.none) { $0.union($1) }
      }
      levels.append(runs)
    }
    self.levels = levels
  }

  /// Calls `visit` with each edge in order, but for the runs that `canSkip` names.
  ///
  /// - Parameters:
  ///   - canSkip: Whether no edge in a box, those of a range, matters. It is asked once for each run that
  ///     is in none that was skipped.
  ///   - visit: Returns false to end the search.
  @inline(__always)
  func search(
    skipping canSkip: (EdgeBox, Range<Int>) -> Bool, _ visit: (Int) -> Bool
  ) {
    var index = 0
    while index < edgeCount {
      if let next = skip(from: index, canSkip) {
        index = next
        continue
      }
      let end = levels.isEmpty ? edgeCount : min(index + Self.leaf, edgeCount)
      while index < end {
        guard visit(index) else { return }
        index += 1
      }
    }
  }

  /// The end of the longest run from `index` on that can be skipped; nil when there is none.
  @inline(__always)
  private func skip(from index: Int, _ canSkip: (EdgeBox, Range<Int>) -> Bool) -> Int? {
    var (run, length, level) = (index / Self.leaf, Self.leaf, 0)
    while level + 1 < levels.count, run % Self.fanout == 0 {
      (run, length, level) = (run / Self.fanout, length * Self.fanout, level + 1)
    }
    while level >= 0, level < levels.count {
      let end = min(index + length, edgeCount)
      if canSkip(levels[level][run], index..<end) { return end }
      (run, length, level) = (run * Self.fanout, length / Self.fanout, level - 1)
    }
    return nil
  }

  /// Some edges that are near: those of the run that is reached through the nearest of each level.
  ///
  /// Of several boxes around the place itself each is followed: any may have the nearest edge. None of a
  /// small ring.
  func nearestRun(_ square: (EdgeBox) -> Double) -> Range<Int> {
    guard let top = levels.last else { return 0..<0 }
    let nearest = nearestRun(levels.count - 1, 0..<top.count, square).run
    return nearest * Self.leaf..<min((nearest + 1) * Self.leaf, edgeCount)
  }

  /// One of the shortest runs in runs of a level, and its distance.
  private func nearestRun(
    _ level: Int, _ runs: Range<Int>, _ square: (EdgeBox) -> Double
  ) -> (run: Int, square: Double) {
    var (nearest, least) = (runs.lowerBound, Double.infinity)
    var found: (run: Int, square: Double)?
    for run in runs {
      let distance = square(levels[level][run])
      if distance < least { (nearest, least) = (run, distance) }
      guard level > 0, distance <= 0 else { continue }
      let inside = nearestRun(level - 1, children(of: run, level), square)
      if inside.square < found?.square ?? .infinity { found = inside }
    }
    if let found { return found }
    return level == 0
      ? (nearest, least) : nearestRun(level - 1, children(of: nearest, level), square)
  }

  /// The runs of the level below.
  private func children(of run: Int, _ level: Int) -> Range<Int> {
    run * Self.fanout..<min((run + 1) * Self.fanout, levels[level - 1].count)
  }
}

/// A box on the map, whose longitudes are unwrapped.
struct EdgeBox: Sendable {
  private(set) var minX, maxX, minY, maxY: Double

  /// Holds no point.
  static var none: EdgeBox {
    EdgeBox(minX: .infinity, maxX: -.infinity, minY: .infinity, maxY: -.infinity)
  }

  private init(minX: Double, maxX: Double, minY: Double, maxY: Double) {
    (self.minX, self.maxX, self.minY, self.maxY) = (minX, maxX, minY, maxY)
  }

  /// Around points.
  init(_ points: some Sequence<PlanePoint>) {
    self = .none
    for point in points {
      (minX, maxX) = (min(minX, point.x), max(maxX, point.x))
      (minY, maxY) = (min(minY, point.y), max(maxY, point.y))
    }
  }

  func union(_ other: EdgeBox) -> EdgeBox {
    EdgeBox(
      minX: min(minX, other.minX), maxX: max(maxX, other.maxX), minY: min(minY, other.minY),
      maxY: max(maxY, other.maxY))
  }

  /// At most the square of the distance from a point to one in the box, in degrees of latitude, of which
  /// a degree of longitude is `scale`.
  @inline(__always)
  func square(to point: PlanePoint, scale: Double) -> Double {
    let x = max(0, max(minX - point.x, point.x - maxX) - Self.rounding) * scale
    let y = max(0, max(minY - point.y, point.y - maxY) - Self.rounding)
    return (x * x + y * y) * (1 - Self.rounding)
  }

  /// Whether the box is beside or south of a point, by more than a tolerance in degrees.
  @inline(__always)
  func isBesideOrSouth(of point: PlanePoint, _ tolerance: Double) -> Bool {
    point.x < minX - tolerance || point.x > maxX + tolerance || point.y > maxY + tolerance
  }

  /// Whether all of it is so far north of a point that rounding can hide none of it.
  @inline(__always)
  func isNorth(of point: PlanePoint, _ tolerance: Double) -> Bool {
    minY - point.y > tolerance + 1e-9
  }

  /// Whether it shares no point with the box around a line.
  @inline(__always)
  func isApart(from line: PlaneSegment) -> Bool {
    minX > line.maxX || line.minX > maxX || minY > line.maxY || line.minY > maxY
  }

  /// Degrees, and a share: more than a foot on an edge is beside it, and a square too large, by rounding.
  private static var rounding: Double { 1e-12 }
}
