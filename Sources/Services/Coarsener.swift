package import Geodesy
internal import Glibc
package import Tracking

/// Reduces the accuracy of locations: the centre of a fixed cell instead of the position, and less often.
///
/// Cells are rows of 0.09 degrees of latitude (10 km), cut into pieces of about 10 km. So the position
/// is at most about 7 km from the centre. Cells are fixed, so many coarse locations reveal no more than
/// one (WWDC 2020-10660: snapped, not noisy; about 5 km, four times an hour).
package struct Coarsener: Sendable, Codable, Hashable {
  private var made: Timestamp?
  private var fix: Fix?

  /// The accuracy of a coarse location, metres: half the diagonal of a cell.
  package static let radius = 7_100.0
  /// The time between two coarse locations, seconds.
  package static let interval = 900.0
  /// The height of a row, degrees of latitude.
  private static let row = 0.09

  package init() {}

  /// The centre of the cell that contains a position.
  package static func cell(of place: Coordinate) -> Coordinate {
    let rows = (180 / row).rounded()
    let index = min(max(((place.latitude + 90) / row).rounded(.down), 0), rows - 1)
    let latitude = (index + 0.5) * row - 90
    // Enough pieces that none is wider than high, even at the edge nearest to the equator, where the
    // row is widest.
    let edge = max(abs(latitude) - row / 2, 0)
    let pieces = (360 / row * cos(edge * .pi / 180)).rounded(.up)
    let width = 360 / pieces
    let column = min(max(((place.longitude + 180) / width).rounded(.down), 0), pieces - 1)
    return Coordinate(latitude: latitude, longitude: (column + 0.5) * width - 180)
  }

  /// The location as a program with reduced accuracy receives it.
  package static func coarse(_ location: Location) -> Location {
    var fix = Fix(time: location.fix.time, coordinate: cell(of: location.fix.coordinate))
    fix.horizontalAccuracy = radius
    var coarse = Location(fix, from: location.origin)
    coarse.cellRadius = radius
    return coarse
  }

  /// A new coarse location when one is due; nil while the previous one is current.
  package mutating func take(_ location: Location, at time: Timestamp) -> Location? {
    if let made, time >= made, time.seconds(since: made) < Self.interval { return nil }
    made = time
    let coarse = Self.coarse(location)
    fix = coarse.fix
    return coarse
  }

  /// The current coarse location.
  package func current(from origin: Location.Origin) -> Location? {
    guard let fix else { return nil }
    var location = Location(fix, from: origin)
    location.cellRadius = Self.radius
    return location
  }
}
