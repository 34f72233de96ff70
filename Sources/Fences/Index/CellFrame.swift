internal import Geodesy

/// A map of the surroundings of a cell in whole units of its level, by arithmetic alone.
///
/// To second order these are the coordinates in which geodesics through the middle of the cell are
/// straight: x = Δλ (p + p' Δφ), y = M Δφ + M' Δφ² / 2 + p sin φ Δλ² / 2. What the rest and the rounding
/// do to distances is the zone's ``CellZone/band``.
///
/// Here φ is the latitude of the middle, Δφ and Δλ are the differences from it. p is the length of
/// an angle along its parallel and p' how that changes with the latitude; M and M' are the same
/// along the meridian.
struct CellFrame {
  private let latitude, longitude: Double
  private let parallel, slope: Double
  private let meridian, growth: Double
  private let bend: Double

  @inline(__always)
  init(_ row: CellGrid.Row, column: Int, _ level: Int, _ zone: CellZone) {
    let away = (Double(row.part) + 0.5) / CellGrid.rowsPerDegree(level) - 0.5
    latitude = Double(row.zone) - 89.5 + away
    longitude = (Double(column) + 0.5) * zone.degreesPerColumn - 180
    let (p0, p1, p2, p3) = zone.parallel
    parallel = p0 + away * (p1 + away * (p2 + away * p3))
    slope = p1 + away * (2 * p2 + away * (3 * p3))
    meridian = zone.meridian.0 + away * zone.meridian.1
    growth = zone.meridian.1 / 2
    bend = parallel * (zone.sine.0 + away * zone.sine.1) * (EllipsoidRadii.radian / 2)
  }

  /// Units east and north of the middle.
  ///
  /// - Parameter place: within some 2 cells, and not over the antimeridian from the cell.
  @inline(__always)
  func point(latitude placeLatitude: Double, longitude placeLongitude: Double) -> (
    x: Double, y: Double
  ) {
    let north = placeLatitude - latitude
    let east = placeLongitude - longitude
    let x = east * (parallel + slope * north)
    let y = north * (meridian + growth * north) + bend * east * east
    return (x, y)
  }

  /// Whole units of a place that may lie over the antimeridian; nil when it is too far for the map.
  func farPoint(of place: Coordinate) -> (x: Int16, y: Int16)? {
    var east = place.longitude - longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    let reach = 2 * CellZone.unitsPerCell
    guard abs(east * parallel) < reach, abs((place.latitude - latitude) * meridian) < reach else {
      return nil
    }
    let (x, y) = point(latitude: place.latitude, longitude: longitude + east)
    guard let x = Int16(exactly: x.rounded()), let y = Int16(exactly: y.rounded()) else {
      return nil
    }
    return (x, y)
  }

  /// How far off a distance may be for a place in the cell and a centre within a cell of it, metres.
  ///
  /// `D³ (1 + tan² φ) / R² + D⁴ (1 + tan² φ)² / R³` for the reach D of two cells: the forms of the
  /// first neglected terms, the factors by measurement, as a test holds it against the exact
  /// geodesic. Infinite where D tan φ exceeds a tenth of the Earth's radius.
  static func errorBound(_ level: Int, _ zone: Int) -> Double {
    let distance = 2 * CellGrid.height(level) / EllipsoidRadii.radius
    // The side that is nearer to the pole.
    let edge = EllipsoidRadii(latitude: Double(zone < 90 ? zone - 90 : zone - 89))
    guard edge.cosine > 0.01 else { return .infinity }
    let secant = 1 / edge.cosine
    guard distance * secant < 0.1 else { return .infinity }
    let square = distance * secant * distance * secant
    return EllipsoidRadii.radius * (distance * square + square * square)
  }
}
