package import Geodesy

/// The fences around the last fixes of a device: most often the next fix is among them too, and need
/// not look for others.
///
/// It says nothing that the set does not say as well: so it is no part of a state, and a device
/// that comes back from a packed one begins without.
package struct Neighbourhood: Sendable {
  /// Ascending; every fence that meets the box is among them.
  package private(set) var fences: [UInt32] = []
  /// Nil when nothing is known.
  private var box: Box?
  /// For how many fixes no more is asked than is needed: one, as some devices give one only before
  /// they make room for others; more in a crowd of fences.
  private var patience = 1

  /// How many of its widths and heights around a box are looked at.
  private static var margin: Double { 3 }
  /// So high and wide is a box with its margin at most, degrees: in larger ones are too many fences.
  private static var mostDegrees: Double { 0.03 }
  /// So many fences are kept at most; where there are more, so many fixes pass before it is tried
  /// again.
  private static var mostFences: Int { 256 }
  private static var crowdPatience: Int { 32 }

  /// Nothing is known yet.
  package init() {}

  /// Sees to it that the fences that meet `reach` are known.
  ///
  /// - Returns: whether they are; else the set must be asked.
  package mutating func cover(_ reach: Box, _ set: FenceSet) -> Bool {
    if let box, box.holds(reach) { return true }
    guard patience == 0 else {
      patience -= 1
      return false
    }
    guard let wider = Self.widened(reach) else { return false }
    box = nil
    fences.removeAll(keepingCapacity: true)
    var count = 0
    set.forEachFence(near: wider) { index in
      count += 1
      if count <= Self.mostFences { fences.append(UInt32(index)) }
    }
    guard count <= Self.mostFences else {
      patience = Self.crowdPatience
      return false
    }
    box = wider
    return true
  }

  /// Forgets all, as the device or the set is another.
  package mutating func clear() {
    box = nil
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
}

/// It is no part of a state: all are alike.
extension Neighbourhood: Hashable {
  package static func == (a: Self, b: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
