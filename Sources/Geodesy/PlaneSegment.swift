/// A straight line on the map.
struct PlaneSegment: Sendable {
  let start, end: PlanePoint

  var minX: Double { min(start.x, end.x) }
  var maxX: Double { max(start.x, end.x) }
  var minY: Double { min(start.y, end.y) }
  var maxY: Double { max(start.y, end.y) }

  /// Above 0 when `point` is to the left, below 0 to the right.
  ///
  /// The sign is exact for the ends (0) and for segments along an axis.
  func side(_ point: PlanePoint) -> Double {
    (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
  }

  /// The same line moved in longitude.
  func shifted(_ degrees: Double) -> PlaneSegment {
    PlaneSegment(
      start: PlanePoint(x: start.x + degrees, y: start.y),
      end: PlanePoint(x: end.x + degrees, y: end.y))
  }

  /// Whether the rectangles around both share a point.
  func isNear(_ other: PlaneSegment) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }

  /// Whether the lines share any point.
  func meets(_ other: PlaneSegment) -> Bool {
    guard isNear(other) else { return false }
    let (a, b) = (side(other.start), side(other.end))
    let (c, d) = (other.side(start), other.side(end))
    return !((a > 0 && b > 0) || (a < 0 && b < 0) || (c > 0 && d > 0) || (c < 0 && d < 0))
  }

  /// Whether the lines cross between their ends or overlap for some length; a touch in one point is
  /// neither.
  func crossesOrCovers(_ other: PlaneSegment) -> Bool {
    guard isNear(other) else { return false }
    let (a, b) = (side(other.start), side(other.end))
    if a == 0 && b == 0 {
      let overX = min(maxX, other.maxX) - max(minX, other.minX)
      let overY = min(maxY, other.maxY) - max(minY, other.minY)
      return max(overX, overY) > 0
    }
    let (c, d) = (other.side(start), other.side(end))
    return ((a > 0 && b < 0) || (a < 0 && b > 0)) && ((c > 0 && d < 0) || (c < 0 && d > 0))
  }

  /// The fractions of this line where `other` meets it: none, one, or two where they overlap.
  ///
  /// A meeting that rounding may have put just beyond an end is included.
  func fractions(of other: PlaneSegment) -> (Double?, Double?) {
    let slack = 1e-9
    let (a, b) = (other.side(start), other.side(end))
    let (c, d) = (side(other.start), side(other.end))
    if a == b {
      guard a == 0 else { return (nil, nil) }
      return (projection(other.start), projection(other.end))
    }
    let along = a / (a - b)
    let across = c / (c - d)
    guard along >= -slack && along <= 1 + slack && across >= -slack && across <= 1 + slack else {
      return (nil, nil)
    }
    return (min(1, max(0, along)), nil)
  }

  /// The fraction of this line nearest to `point` when a degree of longitude counts as `scale`
  /// degrees of latitude, 0...1.
  func projection(_ point: PlanePoint, scale: Double = 1) -> Double {
    let (x, y) = ((end.x - start.x) * scale, end.y - start.y)
    let square = x * x + y * y
    guard square > 0 else { return 0 }
    let dot = (point.x - start.x) * scale * x + (point.y - start.y) * y
    return min(1, max(0, dot / square))
  }
}
