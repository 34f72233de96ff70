package import Geodesy
internal import Glibc
package import Tracking

/// Makes locations coarse: the centre of a fixed cell instead of the place, and seldom.
///
/// Cells are rows of 0.09 degrees of latitude (10 km), cut into pieces of about 10 km, so that the
/// place is at most about 7 km from the centre; they do not depend on the place in any other way,
/// so that many coarse locations say no more than one (WWDC 2020-10660: snapped, not noisy; about
/// 5 km, four times an hour).
package struct Coarsener: Sendable, Codable, Hashable {
  private var made: Timestamp?
  private var fix: Fix?

  /// Radius told with a coarse location, metres: the half diagonal of a cell.
  package static let radius = 7_100.0
  /// Seconds between two of them.
  package static let interval = 900.0
  /// Degrees of latitude of a row.
  private static let row = 0.09

  package init() {}

  /// The centre of the cell that holds a place.
  package static func cell(of place: Coordinate) -> Coordinate {
    let rows = (180 / row).rounded()
    let index = min(max(((place.latitude + 90) / row).rounded(.down), 0), rows - 1)
    let latitude = (index + 0.5) * row - 90
    // So many pieces that they are nowhere wider than high; the row is widest where it is nearest to
    // the equator.
    let edge = max(abs(latitude) - row / 2, 0)
    let pieces = (360 / row * cos(edge * .pi / 180)).rounded(.up)
    let width = 360 / pieces
    let column = min(max(((place.longitude + 180) / width).rounded(.down), 0), pieces - 1)
    return Coordinate(latitude: latitude, longitude: (column + 0.5) * width - 180)
  }

  /// A report with no more than a program without precise permission may know.
  package static func coarse(_ report: Report) -> Report {
    var fix = Fix(time: report.fix.time, coordinate: cell(of: report.fix.coordinate))
    fix.horizontalAccuracy = radius
    var coarse = Report(fix, from: report.origin)
    coarse.cellRadius = radius
    return coarse
  }

  /// The coarse report when a new one is due; nil when the one before still holds.
  package mutating func take(_ report: Report, at time: Timestamp) -> Report? {
    if let made, time >= made, time.seconds(since: made) < Self.interval { return nil }
    made = time
    let coarse = Self.coarse(report)
    fix = coarse.fix
    return coarse
  }

  /// The coarse report that holds now.
  package func current(from origin: Report.Origin) -> Report? {
    guard let fix else { return nil }
    var report = Report(fix, from: origin)
    report.cellRadius = Self.radius
    return report
  }
}
