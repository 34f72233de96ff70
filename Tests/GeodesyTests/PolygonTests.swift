import Foundation
import TestSupport
import Testing

@testable import Geodesy

/// Coordinates from longitude and latitude, as in GeoJSON.
func ring(_ pairs: [(Double, Double)]) -> [Coordinate] {
  pairs.map { Coordinate(latitude: $0.1, longitude: $0.0) }
}

/// A rectangle.
func rectangle(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [Coordinate] {
  ring([(west, south), (east, south), (east, north), (west, north)])
}

@Suite("Polygons")
struct PolygonTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test("vertices and edges along the axes belong to it, a hair beside does not")
  func edges() throws {
    let polygon = try Polygon(exterior: rectangle(13.1, 52.1, 13.3, 52.2))
    for vertex in polygon.exterior { #expect(polygon.contains(vertex)) }
    #expect(polygon.contains(place(52.1, 13.2)) && polygon.contains(place(52.15, 13.3)))
    #expect(!polygon.contains(place(52.1.nextDown, 13.2)))
    #expect(!polygon.contains(place(52.15, 13.3.nextUp)))
    #expect(!polygon.contains(place(52.15, 13.1.nextDown)))
    #expect(polygon.boundingBox == Box(south: 52.1, west: 13.1, north: 52.2, east: 13.3))
    #expect(!polygon.spansWideEdge)
  }

  @Test("the direction of the ring and a closing vertex make no difference")
  func direction() throws {
    let vertices = rectangle(0, 0, 2, 1)
    let closed = try Polygon(exterior: vertices + [vertices[0]])
    #expect(closed.exterior == vertices)
    let reversed = try Polygon(exterior: vertices.reversed())
    #expect(closed.contains(place(0.5, 1)) && reversed.contains(place(0.5, 1)))
    let copy = try Polygon(exterior: vertices)
    #expect(closed != reversed && closed == copy && closed.hashValue == copy.hashValue)
  }

  @Test(
    "a ring over the antimeridian is the same however it is written",
    arguments: [
      rectangle(179, -1, -179, 1), rectangle(-179, -1, 179, 1),
      ring([(180, -1), (-179, -1), (-179, 1), (180, 1), (179, 1), (179, -1)]),
    ])
  func antimeridian(vertices: [Coordinate]) throws {
    let polygon = try Polygon(exterior: vertices)
    for longitude in [179, 179.5, 180, -180, -179.5, -179] {
      #expect(polygon.contains(place(0, longitude)))
      #expect(polygon.contains(place(1, longitude)))
      #expect(!polygon.contains(place(1.1, longitude)))
    }
    #expect(!polygon.contains(place(0, 178.9)) && !polygon.contains(place(0, 0)))
    #expect(polygon.boundingBox == Box(south: -1, west: 179, north: 1, east: -179))
    #expect(polygon.spansWideEdge)
  }

  @Test("a ring round the Earth holds the pole on its smaller side", arguments: [1.0, -1.0])
  func polar(sign: Double) throws {
    let round = stride(from: -170.0, through: 170, by: 20).map { place(60 * sign, $0) }
    for vertices in [round, round.reversed()] {
      let polygon = try Polygon(exterior: vertices)
      #expect(polygon.contains(place(90 * sign, 12)))
      #expect(polygon.contains(place(75 * sign, 180)) && polygon.contains(place(75 * sign, -180)))
      #expect(polygon.contains(place(60 * sign, 180)) && polygon.contains(place(60 * sign, 7)))
      #expect(!polygon.contains(place(59.9 * sign, 7)) && !polygon.contains(place(-90 * sign, 0)))
      #expect(!polygon.contains(place(0, 0)))
      let box = polygon.boundingBox
      #expect(box.west == -180 && box.east == 180)
      #expect(sign > 0 ? (box.south, box.north) == (60, 90) : (box.south, box.north) == (-90, -60))
    }
  }

  @Test("a band around the Earth and Antarctica cut at the antimeridian are taken as written")
  func bands() throws {
    let band = try Polygon(exterior: rectangle(-180, 10, 180, 20))
    for longitude in [-180, -90, 0, 90, 180] as [Double] {
      #expect(band.contains(place(15, longitude)) && band.contains(place(10, longitude)))
      #expect(!band.contains(place(25, longitude)) && !band.contains(place(-5, longitude)))
    }
    #expect(!band.spansWideEdge && band.boundingBox.width == 360)
    let coast = ring([
      (-180, -90), (-180, -80), (-90, -70), (0, -75), (90, -65), (180, -80), (180, -90),
    ])
    let antarctica = try Polygon(exterior: coast)
    #expect(antarctica.contains(place(-90, 33)) && antarctica.contains(place(-85, 180)))
    #expect(antarctica.contains(place(-72, 0)) == false && antarctica.contains(place(-76, 0)))
    #expect(!antarctica.contains(place(90, 0)))
    let wound = try Polygon(exterior: Array(coast[1...4]) + [coast[5]])
    #expect(wound.contains(place(-90, 33)) == false || wound.boundingBox.south == -90)
  }

  @Test("a hole is outside, its edge inside; a hole round the pole makes a band")
  func holes() throws {
    let polygon = try Polygon(
      exterior: rectangle(0, 0, 10, 10),
      holes: [rectangle(2, 2, 4, 4), rectangle(6, 0, 8, 3)])
    #expect(!polygon.contains(place(3, 3)) && polygon.contains(place(2, 3)))
    #expect(polygon.contains(place(5, 5)) && !polygon.contains(place(1, 7)))
    // The second hole touches the outer edge along a line.
    #expect(polygon.contains(place(0, 7)))
    let round = stride(from: -180.0, to: 180, by: 30)
    let band = try Polygon(
      exterior: round.map { place(50, $0) }, holes: [round.map { place(70, $0) }])
    #expect(band.contains(place(60, 1)) && !band.contains(place(80, 1)))
    #expect(!band.contains(place(90, 0)) && !band.contains(place(40, 0)))
  }

  @Test("a vertex at the pole puts the pole on the edge")
  func poleVertex() throws {
    let polygon = try Polygon(exterior: ring([(0, 80), (40, 80), (20, 90)]))
    #expect(polygon.contains(place(90, -100)) && polygon.contains(place(85, 20)))
    #expect(!polygon.contains(place(-90, 20)))
    let cap = try Polygon(exterior: ring([(-10, -90), (10, -90), (0, -80)]))
    #expect(cap.contains(place(-90, 100)) && !cap.contains(place(90, 0)))
  }

  @Test("a spiral may pass the same meridian more than once")
  func spiral() throws {
    let outward = stride(from: 0.0, through: 500, by: 50).map { ($0, 80 - $0 / 50) }
    let back = outward.reversed().map { ($0.0, $0.1 - 2) }
    let vertices = (outward + back).map {
      place($0.1, $0.0.remainder(dividingBy: 360))
    }
    let polygon = try Polygon(exterior: vertices)
    #expect(polygon.contains(place(79, 25)) && polygon.contains(place(71, 25)))
    #expect(!polygon.contains(place(75, 25)) && !polygon.contains(place(90, 0)))
    #expect(polygon.boundingBox.width == 360)
  }

  /// A comb: long edges from west to east, one over the other, closed in the east.
  private func comb(edges: Int) -> [Coordinate] {
    let teeth = (0..<edges - 3).map { number in
      place(-60 + 110 * Double(number) / Double(edges), number.isMultiple(of: 2) ? -80 : 80)
    }
    return teeth + [place(60, 85), place(-70, 85), place(-70, -85)]
  }

  @Test("a comb of 2,000 edges is looked at whole, and one of 4,000 is too tangled to be")
  func combs() throws {
    #expect(try Polygon(exterior: comb(edges: 2_000)).vertexCount == 2_000)
    #expect(throws: PolygonError.tooTangled(ring: 0)) { try Polygon(exterior: comb(edges: 4_000)) }
  }

  @Test("a ring goes round the Earth eight times at most, with few edges or many")
  func turns() {
    func rounds(_ count: Int, step: Double) -> [Coordinate] {
      let last = Double(count) * 360
      return stride(from: 0, to: last, by: step).map {
        place(10 + 60 * $0 / last, $0.remainder(dividingBy: 360))
      }
    }
    #expect(throws: PolygonError.self) { try Polygon(exterior: rounds(8, step: 90)) }
    for step in [90, 170.0] {
      // Copies of each turn would be 2,360 times 5,000 edges, and minutes.
      #expect(throws: PolygonError.tooTangled(ring: 0)) {
        try Polygon(exterior: rounds(2_360, step: step))
      }
    }
    #expect(throws: PolygonError.tooTangled(ring: 0)) {
      try Polygon(exterior: rounds(10, step: 90))
    }
  }

  @Test(
    "a bad ring is reported with its error",
    arguments: [
      (rectangle(0, 0, 1, .nan), PolygonError.invalidCoordinate(ring: 0, index: 2)),
      (rectangle(0, 0, 181, 1), .invalidCoordinate(ring: 0, index: 1)),
      ([], .tooFewVertices(ring: 0, count: 0)),
      (ring([(0, 0), (1, 1), (0, 0), (1, 1)]), .tooFewVertices(ring: 0, count: 2)),
      (ring([(0, 0), (1, 1), (3, 3)]), .zeroArea(ring: 0)),
      (ring([(0, 90), (120, 90), (-120, 90)]), .zeroArea(ring: 0)),
      (ring([(0, 0), (2, 2), (2, 0), (0, 1)]), .selfIntersection(ring: 0, edge: 0, other: 2)),
      (
        ring([(0, 0), (0, 0), (2, 2), (2, 0), (0, 1)]),
        .selfIntersection(ring: 0, edge: 1, other: 3)
      ),
      (
        ring([(0, 0), (4, 0), (4, 2), (4, 5), (4, 1), (0, 1)]),
        .selfIntersection(ring: 0, edge: 1, other: 3)
      ),
      (
        stride(from: 0.0, to: 720, by: 40).map {
          Coordinate(latitude: 60, longitude: $0.remainder(dividingBy: 360))
        }, .selfIntersection(ring: 0, edge: 0, other: 9)
      ),
      (
        stride(from: 0.0, to: 720, by: 40).map {
          Coordinate(latitude: 40 + $0 / 36, longitude: $0.remainder(dividingBy: 360))
        }, .selfIntersection(ring: 0, edge: 8, other: 17)
      ),
    ])
  func errors(vertices: [Coordinate], expected: PolygonError) {
    #expect(throws: expected) { try Polygon(exterior: vertices) }
    #expect(expected.description.contains("the outer ring"))
  }

  @Test("a ring that crosses itself is not on one line, though its halves cancel each other out")
  func bowTies() {
    let bowTie = ring([(13, 52), (13.1, 52.1), (13.1, 52), (13, 52.1)])
    #expect(throws: PolygonError.selfIntersection(ring: 0, edge: 0, other: 2)) {
      try Polygon(exterior: bowTie)
    }
    let outAndBack = ring([(0, 0), (2, 0), (2, 2), (2, 0)])
    #expect(throws: PolygonError.selfIntersection(ring: 0, edge: 0, other: 3)) {
      try Polygon(exterior: outAndBack)
    }
    for line in [
      ring([(0, 0), (0.1, 0.3), (0.2, 0.6), (0.3, 0.9)]),
      ring([(0, 5), (1, 5), (0.5, 5), (3, 5)]),
    ] {
      #expect(throws: PolygonError.zeroArea(ring: 0)) { try Polygon(exterior: line) }
    }
  }

  @Test("an error in a hole names the hole")
  func holeErrors() {
    let expected = PolygonError.zeroArea(ring: 2)
    #expect(throws: expected) {
      try Polygon(
        exterior: rectangle(0, 0, 9, 9),
        holes: [rectangle(1, 1, 2, 2), ring([(3, 3), (4, 4), (5, 5)])])
    }
    #expect(expected.description.hasPrefix("hole 2 encloses nothing"))
  }

  @Test("a ring may touch itself in a point, at a vertex or between")
  func touching() throws {
    let bow = try Polygon(exterior: ring([(0, 0), (2, 2), (0, 4), (4, 4), (2, 2), (4, 0)]))
    #expect(bow.contains(place(2, 2)) && bow.contains(place(3, 2)) && !bow.contains(place(2, 1)))
  }

  @Test("a polygon goes through JSON, and a bad one is refused with its reason")
  func coding() throws {
    let polygon = try Polygon(
      exterior: rectangle(179, 0, -179, 2), holes: [rectangle(-180, 1, -179.5, 1.5)])
    let data = try JSONEncoder().encode(polygon)
    #expect(try JSONDecoder().decode(Polygon.self, from: data) == polygon)
    let bad = Data(#"{"exterior":[],"holes":[]}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Polygon.self, from: bad) }
  }

  @Test("triangles agree with the signs of three sides")
  func triangles() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<300 {
      let middle = random.coordinate(latitudes: -70...70)
      let vertices = (0..<3).map { _ in
        PlanePoint(
          x: middle.longitude + random.number(-10...10),
          y: middle.latitude + random.number(-10...10))
      }
      let polygon = try Polygon(exterior: vertices.map(\.coordinate))
      for _ in 0..<20 {
        let point = PlanePoint(
          x: middle.longitude + random.number(-10...10),
          y: middle.latitude + random.number(-10...10))
        let sides = (0..<3).map {
          PlaneSegment(start: vertices[$0], end: vertices[($0 + 1) % 3]).side(point) > 0
        }
        #expect(
          polygon.contains(point.coordinate) == (Set(sides).count == 1), "seed 31: \(polygon)")
      }
    }
  }
}
