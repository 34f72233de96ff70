package import Estimation
internal import Geodesy
internal import Glibc

/// Leaves fixes out of a track so that no one lies farther from the line than a limit.
///
/// Goes along the track once. From the last fix that is kept, each following fix allows the directions
/// that pass it closely enough; when the next fix lies outside all of them, the one before it is kept.
/// Takes O(fixes).
///
/// Source: Zhao and Saalfeld, Linear-time sleeve-fitting polyline simplification algorithms, AutoCarto 13
/// (1997). The directions are azimuths of geodesics, and the distance from one is the sphere's.
package struct TrackSimplifier {
  private let limit: Double

  /// The share of the limit for the distance from the line, and the share for what lies beyond its end:
  /// together they are no more than the limit, as 0.95² + 0.3² < 1.
  private static let (across, beyond) = (0.95, 0.3)
  /// The mean radius of the Earth, metres (IUGG), for the width of a direction far away.
  private static let earth = 6_371_008.8

  /// - Parameter limit: The largest distance from a fix to the line, metres, above 0.
  package init(limit: Double) {
    self.limit = limit
  }

  /// The fixes that are kept: the first, the last, and those that the line needs.
  package func simplify(_ fixes: [Fix]) -> [Fix] {
    guard fixes.count > 2, let first = fixes.first else { return fixes }
    var kept = [first]
    var sleeve = Sleeve(from: first.coordinate, limit)
    for index in fixes.indices.dropFirst() {
      let fix = fixes[index]
      if !sleeve.admits(fix.coordinate) {
        let corner = fixes[index - 1]
        kept.append(corner)
        sleeve = Sleeve(from: corner.coordinate, limit)
        // Next to the corner: any line to it is allowed.
        _ = sleeve.admits(fix.coordinate)
      }
    }
    if let last = fixes.last { kept.append(last) }
    return kept
  }

  /// The directions from a fix in which a line passes all fixes since then.
  private struct Sleeve {
    private let start: Coordinate
    private let limit: Double
    /// The allowed azimuths, degrees; nil while all are allowed.
    private var middle: Double?
    private var low = 0.0
    private var high = 0.0
    /// The distance of the farthest fix.
    private var farthest = 0.0

    init(from start: Coordinate, _ limit: Double) {
      (self.start, self.limit) = (start, limit)
    }

    /// Whether a line to this coordinate passes all fixes since the start; if so, it narrows the
    /// directions.
    mutating func admits(_ coordinate: Coordinate) -> Bool {
      let distance = start.distance(to: coordinate)
      // A line that ends before a fix may miss it, however straight it is.
      if farthest > limit, distance < farthest - TrackSimplifier.beyond * limit { return false }
      // As long as all are so near, they are close to every line from the start.
      guard distance > limit || farthest > limit else { return true }
      let azimuth = start.bearing(to: coordinate)
      let angle = distance / TrackSimplifier.earth
      let ratio =
        sin(TrackSimplifier.across * limit / TrackSimplifier.earth) / sin(min(angle, .pi / 2))
      let width = asin(min(ratio, 1)) * 180 / .pi
      guard let middle else {
        (self.middle, low, high) = (azimuth, -width, width)
        farthest = distance
        return true
      }
      var turn = azimuth - middle
      turn -= 360 * (turn / 360).rounded()
      guard low <= turn, turn <= high else { return false }
      (low, high) = (max(low, turn - width), min(high, turn + width))
      farthest = max(farthest, distance)
      return true
    }
  }
}
