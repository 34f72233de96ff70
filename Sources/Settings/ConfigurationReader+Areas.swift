internal import Geodesy
internal import Yams

/// Polygons.
extension ConfigurationReader {
  /// The polygon at `node` with the holes among `keys`.
  mutating func polygon(_ node: Node, _ keys: ConfigurationKeys) -> Area? {
    let exterior = ring(node, keys.path("polygon"))
    let holes = holes(keys)
    guard let exterior, let holes else { return nil }
    do {
      return .polygons([try Polygon(exterior: exterior, holes: holes)])
    } catch {
      note(error, keys)
      return nil
    }
  }

  /// Whether an edge of `area` spans more than 180 degrees of longitude as it was written.
  static func spansWideEdge(_ area: Area) -> Bool {
    guard case .polygons(let polygons) = area else { return false }
    return polygons.contains { $0.spansWideEdge }
  }

  private mutating func holes(_ keys: ConfigurationKeys) -> [[Coordinate]]? {
    guard let node = keys["holes"] else { return [] }
    let path = keys.path("holes")
    let expected = "a list of rings, each a list of [latitude, longitude]"
    guard let items = list(node, path, expected: expected) else { return nil }
    var rings: [[Coordinate]] = []
    for (index, item) in items.enumerated() {
      if let ring = ring(item, "\(path)[\(index)]") { rings.append(ring) }
    }
    return rings.count == items.count ? rings : nil
  }

  /// The vertices of a ring; the first may be repeated at the end.
  private mutating func ring(_ node: Node, _ path: String) -> [Coordinate]? {
    let expected = "a list of at least 3 corners, each [latitude, longitude]"
    guard let items = list(node, path, expected: expected) else { return nil }
    guard items.count >= 3 else {
      note(node, path, found: "a list of \(items.count)", expected: expected)
      return nil
    }
    var ring: [Coordinate] = []
    ring.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      if let corner = coordinate(item, "\(path)[\(index)]") { ring.append(corner) }
    }
    return ring.count == items.count ? ring : nil
  }

  /// Notes an invalid polygon at the vertex or ring of the error.
  private mutating func note(_ error: PolygonError, _ keys: ConfigurationKeys) {
    switch error {
    case .tooFewVertices(let ring, let count):
      note(
        keys, ring, found: "\(count) different corner\(count == 1 ? "" : "s")",
        expected: "at least 3")
    case .zeroArea(let ring):
      note(
        keys, ring, found: "corners that enclose nothing",
        expected: "corners in their order around an area")
    case .selfIntersection(let ring, let edge, let other):
      note(
        keys, ring, corner: edge,
        found: "that the edge from here meets the one from corner [\(other)]",
        expected: "corners in their order around the area")
    case .tooTangled(let ring):
      note(
        keys, ring, found: "too many long edges over each other to see whether they cross",
        expected: "a simpler ring, or several polygons")
    case .holeOutside(let ring, let edge):
      note(
        keys, ring, corner: edge, found: "that the hole is outside of the polygon here",
        expected: "holes inside of the polygon")
    case .holeOverlap(let ring, let other):
      note(
        keys, ring, found: "that the hole overlaps holes[\(other - 1)]",
        expected: "one hole for both, or holes beside each other")
    case .holeWithoutRest(let ring):
      note(
        keys, ring, found: "that the hole is as large as the polygon",
        expected: "a smaller hole, or no hole")
    case .invalidCoordinate(let ring, let index):
      note(
        keys, ring, corner: index, found: "an invalid coordinate", expected: "[latitude, longitude]"
      )
    }
  }

  private mutating func note(
    _ keys: ConfigurationKeys, _ ring: Int, corner: Int? = nil, found: String, expected: String
  ) {
    var path = keys.path(ring == 0 ? "polygon" : "holes")
    var node = keys[ring == 0 ? "polygon" : "holes"] ?? keys.node
    for index in [ring > 0 ? ring - 1 : nil, corner].compactMap({ $0 }) {
      path += "[\(index)]"
      if let items = node.sequence, items.indices.contains(index) { node = items[index] }
    }
    note(node, path, found: found, expected: expected)
  }
}
