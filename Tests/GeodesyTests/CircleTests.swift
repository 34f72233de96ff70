import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite("Circles")
struct CircleTests {
  @Test("contains agrees with the exact distance, on the edge and a nanometre beside it")
  func decisions() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<4000 {
      let center = random.coordinate()
      let radius = random.magnitude(0.5, 1.5e7)
      let bearing = random.number(0...360)
      for offset in [0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-4, -1e-4, 0.01, -0.01, 0.3 * radius] {
        let place = center.destination(bearing: bearing, distance: radius + offset)
        let circle = Circle(center: center, radius: radius)
        #expect(
          circle.contains(place) == (center.distance(to: place) <= radius),
          "seed 11: \(circle), \(place)")
      }
      let place = random.coordinate()
      #expect(
        Circle(center: center, radius: radius).contains(place)
          == (center.distance(to: place) <= radius), "seed 11: \(center), \(radius), \(place)")
    }
  }

  @Test("a point exactly on the edge is inside")
  func closed() {
    let center = Coordinate(latitude: 0, longitude: 0)
    let place = Coordinate(latitude: 0, longitude: 1)
    #expect(Circle(center: center, radius: center.distance(to: place)).contains(place))
    #expect(!Circle(center: center, radius: center.distance(to: place).nextDown).contains(place))
  }

  @Test("a circle without a positive radius contains nothing", arguments: [0, -1, Double.nan])
  func empty(radius: Double) {
    let center = Coordinate(latitude: 1, longitude: 2)
    #expect(!Circle(center: center, radius: radius).contains(center))
  }

  @Test("the box holds the edge, and is less than 1 % wider than it")
  func boxes() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<1500 {
      let circle = Circle(center: random.coordinate(), radius: random.magnitude(0.5, 3e7))
      let box = circle.boundingBox
      for bearing in stride(from: 0.0, to: 360, by: 15) {
        let reach = min(circle.radius, 2e7)
        let place = circle.center.destination(bearing: bearing, distance: reach)
        #expect(box.contains(place), "seed 12: \(circle), \(place)")
      }
      guard circle.radius < 1e5, abs(circle.center.latitude) < 80 else { continue }
      let north = circle.center.destination(bearing: 0, distance: circle.radius)
      #expect(
        box.north - circle.center.latitude < 1.0101 * (north.latitude - circle.center.latitude)
          + 2e-9)
    }
  }

  @Test("a circle around a pole takes all longitudes")
  func pole() {
    let circle = Circle(center: Coordinate(latitude: 89.9, longitude: 10), radius: 20_000)
    #expect(circle.contains(Coordinate(latitude: 90, longitude: -77)))
    #expect(circle.contains(Coordinate(latitude: 89.95, longitude: -170)))
    #expect(circle.boundingBox.west == -180 && circle.boundingBox.east == 180)
    #expect(circle.boundingBox.north == 90)
  }

  @Test("a circle goes through JSON and is the same, in hash too")
  func coding() throws {
    let circle = Circle(center: Coordinate(latitude: 52.5, longitude: 13.4), radius: 100)
    let text = try JSONEncoder().encode(circle)
    let copy = try JSONDecoder().decode(Circle.self, from: text)
    #expect(copy == circle)
    #expect(copy.hashValue == circle.hashValue)
    #expect(Circle(center: circle.center, radius: 101) != circle)
  }
}
