import TestSupport
import Testing

@testable import Geodesy

/// A search of a ring finds what is found in all of its edges.
@Suite("Edges of a long ring")
struct EdgeTreeTests {
  /// A star of many vertices with an uneven edge, around a place and perhaps over the antimeridian.
  private static func star(
    _ count: Int, _ random: inout SeededGenerator
  ) -> (coordinates: [Coordinate], center: PlanePoint, size: Double) {
    let center = PlanePoint(
      x: Bool.random(using: &random) ? 179.9 : Double.random(in: -170...170, using: &random),
      y: Double.random(in: -75...75, using: &random))
    let size = Double.random(in: 0.001...3, using: &random)
    let roughness = Double.random(in: 0...0.9, using: &random)
    let coordinates = (0..<count).map { index in
      let turn = Double(index) / Double(count) * 2 * .pi
      let radius = size * (1 - roughness * Double.random(in: 0...1, using: &random))
      let (sine, cosine) = Angle.sinCos(turn / Angle.radian)
      return Coordinate(
        latitude: center.y + radius * sine, longitude: Angle.wrapped(center.x + radius * cosine))
    }
    return (coordinates, center, size)
  }

  private static func places(
    _ center: PlanePoint, _ size: Double, _ coordinates: [Coordinate],
    _ random: inout SeededGenerator
  ) -> [Coordinate] {
    let near = (0..<30).map { _ in
      Coordinate(
        latitude: center.y + Double.random(in: -1.5 * size...1.5 * size, using: &random),
        longitude: Angle.wrapped(
          center.x + Double.random(in: -1.5 * size...1.5 * size, using: &random)))
    }
    // At vertices, and beside and above them.
    return near
      + (0..<10).flatMap { _ in
        let vertex = coordinates[Int.random(in: coordinates.indices, using: &random)]
        return [
          vertex, Coordinate(latitude: vertex.latitude, longitude: center.x),
          Coordinate(latitude: center.y, longitude: vertex.longitude),
        ]
      }
  }

  /// Whether a place is inside, by the parity of all edges north of it; nil on an edge.
  private static func isInside(_ ring: Ring, _ place: Coordinate) -> Bool? {
    var isOdd = false
    for shift in Ring.shifts(ring.minX - place.longitude, ring.maxX - place.longitude) {
      let point = PlanePoint(x: place.longitude + shift, y: place.latitude)
      for index in 0..<ring.edgeCount {
        let edge = ring.edge(index)
        let side = edge.side(point)
        guard point.x >= edge.minX, point.x <= edge.maxX, point.y <= edge.maxY else { continue }
        if point.y >= edge.minY, side == 0 { return nil }
        guard (edge.start.x <= point.x) != (edge.end.x <= point.x) else { continue }
        if (edge.end.x > edge.start.x) == (side < 0) { isOdd.toggle() }
      }
    }
    return isOdd
  }

  /// The point of all edges that is nearest in the plane at a place.
  private static func nearest(_ ring: Ring, _ place: Coordinate) -> Coordinate? {
    let radii = MiddleLatitude(place.latitude).radii
    let scale = radii.parallel / radii.meridian
    var (square, nearest) = (Double.infinity, PlanePoint?.none)
    for shift in Ring.shifts(
      ring.minX - 180 - place.longitude, ring.maxX + 180 - place.longitude)
    {
      let point = PlanePoint(x: place.longitude + shift, y: place.latitude)
      for index in 0..<ring.edgeCount {
        let edge = ring.edge(index)
        let foot = edge.start.interpolated(to: edge.end, edge.projection(point, scale: scale))
        let (x, y) = ((foot.x - point.x) * scale, foot.y - point.y)
        if x * x + y * y < square { (square, nearest) = (x * x + y * y, foot) }
      }
    }
    return nearest?.coordinate
  }

  @Test(
    "are searched as all edges are: inside, the nearest, and crossings",
    arguments: [3, 63, 64, 65, 127, 128, 129, 1_000, 1_024, 2_049, 20_000])
  func sameAsAll(_ count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    for _ in 0..<(count > 10_000 ? 2 : 20) {
      let (coordinates, center, size) = Self.star(count, &random)
      let polygon = try #require(Polygon(checkedRings: [Vertices(coordinates)]))
      let (ring, area) = (polygon.rings[0], Area.polygons([polygon]))
      let places = Self.places(center, size, coordinates, &random)
      for (index, place) in places.enumerated() {
        let isInside = Self.isInside(ring, place)
        #expect(
          ring.location(of: place)
            == (isInside.map { $0 ? .inside : .outside } ?? .edge), "\(count) \(place)")
        let distance = try #require(Self.nearest(ring, place)).distance(to: place)
        let found = area.signedDistance(to: place)
        #expect(abs(found) == distance, "\(count) \(place)")
        #expect(isInside == nil || (found <= 0) == (isInside == true), "\(count) \(place)")
        guard index > 0 else { continue }
        let path = PlaneSegment(
          start: PlanePoint(x: places[index - 1].longitude, y: places[index - 1].latitude),
          end: PlanePoint(x: place.longitude, y: place.latitude))
        var (some, all): ([Double], [Double]) = ([], [])
        ring.meet(path) { some.append($0) }
        for shift in Ring.shifts(ring.minX - path.maxX, ring.maxX - path.minX) {
          for index in 0..<ring.edgeCount where ring.edge(index).isNear(path.shifted(shift)) {
            let (one, other) = path.shifted(shift).fractions(of: ring.edge(index))
            all += [one, other].compactMap(\.self)
          }
        }
        #expect(some == all, "\(count) \(path)")
      }
    }
  }

  @Test("few are read of a ring of 100,000 vertices", arguments: [100_000, 10_000, 1_000])
  func fewAreRead(_ count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let (coordinates, center, _) = Self.star(count, &random)
    let tree = EdgeTree(PlanePoints(Vertices(coordinates), isClosed: false))
    let point = PlanePoint(x: center.x, y: center.y)
    var (asked, read) = (0, 0)
    tree.search { box, _ in
      asked += 1
      return box.isBesideOrSouth(of: point, 0) || box.isNorth(of: point, 0)
    } _: { _ in
      read += 1
      return true
    }
    #expect(asked + read < 200, "\(asked) boxes, \(read) edges")
  }
}
