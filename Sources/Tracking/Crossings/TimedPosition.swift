internal import Geodesy

/// Where a device was at a time, and how well that is known.
struct TimedPosition {
  let time: Timestamp
  let coordinate: Coordinate
  /// 68 % radius, metres.
  let horizontalAccuracy: Double?
  /// Metres per second.
  var speed: Double?
  /// Degrees clockwise from true north.
  var course: Double?

  /// The position of a fix that is taken to be of `time`.
  init(_ fix: Fix, at time: Timestamp) {
    self.time = time
    coordinate = fix.coordinate
    horizontalAccuracy = fix.horizontalAccuracy
    (speed, course) = (fix.speed, fix.course)
  }

  /// A position at which an estimate arrived late.
  ///
  /// It has the accuracy of the estimate, and no speed: how the device went there is not known.
  init(_ coordinate: Coordinate, _ time: Timestamp, _ estimate: Estimate) {
    (self.time, self.coordinate) = (time, coordinate)
    horizontalAccuracy = estimate.horizontalAccuracy
  }

  /// The position of an estimate; its velocity is not reported.
  init(_ estimate: Estimate) {
    time = estimate.time
    coordinate = estimate.coordinate
    horizontalAccuracy = estimate.horizontalAccuracy
  }
}
