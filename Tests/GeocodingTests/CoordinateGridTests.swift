import Geodesy
import TestSupport
import Testing

@testable import Geocoding

@Suite("The grid that coordinates are rounded to") struct CoordinateGridTests {
  @Test(
    "no place is farther from the middle of its cell than half a diagonal",
    arguments: [1, 100, 5_000])
  func near(size: Double) {
    var random = SeededGenerator(seed: 7)
    let grid = CoordinateGrid(size: size)
    for _ in 0..<5_000 {
      let place = Coordinate(
        latitude: .random(in: -89.9...89.9, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let middle = grid.middle(of: place)
      #expect(middle.isValid, "seed 7, \(place)")
      // Cells are as large as asked for, and at most half as large again next to a pole.
      #expect(middle.distance(to: place) <= size * 1.1, "seed 7, \(place)")
      #expect(grid.cell(of: middle) == grid.cell(of: place), "seed 7, \(place)")
      #expect(grid.middle(of: middle) == middle, "seed 7, \(place)")
    }
  }

  @Test("both longitudes of the antimeridian share a cell, and so does a whole pole")
  func ends() {
    for size in [1.0, 100, 1_000_000] {
      let grid = CoordinateGrid(size: size)
      for latitude in [-90.0, -45, 0, 60, 90] {
        let (west, east) = (
          Coordinate(latitude: latitude, longitude: -180),
          Coordinate(latitude: latitude, longitude: 180)
        )
        #expect(grid.cell(of: west) == grid.cell(of: east))
        #expect(grid.middle(of: west).isValid)
      }
    }
  }

  @Test("neighbours within a cell are one, and cells apart are not") func apart() {
    let grid = CoordinateGrid(size: 100)
    let middle = grid.middle(of: gate.coordinate)
    for bearing in stride(from: 0.0, to: 360, by: 45) {
      let near = middle.destination(bearing: bearing, distance: 49)
      #expect(grid.cell(of: near) == grid.cell(of: middle))
      let far = middle.destination(bearing: bearing, distance: 150)
      #expect(grid.cell(of: far) != grid.cell(of: middle))
    }
  }
}
