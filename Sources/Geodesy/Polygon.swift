/// An outer ring with holes; all edges belong to it, those of the holes too.
///
/// Edges are straight lines in longitude and latitude (RFC 7946, section 3.1.1). Each goes the
/// shorter way round in longitude, so a ring may be written over the antimeridian as 179 to −179;
/// an edge of exactly 360 degrees is taken as written, along the parallel. A ring that winds once
/// round the Earth contains the pole on its smaller side. A point is inside when an odd number of
/// rings contains it; the direction of the rings does not matter.
public struct Polygon: Sendable {
  /// The vertices of the outer ring, without a closing vertex.
  /// - Complexity: O(n).
  public var exterior: [Coordinate] { rings.first.map { Array($0.written) } ?? [] }
  /// The vertices of the holes, without closing vertices.
  /// - Complexity: O(n).
  public var holes: [[Coordinate]] { rings.dropFirst().map { Array($0.written) } }
  /// The number of vertices of all rings, without closing vertices.
  package var vertexCount: Int { rings.reduce(0) { $0 + $1.written.count } }
  /// A box that contains the polygon, the narrowest unless the polygon contains a pole.
  public let boundingBox: Box
  /// Whether some edge was longer than 180 degrees as written, and so taken the other way round.
  public let spansWideEdge: Bool

  /// The rings, the outer first.
  let rings: [Ring]

  /// Makes a polygon from its rings; a closing vertex equal to the first is dropped.
  ///
  /// A ring may touch itself in a point. Holes are inside of the outer ring and do not overlap; they may
  /// touch it, and each other, in points and along edges.
  /// - Throws: ``PolygonError`` for the first invalid ring.
  /// - Complexity: O(n log n) for n vertices; up to 1,000 steps each where many edges lie over the
  ///   same longitude, or over those of other rings.
  public init(exterior: [Coordinate], holes: [[Coordinate]] = []) throws(PolygonError) {
    let (exterior, holes) = (Self.opened(exterior), holes.map(Self.opened))
    var rings: [Ring] = []
    rings.append(try Self.ring(exterior, 0))
    for (index, hole) in holes.enumerated() {
      rings.append(try Self.ring(hole, index + 1))
    }
    if rings.count > 1 {
      var check = HoleCheck(rings)
      try check.run()
    }
    self.init(rings)
  }

  /// Makes a polygon from rings that were validated before, the outer one first, without a copy.
  ///
  /// Nil when there are no rings, a vertex is not a valid coordinate or a ring is flat.
  /// Whether rings cross, and where holes are, is not checked again.
  /// - Complexity: O(n) for n vertices.
  package init?(checkedRings: [Vertices]) {
    var rings: [Ring] = []
    for vertices in checkedRings {
      guard vertices.count >= 3, vertices.allSatisfy(\.isValid) else { return nil }
      let ring = Ring(vertices)
      guard !ring.isFlat else { return nil }
      rings.append(ring)
    }
    guard !rings.isEmpty else { return nil }
    self.init(rings)
  }

  private init(_ rings: [Ring]) {
    self.rings = rings
    boundingBox = rings.dropFirst().reduce(rings[0].boundingBox) { $0.union($1.boundingBox) }
    spansWideEdge = rings.contains { $0.spansWideEdge }
  }

  /// The vertices without a last one that repeats the first (RFC 7946, section 3.1.6, closes rings so).
  private static func opened(_ vertices: [Coordinate]) -> [Coordinate] {
    guard vertices.count > 1, vertices.first == vertices.last else { return vertices }
    return vertices.dropLast()
  }

  /// The ring of the vertices; `number` is the one that an error names.
  private static func ring(_ vertices: [Coordinate], _ number: Int) throws(PolygonError) -> Ring {
    if let index = vertices.firstIndex(where: { !$0.isValid }) {
      throw .invalidCoordinate(ring: number, index: index)
    }
    let count = Set(vertices).count
    guard count >= 3 else { throw .tooFewVertices(ring: number, count: count) }
    let ring = Ring(Vertices(vertices))
    guard !ring.isFlat else { throw .zeroArea(ring: number) }
    switch ring.edgeCheck() {
    case .simple: return ring
    case .crossing(let edge, let other):
      throw .selfIntersection(
        ring: number, edge: ring.vertexIndex(edge), other: ring.vertexIndex(other))
    case .tangled: throw .tooTangled(ring: number)
    }
  }

  /// Whether `coordinate` is in the polygon or on an edge.
  ///
  /// Exact at vertices and for edges along a meridian or parallel, else accurate to 1e-13 degrees.
  /// A pole is inside when it is a vertex or a ring contains it.
  /// - Complexity: O(log n) for most rings of n vertices, O(n) for those that go to and fro over the
  ///   meridian of the place; O(1) outside the bounding box.
  public func contains(_ coordinate: Coordinate) -> Bool {
    boundingBox.contains(coordinate) && contains(coordinate, tolerance: 0)
  }

  /// Whether `coordinate` is in the polygon or at most about `tolerance` degrees from an edge.
  ///
  /// A place in a hole is in two rings, so it is outside; the edge of a hole is inside.
  func contains(_ coordinate: Coordinate, tolerance: Double) -> Bool {
    var isInside = false
    for ring in rings {
      switch ring.location(of: coordinate, tolerance: tolerance) {
      case .edge: return true
      case .inside: isInside.toggle()
      case .outside: break
      }
    }
    return isInside
  }
}

extension Polygon: Hashable {
  /// Whether both are written with the same vertices in the same order.
  public static func == (a: Polygon, b: Polygon) -> Bool {
    a.rings.count == b.rings.count
      && zip(a.rings, b.rings).allSatisfy { $0.written.elementsEqual($1.written) }
  }

  /// Hashes the vertices.
  public func hash(into hasher: inout Hasher) {
    for ring in rings {
      hasher.combine(ring.written.count)
      for vertex in ring.written { hasher.combine(vertex) }
    }
  }
}

extension Polygon: Codable {
  private enum CodingKeys: CodingKey {
    case exterior, holes
  }

  /// Reads the rings.
  /// - Throws: `DecodingError.dataCorrupted` with the message of ``PolygonError`` for bad rings.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let exterior = try container.decode([Coordinate].self, forKey: .exterior)
    let holes = try container.decode([[Coordinate]].self, forKey: .holes)
    do throws(PolygonError) {
      try self.init(exterior: exterior, holes: holes)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }

  /// Writes the rings.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(exterior, forKey: .exterior)
    try container.encode(holes, forKey: .holes)
  }
}
