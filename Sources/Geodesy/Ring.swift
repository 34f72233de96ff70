internal import Glibc

/// A closed line on the map, straight between its vertices, its longitudes unwrapped.
struct Ring: Sendable {
  /// The vertices, the first repeated at the end (360 degrees on when the ring winds round the
  /// Earth); no two neighbours are equal.
  let points: [PlanePoint]
  /// Whether some edge was longer than 180 degrees as written.
  let spansWideEdge: Bool
  let minX, maxX, south, north: Double
  /// The longitudes of the westernmost and the easternmost vertex as written.
  private let west, east: Double
  /// Turns round the Earth, eastwards positive; 0 for most.
  let winding: Int
  /// Of a ring that winds: whether its inside is the north, the smaller side.
  let holdsNorth: Bool

  /// Unwraps valid vertices.
  init(_ vertices: [Coordinate]) {
    var points: [PlanePoint] = []
    var isWide = false
    var turn = 0.0
    var (westmost, eastmost) = ((x: Double.infinity, 0.0), (x: -Double.infinity, 0.0))
    for (index, vertex) in vertices.enumerated() {
      if index > 0 {
        turn += Self.turn(from: vertices[index - 1], to: vertex, &isWide)
      }
      let point = PlanePoint(x: vertex.longitude + turn, y: vertex.latitude)
      if point.x < westmost.x { westmost = (point.x, vertex.longitude) }
      if point.x > eastmost.x { eastmost = (point.x, vertex.longitude) }
      if let last = points.last, last.x == point.x && last.y == point.y { continue }
      points.append(point)
    }
    if let first = vertices.first, let last = vertices.last {
      turn += Self.turn(from: last, to: first, &isWide)
      let close = PlanePoint(x: first.longitude + turn, y: first.latitude)
      if points.last?.x != close.x || points.last?.y != close.y { points.append(close) }
    }
    self.points = points
    spansWideEdge = isWide
    winding = Int((turn / 360).rounded())
    (west, east) = (westmost.1, eastmost.1)
    minX = points.reduce(.infinity) { min($0, $1.x) }
    maxX = points.reduce(-.infinity) { max($0, $1.x) }
    south = points.reduce(.infinity) { min($0, $1.y) }
    north = points.reduce(-.infinity) { max($0, $1.y) }
    holdsNorth = Self.meanSine(points) * turn >= 0
  }

  /// The whole turn to add after an edge, so that it goes the shorter way; one of exactly 360
  /// degrees stays as written.
  private static func turn(
    from a: Coordinate, to b: Coordinate, _ isWide: inout Bool
  ) -> Double {
    let east = b.longitude - a.longitude
    guard abs(east) > 180 && abs(east) < 360 else { return 0 }
    isWide = true
    return east > 0 ? -360 : 360
  }

  /// The integral of the sine of the latitude over the longitude.
  private static func meanSine(_ points: [PlanePoint]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { sum, edge in
      let (a, b) = (edge.0.y * Angle.radian, edge.1.y * Angle.radian)
      // The mean of the sine from a to b, in a form that holds for a = b.
      let half = (b - a) / 2
      let mean = sin((a + b) / 2) * (half == 0 ? 1 : sin(half) / half)
      return sum + (edge.1.x - edge.0.x) * mean
    }
  }

  /// The whole turns in degrees between two numbers (and a nanodegree beyond, for rounding); none when the numbers are no differences of longitudes.
  static func shifts(_ low: Double, _ high: Double) -> StrideThrough<Double> {
    guard abs(low) < 1e6 && abs(high) < 1e6 else { return stride(from: 0, through: -1, by: 1) }
    return stride(
      from: 360 * ((low - 1e-9) / 360).rounded(.up),
      through: 360 * ((high + 1e-9) / 360).rounded(.down), by: 360)
  }

  /// The number of edges.
  var edgeCount: Int { max(0, points.count - 1) }

  /// The edge from the vertex `index` to the next.
  func edge(_ index: Int) -> PlaneSegment {
    PlaneSegment(start: points[index], end: points[index + 1])
  }

  /// Twice the enclosed area in square degrees, of a ring that does not wind; the sign is
  /// positive when it runs counterclockwise.
  var doubledArea: Double {
    guard let first = points.first else { return 0 }
    return zip(points, points.dropFirst()).reduce(0) { sum, edge in
      sum + (edge.0.x - first.x) * (edge.1.y - first.y)
        - (edge.1.x - first.x) * (edge.0.y - first.y)
    }
  }

  /// The box around the ring and the pole it holds.
  var boundingBox: Box {
    guard winding == 0 && maxX - minX < 360 else {
      return Box(
        south: winding != 0 && !holdsNorth ? -90 : south, west: -180,
        north: winding != 0 && holdsNorth ? 90 : north, east: 180)
    }
    return Box(south: south, west: west, north: north, east: east)
  }
}
