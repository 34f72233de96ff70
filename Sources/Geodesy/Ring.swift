internal import Glibc

/// A closed line on the map, straight between its vertices, its longitudes unwrapped.
struct Ring: Sendable {
  /// The vertices as written.
  let written: Vertices
  /// The vertices, the first repeated at the end.
  ///
  /// That last point is 360 degrees further when the ring winds round the Earth. No two neighbours
  /// are equal. The points share the memory of the written vertices unless something had to be
  /// changed.
  let points: PlanePoints
  /// Finds edges.
  let edges: EdgeTree
  /// Whether some edge was longer than 180 degrees as written.
  let spansWideEdge: Bool
  let minX, maxX, south, north: Double
  /// The longitudes of the westernmost and the easternmost vertex as written.
  private let west, east: Double
  /// Turns round the Earth, eastwards positive; 0 for most.
  let winding: Int
  /// For a ring that winds: whether its inside is the north, the smaller side.
  let holdsNorth: Bool

  /// Unwraps valid vertices.
  init(_ vertices: Vertices) {
    let (points, isWide, turn, ends) = Self.unwrap(vertices)
    written = vertices
    self.points = points
    edges = EdgeTree(points)
    spansWideEdge = isWide
    winding = Int((turn / 360).rounded())
    (west, east) = ends
    minX = points.reduce(.infinity) { min($0, $1.x) }
    maxX = points.reduce(-.infinity) { max($0, $1.x) }
    south = points.reduce(.infinity) { min($0, $1.y) }
    north = points.reduce(-.infinity) { max($0, $1.y) }
    holdsNorth = Self.meanSine(points) * turn >= 0
  }

  /// The points, whether an edge is longer than 180 degrees as written, the turns in degrees, and
  /// the longitudes of the westernmost and the easternmost vertex.
  private static func unwrap(
    _ vertices: Vertices
  ) -> (PlanePoints, isWide: Bool, turn: Double, ends: (west: Double, east: Double)) {
    // Vertices that need no change need no copy.
    if isPlain(vertices) {
      let west = vertices.reduce(.infinity) { min($0, $1.longitude) }
      let east = vertices.reduce(-.infinity) { max($0, $1.longitude) }
      return (PlanePoints(vertices, isClosed: false), false, 0, (west, east))
    }
    var points: [Coordinate] = []
    var isWide = false
    var turn = 0.0
    var (westmost, eastmost) = ((x: Double.infinity, 0.0), (x: -Double.infinity, 0.0))
    for (index, vertex) in vertices.enumerated() {
      if index > 0 { turn += Self.turn(from: vertices[index - 1], to: vertex, &isWide) }
      let point = Coordinate(latitude: vertex.latitude, longitude: vertex.longitude + turn)
      if point.longitude < westmost.x { westmost = (point.longitude, vertex.longitude) }
      if point.longitude > eastmost.x { eastmost = (point.longitude, vertex.longitude) }
      if points.last != point { points.append(point) }
    }
    if let first = vertices.first, let last = vertices.last {
      turn += Self.turn(from: last, to: first, &isWide)
      let close = Coordinate(latitude: first.latitude, longitude: first.longitude + turn)
      if points.last != close { points.append(close) }
    }
    return (
      PlanePoints(Vertices(points), isClosed: true), isWide, turn, (westmost.1, eastmost.1)
    )
  }

  /// Whether every edge goes the way it is written, and no vertex repeats its predecessor, or the
  /// first at the end.
  private static func isPlain(_ vertices: Vertices) -> Bool {
    guard vertices.count > 1, var last = vertices.last else { return false }
    for vertex in vertices {
      guard vertex != last, abs(vertex.longitude - last.longitude) <= 180 else { return false }
      last = vertex
    }
    return true
  }

  /// The whole turn to add after an edge, so that it goes the shorter way; an edge of exactly 360
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
  private static func meanSine(_ points: PlanePoints) -> Double {
    zip(points, points.dropFirst()).reduce(0) { sum, edge in
      let (a, b) = (edge.0.y * Angle.radian, edge.1.y * Angle.radian)
      // The mean of the sine from a to b, in a form that holds for a = b.
      let half = (b - a) / 2
      let mean = sin((a + b) / 2) * (half == 0 ? 1 : sin(half) / half)
      return sum + (edge.1.x - edge.0.x) * mean
    }
  }

  /// The whole turns in degrees between two numbers (and a nanodegree beyond, for rounding); empty
  /// when the numbers are not differences of longitudes.
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

  /// The box around the ring and the pole it contains.
  var boundingBox: Box {
    guard winding == 0 && maxX - minX < 360 else {
      return Box(
        south: winding != 0 && !holdsNorth ? -90 : south, west: -180,
        north: winding != 0 && holdsNorth ? 90 : north, east: 180)
    }
    return Box(south: south, west: west, north: north, east: east)
  }
}
