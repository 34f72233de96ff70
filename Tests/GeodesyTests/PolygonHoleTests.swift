import Testing

@testable import Geodesy

@Suite("Holes of polygons")
struct PolygonHoleTests {
  private static let square = rectangle(0, 0, 10, 10)

  private func polygon(_ holes: [[Coordinate]]) throws(PolygonError) -> Polygon {
    try Polygon(exterior: Self.square, holes: holes)
  }

  @Test(
    "a hole beyond the outer ring is reported with the edge that is outside",
    arguments: [
      // Over an edge, far away, around the polygon, and beside it along an edge.
      (rectangle(8, 4, 12, 6), 0),
      (ring([(2, 4), (8, 4), (12, 5), (8, 6)]), 1),
      (rectangle(40, 40, 41, 41), 0),
      (rectangle(-1, -1, 11, 11), 0),
      (rectangle(10, 2, 12, 4), 0),
      // Over the edge and back at corners of the hole: no two edges cross.
      (ring([(10, 2), (12, 4), (10, 6), (8, 4)]), 0),
      (ring([(8, 4), (8, 4), (10, 2), (12, 4), (10, 6)]), 2),
      // On the other side of the Earth, as a typo in a sign is.
      (rectangle(-8, 4, -6, 6), 0),
    ])
  func outside(hole: [Coordinate], edge: Int) {
    for vertices in [hole, hole + hole.prefix(1)] {
      #expect(throws: PolygonError.holeOutside(ring: 1, edge: edge)) { try polygon([vertices]) }
    }
    #expect(throws: PolygonError.holeOutside(ring: 2, edge: edge)) {
      try polygon([rectangle(1, 1, 1.5, 1.5), hole])
    }
  }

  @Test(
    "holes that overlap, repeat or contain each other are reported",
    arguments: [
      (rectangle(2, 2, 4, 4), rectangle(3, 3, 5, 5)),
      (rectangle(2, 2, 4, 4), rectangle(2, 2, 4, 4)),
      (rectangle(2, 2, 4, 4), rectangle(4, 4, 2, 2)),
      (rectangle(2, 2, 8, 8), rectangle(3, 3, 4, 4)),
      // One of them crosses the other along the whole length of two edges.
      (rectangle(2, 4, 8, 6), rectangle(4, 2, 6, 8)),
      // One has a corner in the other, on an edge of both.
      (rectangle(2, 2, 6, 4), rectangle(4, 2, 8, 4)),
      // A square with its corners on the edges of a rhomb: no two edges cross.
      (ring([(4, 5), (5, 4), (6, 5), (5, 6)]), rectangle(4.5, 4.5, 5.5, 5.5)),
    ])
  func overlapping(one: [Coordinate], other: [Coordinate]) {
    for holes in [[one, other], [other, one]] {
      #expect(throws: PolygonError.holeOverlap(ring: 2, other: 1)) { try polygon(holes) }
    }
    #expect(throws: PolygonError.holeOverlap(ring: 3, other: 1)) {
      try polygon([one, rectangle(0.5, 0.5, 1, 1), other])
    }
  }

  @Test("a hole as large as the polygon leaves nothing of it, wherever its corners are")
  func nothingLeft() {
    let split = ring([(0, 0), (5, 0), (10, 0), (10, 10), (0, 10)])
    for hole in [Self.square, Self.square.reversed(), split] {
      #expect(throws: PolygonError.holeWithoutRest(ring: 1)) { try polygon([hole]) }
    }
  }

  @Test("holes may touch the outer ring and each other, in points and along edges")
  func touching() throws {
    let holes = [
      // Along an edge, at a corner, and with a corner on an edge.
      rectangle(6, 0, 8, 3), rectangle(0, 8, 2, 10), ring([(10, 5), (9, 6), (9, 4)]),
      // Beside each other, and at a corner.
      rectangle(2, 2, 4, 4), rectangle(4, 2, 5, 4), rectangle(5, 4, 6, 6),
    ]
    let found = try polygon(holes)
    #expect(found.holes == holes)
    for (latitude, longitude) in [(1.0, 7.0), (9, 1), (5, 9.5), (3, 3), (3, 4.5), (5, 5.5)] {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      #expect(!found.contains(place))
    }
    #expect(found.contains(Coordinate(latitude: 5, longitude: 3)))
  }

  @Test("a hole in the part that a ring leaves out by touching itself is outside")
  func pinched() throws {
    // A square whose ring goes in at a corner and around a square in the middle.
    let outer = ring([
      (0, 0), (10, 0), (10, 10), (0, 10), (0, 0), (3, 6), (6, 6), (6, 3),
    ])
    let inner = ring([(0, 0), (6, 3), (6, 6), (3, 6)])
    #expect(throws: PolygonError.holeOutside(ring: 1, edge: 0)) {
      try Polygon(exterior: outer, holes: [rectangle(4, 4, 5, 5)])
    }
    #expect(throws: PolygonError.holeOutside(ring: 1, edge: 0)) {
      try Polygon(exterior: outer, holes: [inner])
    }
    #expect(try Polygon(exterior: outer, holes: [rectangle(7, 7, 9, 9)]).holes.count == 1)
  }

  @Test("a hole that touches itself in the middle of its longest edge is found outside")
  func touchingItself() {
    let hole = ring([(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (0, 1)])
    #expect(throws: PolygonError.holeOutside(ring: 1, edge: 0)) {
      try Polygon(exterior: ring([(3, 3), (4, 0), (4, 5)]), holes: [hole])
    }
  }

  @Test("an overlap narrower than a centimetre is that of rounded coordinates")
  func rounded() throws {
    let narrow = 1e-8
    _ = try polygon([rectangle(6, -narrow, 8, 3)])
    _ = try polygon([rectangle(2, 2, 4, 4), rectangle(4 - narrow, 2, 5, 4)])
    #expect(throws: PolygonError.self) { try polygon([rectangle(6, -1e-6, 8, 3)]) }
    #expect(throws: PolygonError.self) {
      try polygon([rectangle(2, 2, 4, 4), rectangle(4 - 1e-6, 2, 5, 4)])
    }
  }

  @Test("holes are found over the antimeridian and around a pole, however they are written")
  func round() throws {
    let outer = rectangle(179, -1, -179, 1)
    let west = rectangle(-180, 0, -179.5, 0.5)
    let across = rectangle(179.5, 0, -179.75, 0.5)
    _ = try Polygon(exterior: outer, holes: [west])
    _ = try Polygon(exterior: outer, holes: [across])
    #expect(throws: PolygonError.holeOverlap(ring: 2, other: 1)) {
      try Polygon(exterior: outer, holes: [west, across])
    }
    #expect(throws: PolygonError.holeOutside(ring: 1, edge: 0)) {
      try Polygon(exterior: outer, holes: [rectangle(-179.5, 0, -178.5, 0.5)])
    }
    func circle(_ latitude: Double) -> [Coordinate] {
      stride(from: -180.0, to: 180, by: 30).map { Coordinate(latitude: latitude, longitude: $0) }
    }
    _ = try Polygon(exterior: circle(50), holes: [circle(70)])
    #expect(throws: PolygonError.self) { try Polygon(exterior: circle(70), holes: [circle(50)]) }
    #expect(throws: PolygonError.self) {
      try Polygon(exterior: circle(50), holes: [circle(70), rectangle(10, 80, 20, 85)])
    }
  }

  @Test("a long ring with many holes is valid, and one hole that is not is found")
  func many() throws {
    let outer = (0..<4_000).map { corner -> Coordinate in
      let place = Double(corner % 1_000) / 1_000
      let sides: [(Double, Double)] = [(place, 0), (1, place), (1 - place, 1), (0, 1 - place)]
      let (x, y) = sides[corner / 1_000]
      return Coordinate(latitude: y, longitude: x)
    }
    func hole(_ number: Int) -> [Coordinate] {
      let (x, y) = (Double(number % 40) / 40 + 0.005, Double(number / 40) / 40 + 0.005)
      return rectangle(x, y, x + 0.015, y + 0.015)
    }
    let holes = (0..<1_600).map(hole)
    let found = try Polygon(exterior: outer, holes: holes)
    #expect(found.contains(Coordinate(latitude: 0.0025, longitude: 0.5)))
    #expect(!found.contains(Coordinate(latitude: 0.01, longitude: 0.01)))
    #expect(throws: PolygonError.holeOverlap(ring: 1_601, other: 778)) {
      try Polygon(exterior: outer, holes: holes + [holes[777]])
    }
  }

  @Test(
    "messages name the hole, and what to do",
    arguments: [
      (
        PolygonError.holeOutside(ring: 2, edge: 5),
        "hole 2 is outside of the outer ring at its edge 5; keep holes inside of it."
      ),
      (.holeOverlap(ring: 3, other: 1), "hole 3 overlaps hole 1; make one hole of both."),
      (
        .holeWithoutRest(ring: 1),
        "hole 1 is as large as the outer ring, so nothing is left; make it smaller, or remove it."
      ),
    ])
  func messages(error: PolygonError, message: String) {
    #expect(error.description == message)
  }
}
