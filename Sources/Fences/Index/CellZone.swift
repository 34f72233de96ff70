internal import Geodesy

/// What the cells of one level in one degree of latitude have in common.
///
/// Lengths are in units of the level, of which a cell is ``unitsPerCell`` high; angles in degrees.
struct CellZone {
  /// Columns round the Earth.
  let columns: Int32
  /// By how many units the metric of the cells may be wrong; infinite where it cannot be used.
  let band: Float
  /// Columns in a degree of longitude, and the reverse.
  let columnsPerDegree: Double
  let degreesPerColumn: Double
  /// The length of a degree of longitude as a polynomial of the latitude from the middle of the zone.
  let parallel: (Double, Double, Double, Double)
  /// The length of a degree of latitude, and how fast it grows.
  let meridian: (Double, Double)
  /// The sine of the middle latitude, and how fast it grows.
  let sine: (Double, Double)
  /// The longest degree of longitude of its rows, metres.
  let longestDegree: Double
  /// The same for all cells of a level.
  let metresPerUnit: Float

  static var unitsPerCell: Double { 16_384 }
  /// Beyond this many units the metric decides too little.
  private static var widestBand: Double { 4_096 }

  /// Computes the zone from the radii of WGS 84 at its middle.
  ///
  /// These are that of the meridian, that of the parallel, and how both change with the latitude.
  init(level: Int, zone: Int) {
    // The side nearer to the equator, so that no cell is wider than it is high.
    let edge = zone < zoneMiddle ? zoneMiddle - 1 - zone : zone - zoneMiddle
    let rows = CellGrid.rowsPerDegree(level)
    columns = max(1, Int32(360 * rows * cosine(Double(edge))))
    columnsPerDegree = Double(columns) / 360
    degreesPerColumn = 360 / Double(columns)
    let middle = EllipsoidRadii(latitude: Double(zone) - Double(zoneMiddle) + 0.5)
    let unit = CellGrid.height(level) / Self.unitsPerCell
    let scale = EllipsoidRadii.radian / unit
    let turn = EllipsoidRadii.radian
    // With p' = −M sin φ the polynomial is Taylor's; its rest is 2.4e-10 of the radius.
    let slope = -middle.meridian * middle.sine
    let bend = -(middle.meridian * middle.cosine + middle.meridianSlope * middle.sine)
    let twist = middle.meridian * middle.sine - 2 * middle.meridianSlope * middle.cosine
    parallel = (
      middle.parallel * scale, slope * turn * scale, bend * turn * turn / 2 * scale,
      twist * turn * turn * turn / 6 * scale
    )
    meridian = (middle.meridian * scale, middle.meridianSlope * turn * scale)
    sine = (middle.sine, middle.cosine * turn)
    let error = Self.metricError(level, zone, unit: unit)
    band = error <= Self.widestBand ? Float(error).nextUp : .infinity
    metresPerUnit = Float(unit)
    longestDegree = EllipsoidRadii(latitude: Double(edge)).parallel * EllipsoidRadii.radian
  }

  /// How far off a distance on the map may be, units: by rounding, and by what the map neglects.
  private static func metricError(_ level: Int, _ zone: Int, unit: Double) -> Double {
    // Rounding: of the centre's two coordinates and of the radius, and that of single precision, in
    // which lengths of 2^15 units are right to 2^-8.
    let rounding = 0.5.squareRoot() + 0.5 + 0.05
    return rounding + CellFrame.errorBound(level, zone) / unit
  }
}

/// The zone that begins at the equator.
private let zoneMiddle = 90

private func cosine(_ latitude: Double) -> Double {
  EllipsoidRadii(latitude: latitude).cosine
}

/// All zones of all levels.
///
/// There are 900, of 180 degrees and five levels, made at the first use.
struct CellZones: @unchecked Sendable {
  // Unchecked: the memory is written here, once, and never freed.
  private let zones: UnsafePointer<CellZone>

  static let shared = CellZones()

  private init() {
    let count = CellGrid.levelCount * CellGrid.zoneCount
    let zones = UnsafeMutablePointer<CellZone>.allocate(capacity: count)
    for index in 0..<count {
      let (level, zone) = index.quotientAndRemainder(dividingBy: CellGrid.zoneCount)
      (zones + index).initialize(to: CellZone(level: level, zone: zone))
    }
    self.zones = UnsafePointer(zones)
  }

  /// - Precondition: both are numbers that ``CellGrid`` gave.
  @inline(__always)
  subscript(level: Int, zone: Int) -> CellZone {
    zones[level * CellGrid.zoneCount + zone]
  }
}
