import TestSupport
import Testing

@testable import Geodesy

@Suite("Crossings of polygons")
struct PolygonCrossingTests {
  private func fractions(_ area: Area, _ a: Coordinate, _ b: Coordinate) -> [Double] {
    var result: [Double] = []
    area.crossings(from: a, to: b, into: &result)
    return result
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A star around `center` (simple by construction), with a hole when it is large enough.
  private func star(
    _ center: Coordinate, _ size: Double, _ random: inout SeededGenerator
  ) throws -> Polygon {
    let count = Int(random.number(3...12))
    func ring(_ scale: ClosedRange<Double>) -> [Coordinate] {
      (0..<count).map { index in
        center.destination(
          bearing: (Double(index) + random.number(0...0.6)) * 360 / Double(count),
          distance: size * random.number(scale))
      }
    }
    let outer = ring(0.5...1)
    return try Polygon(exterior: outer, holes: random.number(0...1) < 0.4 ? [ring(0.1...0.2)] : [])
  }

  @Test("ways past random stars keep the law, at the antimeridian and the poles too")
  func random() throws {
    var random = SeededGenerator(seed: 51)
    var total = 0
    for round in 0..<1500 {
      var center = random.coordinate()
      if round % 4 == 0 { center.longitude = random.number(0...1) < 0.5 ? 180 : -179.9999 }
      if round % 7 == 0 { center.latitude = random.number(0...1) < 0.5 ? 89.9 : -89.99 }
      let size = random.magnitude(1, 1e6)
      // Of a hole at a pole the straight edges may leave the star: such a polygon is skipped.
      guard let polygon = try? star(center, size, &random) else { continue }
      let (a, b) = (0..<2).map { _ in
        center.destination(bearing: random.number(0...360), distance: size * random.number(0...2))
      }.pair
      let law = CrossingLaw(
        area: .polygons([polygon]), start: a, end: b, seed: "seed 51, round \(round)")
      let reach = a.distance(to: b)
      total += law.check(samples: 16, slack: max(0.05, 1e-6 * reach))
    }
    #expect(total > 1000)
  }

  @Test("a way through a square with a hole passes four edges")
  func hole() throws {
    let area = Area.polygons([
      try Polygon(exterior: rectangle(0, -2, 10, 2), holes: [rectangle(4, -1, 6, 1)])
    ])
    let result = fractions(area, place(0, -10), place(0, 20))
    #expect(result.count == 4)
    for (fraction, longitude) in zip(result, [0.0, 4, 6, 10]) {
      #expect(abs(fraction - (longitude + 10) / 30) < 1e-9)
    }
    #expect(fractions(area, place(0, 5), place(0, 1)).count == 1)
  }

  @Test("a touch of a corner from outside is not a crossing, an end there is one")
  func corner() throws {
    let area = Area.polygons([try Polygon(exterior: ring([(0, 0), (1, 0.001), (1, -0.001)]))])
    #expect(fractions(area, place(-0.001, 0), place(0.001, 0)).isEmpty)
    #expect(fractions(area, place(-0.001, 0), place(0, 0)) == [1])
    #expect(fractions(area, place(0, 0), place(0.001, 0)) == [0])
    #expect(fractions(area, place(0, 0), place(0, 0)).isEmpty)
    #expect(fractions(area, place(0, 0), place(0, 0.002)).isEmpty)
  }

  @Test("a way along an edge is inside, straight or slanted")
  func along() throws {
    let square = Area.polygons([try Polygon(exterior: rectangle(0, 0, 0.01, 0.01))])
    #expect(fractions(square, place(0, 0), place(0.01, 0)).isEmpty)
    let longer = fractions(square, place(-0.01, 0), place(0.02, 0))
    #expect(longer.count == 2)
    #expect(abs(longer[0] - 1.0 / 3) < 1e-6 && abs(longer[1] - 2.0 / 3) < 1e-6)
    let corners = ring([(7.1, 46.3), (7.1034, 46.3027), (7.2, 46.3)])
    let slanted = Area.polygons([try Polygon(exterior: corners)])
    #expect(fractions(slanted, corners[0], corners[1]).isEmpty)
    #expect(fractions(slanted, corners[1], corners[0]).isEmpty)
  }

  @Test("parts cut at the antimeridian are one area: no crossing at the seam")
  func seam() throws {
    let area = Area.polygons([
      try Polygon(exterior: rectangle(179, -1, 180, 1)),
      try Polygon(exterior: rectangle(-180, -1, -179, 1)),
    ])
    #expect(fractions(area, place(0.1, 179.5), place(-0.1, -179.5)).isEmpty)
    #expect(fractions(area, place(0.001, 179.999), place(0.0015, -179.999)).isEmpty)
    #expect(fractions(area, place(0.1, 178), place(-0.1, -178)).count == 2)
    #expect(fractions(area, place(0, 180), place(0.1, -178)).count == 1)
    var random = SeededGenerator(seed: 52)
    for round in 0..<300 {
      let (a, b) = (0..<2).map { _ in
        place(random.number(-2...2), Angle.wrapped(180 + random.number(-2...2)))
      }.pair
      let law = CrossingLaw(area: area, start: a, end: b, seed: "seed 52, round \(round)")
      #expect(law.check(samples: 16, slack: 0.05) <= 2)
    }
  }

  @Test("parts with a slanted edge in common are one area")
  func slantedSeam() throws {
    let (low, high) = ((7.1003, 46.3001), (7.1291, 46.3207))
    let area = Area.polygons([
      try Polygon(exterior: ring([low, high, (7.09, 46.32)])),
      try Polygon(exterior: ring([high, low, (7.14, 46.3)])),
    ])
    #expect(fractions(area, place(46.312, 7.11), place(46.309, 7.117)).isEmpty)
    #expect(fractions(area, place(46.32, 7.10), place(46.305, 7.13)).isEmpty)
    #expect(area.signedDistance(to: place(46.3105, 7.1148)) < -300)
  }

  @Test("a way over the pole passes a cap at both sides, and a cap round the other pole never")
  func cap() throws {
    let round = stride(from: -180.0, to: 180, by: 10)
    let north = Area.polygons([try Polygon(exterior: round.map { place(85, $0) })])
    let over = fractions(north, place(80, 20), place(80, -160))
    #expect(over.count == 2)
    #expect(abs(over[0] - 0.5) < 0.26 && abs(over[0] + over[1] - 1) < 1e-9)
    #expect(fractions(north, place(90, 0), place(80, 77)).count == 1)
    #expect(fractions(north, place(80, 77), place(90, 0)).count == 1)
    #expect(fractions(north, place(88, 0), place(88, 180)).isEmpty)
    let south = Area.polygons([try Polygon(exterior: round.map { place(-85, $0) })])
    #expect(fractions(south, place(80, 20), place(80, -160)).isEmpty)
  }

  @Test("a long way past a long parallel edge follows the geodesic, not the map")
  func bulge() throws {
    // The geodesic between two places on the parallel of 50 degrees passes north of it.
    let area = Area.polygons([try Polygon(exterior: rectangle(-30, 52, 30, 60))])
    #expect(fractions(area, place(50, -30), place(50, 30)).count == 2)
    let edge = Area.polygons([try Polygon(exterior: rectangle(-30, 40, 30, 50))])
    #expect(fractions(edge, place(50, -30), place(50, 30)).count == 2)
  }

  @Test("no parts, no crossings; many crossings stay in order")
  func many() throws {
    #expect(fractions(.polygons([]), place(0, 0), place(1, 1)).isEmpty)
    let teeth = (0..<50).flatMap { [(Double($0) / 1000, 1.0), (Double($0) / 1000 + 5e-4, -1.0)] }
    let comb = Area.polygons([try Polygon(exterior: ring([(-0.001, 2)] + teeth + [(0.06, 2)]))])
    let result = fractions(comb, place(0, -0.002), place(0, 0.07))
    #expect(result.count == 100 && result == result.sorted())
  }
}
