internal import Geodesy

/// How far the edges of fences were when they were last measured: while a device has not come nearer to
/// an edge than matters, the distance need not be measured again.
///
/// They are not part of the state: each follows from the fence and a place, and without them the events
/// are the same.
struct Clearances: Sendable {
  /// What was measured of one fence.
  private struct Entry: Sendable {
    var fence: Int
    /// Where it was measured.
    var place: Coordinate
    /// The cosine of all latitudes around it is not larger.
    var cosine: Double
    /// How far the edge is from there, metres.
    var distance: ClosedRange<Double>
    var isInside: Bool
  }

  /// Those that were measured first are first.
  private var entries: [Entry] = []

  /// Most fences that are kept: a device is seldom in more of them, or beside more, at a time.
  private static var most: Int { 16 }
  /// Metres of a degree of latitude, the most there are.
  private static var latitudeDegree: Double { 111_700 }
  /// The largest least distance that is kept, metres, and how much larger a cosine is at most so far away.
  private static var mostMetres: Double { 100_000 }
  private static var cosineSlack: Double { 0.02 }

  /// Whether nothing was measured since the device or the set changed.
  var isEmpty: Bool { entries.isEmpty }

  /// How far the edge of a fence is from a place on the given side of it, metres; nil when that is not known.
  @inline(__always)
  func distance(
    toEdgeOf fence: Int, isInside: Bool, from place: Coordinate
  ) -> (least: Double, most: Double)? {
    // Those around the device were mostly measured last.
    for entry in entries.reversed() where entry.fence == fence {
      guard entry.isInside == isInside else { return nil }
      let way = Self.longestWay(from: entry.place, to: place, cosine: entry.cosine)
      return (entry.distance.lowerBound - way, entry.distance.upperBound + way)
    }
    return nil
  }

  /// Metres that a geodesic has at most; many more than it has where it leads over the antimeridian.
  ///
  /// - Parameter cosine: the cosines of the latitudes are not larger.
  @inline(__always)
  static func longestWay(from a: Coordinate, to b: Coordinate, cosine: Double = 1) -> Double {
    let (north, east) = (b.latitude - a.latitude, (b.longitude - a.longitude) * cosine)
    return (north * north + east * east).squareRoot() * latitudeDegree
  }

  /// A number that the cosines of the latitudes are not above from which a place is 100 km away or less.
  @inline(__always)
  static func cosine(around place: Coordinate) -> Double {
    let square = place.latitude * place.latitude * (.pi / 180) * (.pi / 180)
    // The series is cut where it is above.
    return 1 - square * (1 / 2.0) * (1 - square * (1 / 12.0)) + cosineSlack
  }

  /// Notes how far the edge of a fence is from a place.
  ///
  /// - Parameter distance: metres, negative inside, right to 1 % (``Area/signedDistance(to:)``).
  mutating func note(_ fence: Int, edgeAt distance: Double, from place: Coordinate) {
    let least = Self.leastDistance(distance)
    let entry = Entry(
      fence: fence, place: place, cosine: Self.cosine(around: place),
      distance: least...max(least, abs(distance) * 1.01 + 1), isInside: distance < 0)
    if let known = entries.lastIndex(where: { $0.fence == fence }) {
      entries[known] = entry
    } else {
      if entries.count == Self.most { entries.removeFirst() }
      entries.append(entry)
    }
  }

  /// How far an edge is at least that was measured at a distance, metres.
  @inline(__always)
  static func leastDistance(_ measured: Double) -> Double {
    min(abs(measured) * 0.99 - 1, mostMetres)
  }

  /// Forgets all, as the device or the set is another.
  mutating func clear() {
    if !entries.isEmpty { entries.removeAll(keepingCapacity: true) }
  }
}

/// They are not part of the state, so all are equal.
extension Clearances: Hashable {
  static func == (a: Self, b: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
