package import Geodesy

/// Fixes that contradict the estimate: the device moved, and the estimate follows late or not at all.
///
/// The device went from where fix and estimate last agreed to the first contradicting fix, at some time
/// between the two, and on from there.
package struct Contradiction: Sendable, Hashable, Codable {
  /// The last estimate with which its fix agreed.
  package var start: Estimate
  /// Time and position of the first contradicting fix.
  package var time: Timestamp
  package var coordinate: Coordinate

  package init(start: Estimate, time: Timestamp, coordinate: Coordinate) {
    (self.start, self.time, self.coordinate) = (start, time, coordinate)
  }

  /// A fix agrees with the estimate within this many sigmas of both.
  private static let sigmas = 3.0
  /// An estimate between two positions is wide; its sigma counts up to this many sigmas of the fix.
  private static let widest = 5.0

  /// Whether a fix agrees with the estimate; both positions are on one map.
  ///
  /// The claim of the fix counts with its least value at rest, as in ``FixMeasurement/sigma``.
  static func agree(
    _ fix: Fix, at place: Vector, _ estimate: Estimate, at mean: Vector
  ) -> Bool {
    let accuracy = fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let sigma = FixMeasurement.sigma(ofAccuracy: accuracy)
    let reach = sigmas * (sigma + min(estimate.sigma, widest * sigma))
    return Vector(x: place.x - mean.x, y: place.y - mean.y).squaredLength <= reach * reach
  }

  /// Whether a fix is back where the estimate stayed behind.
  ///
  /// An estimate between both places agrees with it and with the first contradicting fix.
  package func isRefuted(by fix: Fix) -> Bool {
    let accuracy = fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let sigma = FixMeasurement.sigma(ofAccuracy: accuracy)
    return start.coordinate.isWithin(
      Self.sigmas * (start.sigma + sigma), of: fix.coordinate)
  }

  /// Whether the estimate has left the position where it stayed behind.
  package func ends(at estimate: Estimate) -> Bool {
    !start.coordinate.isWithin(
      Self.sigmas * (start.sigma + estimate.sigma), of: estimate.coordinate)
  }
}
