import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite("Metres around a point")
struct LocalFrameTests {
  @Test("a near point is accurate to 0.1 mm, whatever the latitude and the path")
  func nearCoordinate() {
    for latitude in stride(from: -89.0, through: 89, by: 8.9) {
      let frame = LocalFrame(origin: Coordinate(latitude: latitude, longitude: 179.99))
      for distance in [
        0.0, 1, 300, 2_000, 4_500, 5_000, 8_000, 12_000, 16_000, 20_000, 100_000,
      ] {
        for bearing in stride(from: 0.0, to: 360, by: 30) {
          let angle = bearing * .pi / 180
          let vector = Vector(x: distance * sin(angle), y: distance * cos(angle))
          let (near, exact) = (frame.nearCoordinate(at: vector), frame.coordinate(at: vector))
          #expect(near.distance(to: exact) < 1e-4, "\(latitude), \(distance), \(bearing)")
        }
      }
    }
  }

  @Test("two vectors at once are those of both places, to the bit")
  func pairs() {
    var random = SeededGenerator(seed: 5)
    for latitude in [0.0, 52.5, -71.5, 84, 89.99, 90] {
      let frame = LocalFrame(origin: Coordinate(latitude: latitude, longitude: 179.99))
      for _ in 0..<500 {
        let places = [5.0, 9_000, 400_000, 9_000_000].shuffled(using: &random).prefix(2).map {
          frame.origin.destination(
            bearing: random.number(0...360), distance: random.number(0...$0))
        }
        let (one, other) = frame.vectors(to: places[0], places[1])
        #expect(one == frame.vector(to: places[0]) && other == frame.vector(to: places[1]))
      }
    }
  }

  @Test("at a pole a near point is one", arguments: [90.0, -90])
  func nearCoordinateAtPole(latitude: Double) {
    let pole = Coordinate(latitude: latitude, longitude: 20)
    let frame = LocalFrame(origin: pole)
    #expect(frame.nearCoordinate(at: Vector(x: 0, y: 0)) == pole)
    let near = frame.nearCoordinate(at: Vector(x: 3, y: 4))
    #expect(abs(near.distance(to: pole) - 5) < 1e-4)
  }

  @Test("a vector is the geodesic's length and bearing at the origin, within the bound")
  func bound() {
    var random = SeededGenerator(seed: 1)
    for latitude in [0.0, 10, 30, 45, 60, 75, 80, 85, -33, -71.5] {
      for distance in [1, 30, 1e3, 3e3, 1e4, 3e4, 1e5, 2e5] {
        let bound = LocalFrame.errorBound(distance: distance, latitude: latitude)
        guard bound < .infinity else { continue }
        var worst = 0.0
        for _ in 0..<40 {
          let origin = Coordinate(latitude: latitude, longitude: random.number(-180...180))
          let bearing = random.number(0...360)
          let place = origin.destination(bearing: bearing, distance: distance)
          let metric = MiddleLatitude(latitude)
          let vector = metric.vector(
            north: (place.latitude - latitude) * Angle.radian,
            east: Angle.wrapped(place.longitude - origin.longitude) * Angle.radian)
          let (sine, cosine) = Angle.sinCos(bearing)
          let miss = Vector(x: vector.x - distance * sine, y: vector.y - distance * cosine)
          worst = max(worst, miss.length)
        }
        #expect(worst <= bound, "latitude \(latitude), distance \(distance)")
      }
    }
  }

  @Test("the vector is right to 0.1 mm everywhere: at poles, far away and over the antimeridian")
  func everywhere() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<3000 {
      let origin = random.coordinate()
      let place = origin.destination(
        bearing: random.number(0...360), distance: random.magnitude(0.001, 1e7))
      let vector = LocalFrame(origin: origin).vector(to: place)
      let distance = origin.distance(to: place)
      let (sine, cosine) = Angle.sinCos(origin.bearing(to: place))
      let miss = Vector(x: vector.x - distance * sine, y: vector.y - distance * cosine)
      #expect(miss.length < 1.01e-4, "seed 2, \(origin) to \(place)")
    }
    let pole = LocalFrame(origin: Coordinate(latitude: 90, longitude: 0))
    #expect(abs(pole.vector(to: Coordinate(latitude: 89.99, longitude: 50)).length - 1116.9) < 0.1)
  }

  @Test("frames of one place are equal, and have one hash")
  func hashes() {
    let (here, there) = (
      Coordinate(latitude: 52, longitude: 13), Coordinate(latitude: 5, longitude: 1)
    )
    let frames: Set = [
      LocalFrame(origin: here), LocalFrame(origin: there), LocalFrame(origin: here),
    ]
    #expect(frames.count == 2)
  }

  @Test("a vector leads back to its point")
  func inverse() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      let origin = random.coordinate()
      let frame = LocalFrame(origin: origin)
      let scale = random.magnitude(0.01, 1e6)
      let vector = Vector(x: random.number(-1...1) * scale, y: random.number(-1...1) * scale)
      let place = frame.coordinate(at: vector)
      #expect(place.isValid)
      let back = frame.vector(to: place)
      let miss = Vector(x: back.x - vector.x, y: back.y - vector.y)
      // Above the limit of the cheap metric the way there is exact and the way back may not be.
      let bound = LocalFrame.errorBound(distance: vector.length, latitude: origin.latitude)
      let tolerance = bound > 4e-5 && bound < 2e-4 ? 1e-4 : 2e-8
      #expect(miss.length < tolerance, "seed 3, \(origin), \(vector)")
    }
    let origin = Coordinate(latitude: 12, longitude: 34)
    #expect(LocalFrame(origin: origin).coordinate(at: Vector(x: 0, y: 0)) == origin)
  }
}
