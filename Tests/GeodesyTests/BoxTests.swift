import TestSupport
import Testing

@testable import Geodesy

@Suite("Boxes")
struct BoxTests {
  /// A box of random place and size, often over the antimeridian or at a pole.
  private func box(_ random: inout SeededGenerator) -> Box {
    let a = max(-90, min(90, random.number(-95...95)))
    let b = max(-90, min(90, random.number(-95...95)))
    return Box(
      south: min(a, b), west: random.number(-180...180), north: max(a, b),
      east: random.number(-180...180))
  }

  @Test("a box over the antimeridian holds both sides of it")
  func antimeridian() {
    let box = Box(south: -10, west: 170, north: 10, east: -170)
    #expect(box.contains(Coordinate(latitude: 0, longitude: 175)))
    #expect(box.contains(Coordinate(latitude: 10, longitude: -170)))
    #expect(box.contains(Coordinate(latitude: 0, longitude: 180)))
    #expect(!box.contains(Coordinate(latitude: 0, longitude: 0)))
    #expect(!box.contains(Coordinate(latitude: 11, longitude: 175)))
    #expect(box.width == 20)
  }

  @Test("the antimeridian is one line under both its names")
  func seam() {
    let east = Box(south: 0, west: 170, north: 10, east: 180)
    let west = Box(south: 0, west: -180, north: 10, east: -170)
    #expect(east.contains(Coordinate(latitude: 5, longitude: -180)))
    #expect(west.contains(Coordinate(latitude: 5, longitude: 180)))
    #expect(east.intersects(west) && west.intersects(east))
    #expect(east.union(west) == Box(south: 0, west: 170, north: 10, east: -170))
  }

  @Test("a pole is in every box that reaches its latitude")
  func poles() {
    let box = Box(south: 80, west: 10, north: 90, east: 20)
    #expect(box.contains(Coordinate(latitude: 90, longitude: -100)))
    #expect(box.intersects(Box(south: 85, west: 100, north: 90, east: 110)))
    #expect(!box.intersects(Box(south: 85, west: 100, north: 89, east: 110)))
    let south = Box(south: -90, west: 10, north: -80, east: 20)
    #expect(south.intersects(Box(south: -90, west: 100, north: -89, east: 110)))
    #expect(Box.world.contains(Coordinate(latitude: -90, longitude: 180)))
  }

  @Test("boxes intersect when any of many points is in both")
  func intersections() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<400 {
      let (a, b) = (box(&random), box(&random))
      // If they meet, they meet at the corners of one of the boxes or where edges cross.
      let latitudes = [a.south, a.north, b.south, b.north]
      let longitudes = [a.west, a.east, b.west, b.east]
      let isShared = latitudes.contains { latitude in
        longitudes.contains { longitude in
          let place = Coordinate(latitude: latitude, longitude: longitude)
          return a.contains(place) && b.contains(place)
        }
      }
      #expect(a.intersects(b) == isShared, "seed 21: \(a), \(b)")
      #expect(b.intersects(a) == isShared, "seed 21: \(a), \(b)")
    }
  }

  @Test("a union holds both boxes and is the narrower of the two that do")
  func unions() {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<400 {
      let (a, b) = (box(&random), box(&random))
      let union = a.union(b)
      for part in [a, b] {
        for step in 0...20 {
          let along = Angle.wrapped(part.west + part.width * Double(step) / 20)
          let longitude = step == 20 ? part.east : along
          for latitude in [part.south, part.north] {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            #expect(union.contains(place), "seed 22: \(a), \(b)")
          }
        }
      }
      #expect(union.width <= b.union(a).width && union.width <= 360)
    }
    let joined = Box(south: 0, west: -100, north: 1, east: 100).union(
      Box(south: 0, west: 90, north: 1, east: -90))
    #expect(joined.west == -180 && joined.east == 180)
  }

  @Test("the box around places is the narrowest: it leaves out the widest gap")
  func enclosing() {
    #expect(Box(enclosing: []) == nil)
    let places = [170.0, -175, 179, -179.5].map { Coordinate(latitude: $0 / 2, longitude: $0) }
    #expect(Box(enclosing: places) == Box(south: -89.75, west: 170, north: 89.5, east: -175))
    let pole = Coordinate(latitude: 90, longitude: 120)
    #expect(Box(enclosing: [pole]) == Box(south: 90, west: 120, north: 90, east: 120))
    let near = Coordinate(latitude: 80, longitude: 10)
    #expect(Box(enclosing: [pole, near]) == Box(south: 80, west: 10, north: 90, east: 10))
    var grown = Box(near)
    grown.extend(Coordinate(latitude: 70, longitude: -20))
    #expect(grown == Box(south: 70, west: -20, north: 80, east: 10))
  }

  @Test("an expanded box contains every point within the distance of it")
  func expansion() {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<400 {
      let small = box(&random)
      let metres = random.magnitude(0.1, 1e7)
      let large = small.expanded(byMetres: metres)
      for _ in 0..<20 {
        let inside = Coordinate(
          latitude: random.number(small.south...small.north),
          longitude: Angle.wrapped(small.west + small.width * random.number(0...1)))
        let place = inside.destination(bearing: random.number(0...360), distance: metres)
        #expect(large.contains(place), "seed 23: \(small), \(metres), \(place)")
      }
    }
  }

  @Test("the box around a path holds all of it")
  func paths() {
    var random = SeededGenerator(seed: 24)
    for _ in 0..<3000 {
      let a = random.coordinate()
      let scale = random.magnitude(1e-6, 180)
      let b =
        random.number(0...1) < 0.2
        ? random.coordinate()
        : Coordinate(
          latitude: max(-90, min(90, a.latitude + random.number(-0.3...0.3) * scale)),
          longitude: Angle.wrapped(a.longitude + random.number(-1...1) * scale))
      let box = Box(pathFrom: a, to: b)
      let line = GeodesicLine(from: a, to: b)
      // A computed place may be a rounding error beside the meridian that bounds the box.
      let wide = Box(
        south: box.south, west: max(-180, box.west - 1e-9), north: box.north,
        east: min(180, box.east + 1e-9))
      for step in 0...32 {
        let place = line.coordinate(atFraction: Double(step) / 32)
        #expect(wide.contains(place), "seed 24: \(a) to \(b), \(place)")
      }
      #expect(box.contains(a) && box.contains(b))
    }
  }

  @Test("the box around a short path is hardly larger than its ends")
  func shortPaths() {
    let a = Coordinate(latitude: 60, longitude: 179.99)
    let b = Coordinate(latitude: 60.01, longitude: -179.99)
    let box = Box(pathFrom: a, to: b)
    #expect(box.west == 179.99 && box.east == -179.99)
    #expect(box.south == 60 && box.north < 60.01 + 1e-6)
    #expect(
      Box(pathFrom: b, to: Coordinate(latitude: 90, longitude: 0)).contains(
        Coordinate(latitude: 75, longitude: -179.99)))
  }
}
