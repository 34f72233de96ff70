internal import Geodesy

/// A step whose geodesic is solved: only few steps need it, and those need it often.
struct GeodesicStep {
  /// The step with its times.
  let step: Step
  /// Its geodesic on WGS 84.
  let line: GeodesicLine

  init(_ step: Step) {
    self.step = step
    line = GeodesicLine(from: step.from.coordinate, to: step.to.coordinate)
  }

  /// Where the device was at a fraction of the way, 0 to 1, at even speed.
  func coordinate(at fraction: Double) -> Coordinate {
    line.coordinate(atFraction: fraction)
  }

  /// Where the device was at a time; at the nearer end when that is not on the way.
  func moment(at time: Timestamp) -> Moment {
    let fraction = time.seconds(since: step.start) / step.duration
    return Moment(self, min(max(fraction, 0), 1), time: time)
  }
}
