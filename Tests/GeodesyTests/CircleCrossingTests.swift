import TestSupport
import Testing

@testable import Geodesy

@Suite("Crossings of circles")
struct CircleCrossingTests {
  private func fractions(_ circle: Circle, _ a: Coordinate, _ b: Coordinate) -> [Double] {
    var result: [Double] = []
    Area.circle(circle).crossings(from: a, to: b, into: &result)
    return result
  }

  @Test("ways of every length past circles of every size keep the law")
  func random() {
    var random = SeededGenerator(seed: 41)
    var counts = [0, 0, 0]
    for round in 0..<3000 {
      let circle = Circle(center: random.coordinate(), radius: random.magnitude(0.5, 2e6))
      let reach = circle.radius * random.magnitude(0.5, 30)
      let (a, b) = (0..<2).map { _ in
        circle.center.destination(
          bearing: random.number(0...360), distance: min(1.9e7, reach * random.number(0...2)))
      }.pair
      let law = CrossingLaw(
        area: .circle(circle), start: a, end: b, seed: "seed 41, round \(round)")
      counts[law.check(samples: 24, slack: 0.002)] += 1
    }
    #expect(counts.allSatisfy { $0 > 200 }, "\(counts)")
  }

  @Test("each crossing is on the edge, to 1 mm along the way")
  func precision() {
    var random = SeededGenerator(seed: 42)
    for round in 0..<1500 {
      let circle = Circle(
        center: random.coordinate(latitudes: -89...89), radius: random.magnitude(1, 1e5))
      let (a, b) = (0..<2).map { _ in
        circle.center.destination(
          bearing: random.number(0...360), distance: circle.radius * random.magnitude(0.3, 5))
      }.pair
      let line = GeodesicLine(from: a, to: b)
      for fraction in fractions(circle, a, b) {
        let step = 1e-3 / line.length
        let sides = [max(0, fraction - step), min(1, fraction + step)].map {
          circle.center.distance(to: line.coordinate(atFraction: $0)) - circle.radius
        }
        // The distance passes the radius within a millimetre each way.
        #expect(sides[0] * sides[1] <= 1e-16, "seed 42, round \(round): \(sides)")
      }
    }
  }

  @Test("a way that grazes the edge is decided by the exact geodesic")
  func tangents() {
    var random = SeededGenerator(seed: 43)
    for round in 0..<600 {
      let center = random.coordinate(latitudes: -88...88)
      let radius = random.magnitude(5, 2e5)
      let bearing = random.number(0...360)
      let touch = center.destination(bearing: bearing, distance: radius)
      let (a, b) = [-1.0, 1].map { side in
        touch.destination(
          bearing: touch.bearing(to: center) + 90, distance: side * radius * random.number(0.2...3))
      }.pair
      let line = GeodesicLine(from: a, to: b)
      // The least distance, by brute force around the point of touch.
      let middle = a.distance(to: touch) / line.length
      let least =
        (-200...200).map { step in
          center.distance(
            to: line.coordinate(atFraction: middle + Double(step) * 1e-6 * radius / line.length))
        }.min() ?? 0
      for depth in [1e-6, 1e-4, 0.01, -1e-6, -1e-4, -0.01] {
        let circle = Circle(center: center, radius: least + depth)
        let count = fractions(circle, a, b).count
        #expect(count == (depth > 0 ? 2 : 0), "seed 43, round \(round), depth \(depth)")
      }
    }
  }

  @Test("an end on the edge belongs to the circle")
  func ends() {
    let center = Coordinate(latitude: 0, longitude: 0)
    let edge = Coordinate(latitude: 0, longitude: 0.01)
    let circle = Circle(center: center, radius: center.distance(to: edge))
    let outside = Coordinate(latitude: 0, longitude: 0.02)
    let tangent = Coordinate(latitude: 0.01, longitude: 0.01)
    #expect(fractions(circle, edge, outside).count == 1)
    #expect(fractions(circle, outside, edge).count == 1)
    #expect(fractions(circle, tangent, edge).count == 1)
    #expect(fractions(circle, center, edge).isEmpty)
    #expect(fractions(circle, edge, edge).isEmpty)
    #expect(fractions(circle, outside, outside).isEmpty)
    #expect((fractions(circle, center, outside).first ?? 0) - 0.5 < 1e-9)
  }

  @Test("a way through a circle over the pole, and one around half the Earth")
  func far() {
    let pole = Circle(center: Coordinate(latitude: 90, longitude: 0), radius: 1000)
    let a = Coordinate(latitude: 80, longitude: 20)
    let over = fractions(pole, a, Coordinate(latitude: 80, longitude: -160))
    #expect(over.count == 2 && abs(over[0] + over[1] - 1) < 1e-9)
    let past = fractions(pole, a, Coordinate(latitude: 80, longitude: -150))
    #expect(past.isEmpty)
    // Larger than half the Earth, a circle is not convex: its outside is.
    let huge = Circle(center: Coordinate(latitude: 0, longitude: 0), radius: 1.9e7)
    let c = Coordinate(latitude: 0.5, longitude: 150)
    let d = Coordinate(latitude: 0.5, longitude: -150)
    #expect(fractions(huge, c, d).count == 2)
    let e = Coordinate(latitude: 80, longitude: 150)
    #expect(fractions(huge, c, e).isEmpty)
  }

  @Test("a way that stops short of the circle does not cross it")
  func short() {
    let circle = Circle(center: Coordinate(latitude: 45, longitude: 7), radius: 100)
    let (a, b) = (
      circle.center.destination(bearing: 90, distance: 300),
      circle.center.destination(bearing: 90, distance: 100.001)
    )
    #expect(fractions(circle, a, b).isEmpty && fractions(circle, b, a).isEmpty)
    let near = circle.center.destination(bearing: 90, distance: 100 + 1e-8)
    #expect(fractions(circle, a, near).isEmpty && fractions(circle, near, a).isEmpty)
  }
}

extension [Coordinate] {
  /// The first two.
  var pair: (Coordinate, Coordinate) { (self[0], self[1]) }
}
