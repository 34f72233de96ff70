internal import Geodesy
internal import Tracking

/// The way of one device: which of its fixes are used, and the steps between them.
struct DeviceWay: Sendable {
  var validator = TrackValidator()
  private(set) var steps = DeviceSteps()
  /// Nil when nothing joins the next fix to one before it.
  private var odometer: Odometer?
  private var time = Timestamp.distantPast
  private var segment = 0

  /// Moves to the next fix that is used.
  ///
  /// - Returns: the length of the step in seconds; nil without a step.
  mutating func move(to coordinate: Coordinate, at time: Timestamp, in segment: Int) -> Double? {
    defer { (self.time, self.segment) = (time, segment) }
    guard let metres = odometer?.move(to: coordinate) else {
      odometer = Odometer(at: coordinate)
      return nil
    }
    return addStep(to: time, metres: segment == self.segment ? metres : nil)
  }

  /// Nothing joins the fixes so far to those that follow.
  ///
  /// - Parameter time: When they begin; nil when that is on another clock.
  /// - Returns: the length of the step without a way, seconds; nil without a step.
  mutating func breakOff(at time: Timestamp?) -> Double? {
    defer { odometer = nil }
    guard odometer != nil, let time else { return nil }
    return addStep(to: time, metres: nil)
  }

  private mutating func addStep(to end: Timestamp, metres: Double?) -> Double? {
    let seconds = end.seconds(since: time)
    guard seconds > 0 else { return nil }
    steps.add(seconds: seconds, metres: metres)
    return seconds
  }
}
