internal import Geodesy

/// A step whose geodesic is solved: only few steps need it, and those need it often.
struct GeodesicStep {
  let step: Step
  let line: GeodesicLine

  init(_ step: Step) {
    self.step = step
    line = GeodesicLine(from: step.from.coordinate, to: step.to.coordinate)
  }

  func coordinate(at fraction: Double) -> Coordinate {
    line.coordinate(atFraction: fraction)
  }

  /// Where the device was at a time; at the nearer end when that is not on the way.
  func moment(at time: Timestamp) -> Moment {
    let fraction = time.seconds(since: step.start) / step.duration
    return Moment(self, min(max(fraction, 0), 1), time: time)
  }
}
