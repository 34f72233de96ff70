package import Geodesy

/// A way that the estimate made late: for some fixes it stayed where it was, and then followed them.
///
/// The device went from where fix and estimate last agreed to the first fix that contradicted it, at
/// some time between the two, and from there on.
package struct Leap: Sendable, Hashable, Codable {
  /// The last estimate with which its fix agreed.
  package var start: Estimate
  /// When and where the first fix after it was.
  package var time: Timestamp
  package var coordinate: Coordinate

  package init(start: Estimate, time: Timestamp, coordinate: Coordinate) {
    (self.start, self.time, self.coordinate) = (start, time, coordinate)
  }

  /// A fix agrees with the estimate when it is not so many sigmas of both away.
  private static let sigmas = 3.0
  /// An estimate between two places is wide; no more than so many sigmas of the fix count of it.
  private static let widest = 5.0

  /// Whether a fix is where the estimate is; both places are on one map.
  static func agree(
    _ fix: Fix, at place: Vector, _ estimate: Estimate, at mean: Vector
  ) -> Bool {
    let accuracy = fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let sigma = FixMeasurement.sigma(ofAccuracy: accuracy)
    let reach = sigmas * (sigma + min(estimate.sigma, widest * sigma))
    return Vector(x: place.x - mean.x, y: place.y - mean.y).squaredLength <= reach * reach
  }

  /// Whether the estimate has left the place from where it did not follow the fixes at first.
  package func ends(at estimate: Estimate) -> Bool {
    !start.coordinate.isWithin(
      Self.sigmas * (start.sigma + estimate.sigma), of: estimate.coordinate)
  }
}
