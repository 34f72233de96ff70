package import Geodesy

/// A cache of the fences around the last fixes of a device: most often the next fix is among them too
/// and needs no search.
///
/// It is not part of the state: it can be computed again from the set, and an unpacked device starts
/// without it.
package struct Neighbourhood: Sendable {
  /// A fence with its box: looking that up costs more than the comparison.
  private struct Entry: Sendable {
    let fence: Int
    let box: Box
  }

  /// By ascending fence; every fence that meets the box is among them.
  private var entries: [Entry] = []
  /// Nil when nothing is known.
  private var box: Box?
  /// For how many fixes only the needed fences are searched: one, as a device may be packed after a
  /// single fix; more where fences are dense.
  private var patience = 1

  /// Circles that were judged last, by their fences: to make one takes a sine and a cosine.
  private var circles: [(fence: Int, circle: Circle)] = []

  /// Most circles that are kept: few edges are near at a time.
  private static var mostCircles: Int { 4 }
  /// How many of its widths and heights around a box are searched.
  private static var margin: Double { 3 }
  /// So high and wide is a box with its margin at most, degrees: in larger ones are too many fences.
  private static var mostDegrees: Double { 0.03 }
  /// Most fences that are kept; where there are more, the number of fixes before the next attempt.
  private static var mostFences: Int { 256 }
  private static var crowdPatience: Int { 32 }

  /// Nothing is known yet.
  package init() {}

  /// Finds the fences that meet `reach`, unless they are known.
  ///
  /// A search takes the box with three of its widths and heights on each side, so that many fixes
  /// need no further search.
  ///
  /// - Returns: whether they are known; otherwise the set must be searched.
  /// - Complexity: O(1) while `reach` lies in the box of the last search.
  package mutating func cover(_ reach: Box, _ set: FenceSet) -> Bool {
    if let box, box.holds(reach) { return true }
    guard patience == 0 else {
      patience -= 1
      return false
    }
    guard let wider = Self.widened(reach) else { return false }
    box = nil
    entries.removeAll(keepingCapacity: true)
    var count = 0
    set.forEachFence(near: wider) { index in
      count += 1
      guard count <= Self.mostFences, let box = set.box(of: index) else { return }
      entries.append(Entry(fence: index, box: box))
    }
    guard count <= Self.mostFences else {
      patience = Self.crowdPatience
      return false
    }
    box = wider
    return true
  }

  /// The places of the fences that are known.
  package var indices: Range<Int> { entries.indices }

  /// The fence at a place when its box meets `reach`, which lies in the box of the last search.
  @inline(__always)
  package func fence(at place: Int, near reach: Box) -> Int? {
    let entry = entries[place]
    return entry.box.meets(reach) ? entry.fence : nil
  }

  /// A fence of the set; if it is a circle, that is kept once the fences around the device are.
  package mutating func member(_ index: Int, of set: FenceSet) -> FenceSet.Member {
    for known in circles where known.fence == index {
      return set.member(index, .circle(known.circle))
    }
    let member = set.member(index)
    if box != nil, case .circle(let circle) = member.area {
      if circles.count == Self.mostCircles { circles.removeFirst() }
      circles.append((index, circle))
    }
    return member
  }

  /// Forgets all, as the device or the set is another.
  package mutating func clear() {
    box = nil
    if !circles.isEmpty { circles.removeAll() }
    patience = 1
  }

  /// The box with its margin; nil where that is too large, or reaches a pole or the antimeridian.
  private static func widened(_ box: Box) -> Box? {
    let (height, width) = (box.north - box.south, box.east - box.west)
    let most = mostDegrees / (1 + 2 * margin)
    guard height <= most, width >= 0, width <= most else { return nil }
    let (north, east) = (height * margin, width * margin)
    let wider = Box(
      south: box.south - north, west: box.west - east, north: box.north + north,
      east: box.east + east)
    return wider.south > -90 && wider.north < 90 && wider.west > -180 && wider.east < 180
      ? wider : nil
  }
}

extension Box {
  /// Whether another lies within this one, which has neither a pole nor the antimeridian.
  fileprivate func holds(_ other: Box) -> Bool {
    other.south >= south && other.north <= north && other.west >= west && other.east <= east
      && other.west <= other.east
  }

  /// Whether it shares a point with another one, which has neither a pole nor the antimeridian.
  @inline(__always)
  fileprivate func meets(_ other: Box) -> Bool {
    guard west <= east else { return intersects(other) }
    return south <= other.north && other.south <= north && west <= other.east && other.west <= east
  }
}

/// It is not part of the state, so all are equal.
extension Neighbourhood: Hashable {
  package static func == (a: Self, b: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
