import Geodesy
import TestSupport
import Testing

@testable import Fences

@Suite("CellFrame")
struct CellFrameTests {
  @Test("distances on a cell's map are as right as is said", arguments: 0..<4)
  func band(level: Int) throws {
    var random = SeededGenerator(seed: UInt64(level))
    var worst = 0.0
    let unit = CellGrid.height(level) / CellZone.unitsPerCell
    for _ in 0..<40_000 {
      let inside = Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180..<180, using: &random))
      let row = CellGrid.row(inside.latitude, level)
      let zone = CellZones.shared[level, row.zone]
      guard zone.band < .infinity else { continue }
      let column = CellGrid.column(inside.longitude, zone)
      let frame = CellFrame(row, column: column, level, zone)
      let away = inside.destination(
        bearing: .random(in: 0..<360, using: &random),
        distance: .random(in: 0...CellGrid.height(level), using: &random))
      let here = frame.point(latitude: inside.latitude, longitude: inside.longitude)
      guard let there = frame.farPoint(of: away) else { continue }
      let (x, y) = (Double(there.x) - here.x, Double(there.y) - here.y)
      let error = abs((x * x + y * y).squareRoot() - inside.distance(to: away) / unit)
      // Of the band 0.55 units are for the rounding of the radius and for single precision.
      let part = error / (Double(zone.band) - 0.55)
      worst = max(worst, part)
      #expect(part <= 1, "\(inside) to \(away): \(error) of \(zone.band), seed \(level)")
    }
    // Something was measured.
    #expect(worst > 0)
  }

  @Test("the metric alone leaves a factor of two to its bound", arguments: 0..<4)
  func factor(level: Int) {
    // Where the bound is many units the rounding does not matter.
    var random = SeededGenerator(seed: 90 + UInt64(level))
    var worst = 0.0
    let unit = CellGrid.height(level) / CellZone.unitsPerCell
    for _ in 0..<40_000 {
      let inside = Coordinate(
        latitude: .random(in: -90...90, using: &random), longitude: 0.001)
      let row = CellGrid.row(inside.latitude, level)
      let zone = CellZones.shared[level, row.zone]
      guard zone.band < .infinity, zone.band > 30 else { continue }
      let frame = CellFrame(row, column: CellGrid.column(inside.longitude, zone), level, zone)
      let away = inside.destination(
        bearing: .random(in: 0..<360, using: &random), distance: CellGrid.height(level))
      let here = frame.point(latitude: inside.latitude, longitude: inside.longitude)
      guard let there = frame.farPoint(of: away) else { continue }
      let (x, y) = (Double(there.x) - here.x, Double(there.y) - here.y)
      let error = abs((x * x + y * y).squareRoot() - inside.distance(to: away) / unit) - 0.71
      worst = max(worst, error / (CellFrame.errorBound(level, row.zone) / unit))
    }
    #expect(worst < 0.5, "level \(level)")
  }
}
