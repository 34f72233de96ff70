internal import Glibc

/// The crossings of a path with polygons.
struct PolygonIntersection {
  private let polygons: [Polygon]
  private let start, end: Coordinate
  private let line: GeodesicLine?
  /// The largest accepted distance of a piece of the path from a straight line on the map, metres.
  private let tolerance: Double

  /// Crossings closer together than this fraction of the path are one: the seam of two parts.
  private static var seam: Double { 1e-9 }
  /// Degrees (a micrometre) from an edge at which a path counts as along it.
  private static var edgeWidth: Double { 1e-11 }

  init(polygons: [Polygon], from start: Coordinate, to end: Coordinate) {
    self.polygons = polygons
    self.start = start
    self.end = end
    if Self.isStraight(start, end, tolerance: 0.01) {
      line = nil
      tolerance = 0.01
    } else {
      let line = GeodesicLine(from: start, to: end)
      self.line = line
      tolerance = max(0.01, 1e-7 * line.length)
    }
  }

  /// Appends the crossings, see ``Area/crossings(from:to:into:)``.
  func crossings(into fractions: inout [Double]) {
    let first = fractions.count
    meet(from: start, at: 0, to: end, at: 1, into: &fractions)
    fractions[first...].sort()
    classify(&fractions, from: first)
  }

  /// Appends every meeting with an edge between two fractions of the path, halving it until it is
  /// straight on the map.
  ///
  /// Parts far from the polygons are skipped.
  private func meet(
    from a: Coordinate, at low: Double, to b: Coordinate, at high: Double,
    into fractions: inout [Double]
  ) {
    let box = Box(pathFrom: a, to: b)
    guard polygons.contains(where: { $0.boundingBox.intersects(box) }) else { return }
    let middle = low + (high - low) / 2
    guard let line, middle > low, middle < high,
      (high - low) * line.length > tolerance, !Self.isStraight(a, b, tolerance: tolerance)
    else {
      meetStraight(from: a, at: low, to: b, at: high, into: &fractions)
      return
    }
    let center = line.coordinate(atFraction: middle)
    meet(from: a, at: low, to: center, at: middle, into: &fractions)
    meet(from: center, at: middle, to: b, at: high, into: &fractions)
  }

  private func meetStraight(
    from a: Coordinate, at low: Double, to b: Coordinate, at high: Double,
    into fractions: inout [Double]
  ) {
    let path = Self.segment(a, b)
    for polygon in polygons {
      for ring in polygon.rings {
        ring.meet(path) { fractions.append(low + (high - low) * $0) }
      }
    }
  }

  /// The straight line on the map between two points, the shorter way round; a pole takes the
  /// longitude of the other end.
  private static func segment(_ a: Coordinate, _ b: Coordinate) -> PlaneSegment {
    let startX = abs(a.latitude) >= 90 ? b.longitude : a.longitude
    let endX = abs(b.latitude) >= 90 ? startX : b.longitude
    let east = Angle.wrapped(endX - startX)
    // The longitude as written unless the line crosses the antimeridian, so that equal longitudes
    // meet exactly.
    return PlaneSegment(
      start: PlanePoint(x: startX, y: a.latitude),
      end: PlanePoint(x: abs(endX - startX) <= 180 ? endX : startX + east, y: b.latitude))
  }

  /// Whether the geodesic and the straight line on the map are at most `tolerance` metres apart.
  ///
  /// On a sphere a geodesic's longitude and latitude have the second derivatives
  /// (2 tan φ sin α cos α, −tan φ sin² α) / R in metres along it, at most 1.155 tan φ / R.
  private static func isStraight(_ a: Coordinate, _ b: Coordinate, tolerance: Double) -> Bool {
    let north = abs(a.latitude - b.latitude) * Angle.radian
    let east = abs(Angle.wrapped(a.longitude - b.longitude)) * Angle.radian
    let highest = max(abs(a.latitude), abs(b.latitude))
    let (sine, cosine) = Angle.sinCos(highest)
    // The parallel's length is an upper bound along the path; N is at most a / (1 − f).
    let width = min(1, cosine + north) * east
    let radius = Ellipsoid.equatorialRadius / Ellipsoid.axisRatio
    let square = (north * north + width * width) * radius
    // Along a meridian both are the same line.
    guard east > 0, highest < 90 else { return true }
    return square * sine * 1.2 <= 8 * tolerance * cosine
  }

  /// Turns sorted meetings into crossings: tests the middle of each interval between them, and
  /// keeps the meetings where inside and outside change.
  private func classify(_ fractions: inout [Double], from first: Int) {
    var isInside = contains(start)
    var (previous, kept) = (0.0, first)
    let count = fractions.count
    for index in first...count {
      let next = index < count ? fractions[index] : 1
      guard next - previous > Self.seam else { continue }
      let middle = coordinate(atFraction: (previous + next) / 2)
      if polygons.contains(where: { $0.contains(middle, tolerance: Self.edgeWidth) }) != isInside {
        Self.keep(previous, at: &kept, in: &fractions)
        isInside.toggle()
      }
      previous = next
    }
    if isInside != contains(end) { Self.keep(1, at: &kept, in: &fractions) }
    fractions.removeLast(fractions.count - kept)
  }

  /// Overwrites what has already been read; there is one interval more than meetings.
  private static func keep(_ fraction: Double, at index: inout Int, in fractions: inout [Double]) {
    if index < fractions.count { fractions[index] = fraction } else { fractions.append(fraction) }
    index += 1
  }

  private func contains(_ coordinate: Coordinate) -> Bool {
    polygons.contains { $0.contains(coordinate) }
  }

  /// The point at a fraction of the path, computed as for its pieces.
  private func coordinate(atFraction fraction: Double) -> Coordinate {
    if let line { return line.coordinate(atFraction: fraction) }
    let path = Self.segment(start, end)
    return path.start.interpolated(to: path.end, fraction).coordinate
  }
}

extension Ring {
  /// Calls `found` with the fraction of `path` of each meeting with an edge.
  func meet(_ path: PlaneSegment, _ found: (Double) -> Void) {
    for shift in Self.shifts(minX - path.maxX, maxX - path.minX) {
      let shifted = path.shifted(shift)
      edges.search { box, _ in
        box.isApart(from: shifted)
      } _: { index in
        guard edge(index).isNear(shifted) else { return true }
        let (one, other) = shifted.fractions(of: edge(index))
        if let one { found(one) }
        if let other { found(other) }
        return true
      }
    }
  }
}
