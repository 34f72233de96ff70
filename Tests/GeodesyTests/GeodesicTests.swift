import Testing

@testable import Geodesy

@Suite("Geodesics against GeographicLib's table")
struct GeodesicTests {
  let rows: [OracleRow]

  init() throws { rows = try OracleRow.all() }

  @Test("the table is whole")
  func table() {
    #expect(rows.count > 600)
  }

  @Test("distances agree to 20 nm, and are the same both ways")
  func distances() {
    for row in rows {
      let distance = row.start.distance(to: row.end)
      #expect(abs(distance - row.distance) < 20e-9, "\(row)")
      #expect(abs(row.end.distance(to: row.start) - distance) < 10e-9, "\(row)")
    }
  }

  @Test("bearings agree to a second of arc in a billion, or to what 20 nm aside makes of it")
  func bearings() {
    for row in rows where row.distance > 0 {
      let bearing = row.start.bearing(to: row.end)
      #expect((0..<360).contains(bearing), "\(row)")
      guard !row.isIllConditioned else { continue }
      #expect(angle(bearing, row.bearing1) < 1e-9 + 1.2e-6 / row.distance, "\(row)")
    }
  }

  @Test("the direct problem reaches the end within 20 nm")
  func direct() {
    for row in rows {
      let end = row.start.destination(bearing: row.bearing1, distance: row.distance)
      #expect(end.isValid, "\(row)")
      #expect(end.distance(to: row.end) < 20e-9, "\(row)")
    }
  }

  @Test("a line runs from its start to its end, and its halves are equal")
  func lines() {
    for row in rows {
      let line = GeodesicLine(from: row.start, to: row.end)
      #expect(line.coordinate(atFraction: 0) == row.start)
      #expect(line.coordinate(atFraction: 1) == row.end)
      #expect(line.bearing == row.start.bearing(to: row.end))
      let middle = line.coordinate(atFraction: 0.5)
      #expect(abs(middle.distance(to: row.start) - line.length / 2) < 20e-9, "\(row)")
      #expect(abs(middle.distance(to: row.end) - line.length / 2) < 20e-9, "\(row)")
      #expect(line.position(atFraction: 1).coordinate.distance(to: row.end) < 20e-9, "\(row)")
    }
  }

  @Test("coincident places are 0 apart, in the direction 0")
  func coincident() {
    for row in rows where row.kind == "coincident" {
      #expect(row.start.distance(to: row.end) == 0)
      #expect(row.start.bearing(to: row.end) == 0)
      #expect(GeodesicLine(from: row.start, to: row.end).bearing == 0)
      #expect(row.start.destination(bearing: 77, distance: 0).distance(to: row.start) < 2e-9)
    }
  }

  @Test("any bearing and a negative distance are taken")
  func unusualArguments() {
    let start = Coordinate(latitude: 48, longitude: 179.9)
    let ahead = start.destination(bearing: 80, distance: 50_000)
    #expect(ahead.longitude < 0)
    #expect(start.destination(bearing: 80 - 720, distance: 50_000).distance(to: ahead) < 1e-8)
    #expect(start.destination(bearing: 260, distance: -50_000).distance(to: ahead) < 1e-8)
  }
}

extension OracleRow {
  /// Near the antipode a nanometre may turn the bearing by a degree, and at a pole the bearing
  /// says how the pole was written: there only the direct problem is a test.
  var isIllConditioned: Bool {
    kind == "antipodal" || (kind != "meridional" && distance > 19_990_000)
  }
}
