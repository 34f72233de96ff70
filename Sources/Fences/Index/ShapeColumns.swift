internal import Geodesy

/// Polygons as they lie in memory: every list has the ends of its elements' parts in the next list.
struct ShapeColumns {
  /// Of each shape in ``polygonEnds``.
  private(set) var shapeEnds: [UInt32] = []
  /// Of each polygon in ``ringEnds``; its first ring is the outer one.
  private(set) var polygonEnds: [UInt32] = []
  /// Of each ring in ``points``.
  private(set) var ringEnds: [UInt32] = []
  /// Vertices as written.
  private(set) var points: [Coordinate] = []

  /// Adds a shape of polygons; its number is how many there were.
  mutating func append(_ polygons: [Polygon]) {
    for polygon in polygons {
      for ring in [polygon.exterior] + polygon.holes {
        points.append(contentsOf: ring)
        ringEnds.append(UInt32(truncatingIfNeeded: points.count))
      }
      polygonEnds.append(UInt32(truncatingIfNeeded: ringEnds.count))
    }
    shapeEnds.append(UInt32(truncatingIfNeeded: polygonEnds.count))
  }
}

/// Makes the shapes of the columns of a table.
struct ShapeReader {
  let shapeEnds, polygonEnds, ringEnds: UnsafeBufferPointer<UInt32>
  let points: UnsafeBufferPointer<Coordinate>
  /// What keeps them.
  let owner: any AnyObject & Sendable

  /// - Returns: nil when the columns are not those of a shape.
  /// - Complexity: O(n) for n vertices.
  func area(_ shape: Int) -> Area? {
    guard let range = Self.range(shape, shapeEnds, polygonEnds.count), !range.isEmpty else {
      return nil
    }
    var polygons: [Polygon] = []
    for index in range {
      guard let polygon = polygon(index) else { return nil }
      polygons.append(polygon)
    }
    return .polygons(polygons)
  }

  private func polygon(_ index: Int) -> Polygon? {
    guard let range = Self.range(index, polygonEnds, ringEnds.count) else { return nil }
    var rings: [Vertices] = []
    for ring in range {
      guard let vertices = Self.range(ring, ringEnds, points.count) else { return nil }
      rings.append(Vertices(UnsafeBufferPointer(rebasing: points[vertices]), owner: owner))
    }
    return Polygon(checkedRings: rings)
  }

  /// The range of an element in the next list.
  private static func range(
    _ index: Int, _ ends: UnsafeBufferPointer<UInt32>, _ count: Int
  ) -> Range<Int>? {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    let end = Int(ends[index])
    return start <= end && end <= count ? start..<end : nil
  }
}
