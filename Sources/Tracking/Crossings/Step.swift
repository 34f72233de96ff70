internal import Geodesy

/// The way from one position to the next: along the geodesic, at even speed.
struct Step {
  let from: TimedPosition
  let to: TimedPosition
  /// Seconds from the one to the other, above 0.
  let duration: Double
  /// When the engine accepted the second position.
  let decided: Timestamp

  /// `to` is later than `from`.
  init(from: TimedPosition, to: TimedPosition, decided: Timestamp) {
    self.from = from
    self.to = to
    duration = to.time.seconds(since: from.time)
    self.decided = decided
  }

  /// Between two fixes with times, the second one later, as the gate ensures.
  init(from: Fix, to: Fix, decided: Timestamp) {
    self.init(
      from: TimedPosition(from, at: from.time ?? decided),
      to: TimedPosition(to, at: to.time ?? decided), decided: decided)
  }

  /// One sigma of a moment of which only is known that it lies on the way (a uniform distribution), seconds.
  var unknown: Double { duration / 12.0.squareRoot() }

  /// When it starts.
  var start: Timestamp { from.time }

  /// When the device was at a fraction of the way, 0 to 1, at even speed.
  func time(at fraction: Double) -> Timestamp {
    start.advanced(bySeconds: duration * fraction)
  }

  /// Accuracy at a point of the way: interpolated, or that of the only end that has one.
  func horizontalAccuracy(at fraction: Double) -> Double? {
    guard let before = from.horizontalAccuracy, let after = to.horizontalAccuracy else {
      return from.horizontalAccuracy ?? to.horizontalAccuracy
    }
    return before + (after - before) * fraction
  }

  /// Speed at a point of the way, when it is known at both ends.
  func speed(at fraction: Double) -> Double? {
    guard let before = from.speed, let after = to.speed else { return nil }
    return before + (after - before) * fraction
  }

  /// Course at a point of the way, interpolated over the smaller angle, when it is known at both ends.
  func course(at fraction: Double) -> Double? {
    guard let before = from.course, let after = to.course else { return nil }
    var turn = (after - before).truncatingRemainder(dividingBy: 360)
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let course = (before + turn * fraction).truncatingRemainder(dividingBy: 360)
    return course < 0 ? course + 360 : course
  }
}

/// When and where something happened, and how the device moved at that moment.
///
/// It becomes an event with ``event(_:)``. What is interpolated between two ends is nil when it is
/// not known at both; the accuracy is that of the only end that has one.
struct Moment: Sendable, Hashable, Codable {
  var time: Timestamp
  /// When the engine decided it: the time of a fix, or of a deadline in a silence.
  var decided: Timestamp
  var coordinate: Coordinate
  var horizontalAccuracy: Double?
  var speed: Double?
  var course: Double?

  /// At a fix whose time is taken to be `time`.
  init(_ fix: Fix, time: Timestamp, decided: Timestamp) {
    self.time = time
    self.decided = decided
    coordinate = fix.coordinate
    horizontalAccuracy = fix.horizontalAccuracy
    speed = fix.speed
    course = fix.course
  }

  /// On the way between two fixes.
  init(_ way: GeodesicStep, _ fraction: Double, time: Timestamp) {
    self.time = time
    decided = way.step.decided
    coordinate = way.coordinate(at: fraction)
    horizontalAccuracy = way.step.horizontalAccuracy(at: fraction)
    speed = way.step.speed(at: fraction)
    course = way.step.course(at: fraction)
  }

  /// The event that reports something of this moment.
  func event(_ statement: Event.Statement) -> Event {
    Event(
      statement: statement, time: time, decided: decided, coordinate: coordinate,
      horizontalAccuracy: horizontalAccuracy, speed: speed, course: course)
  }
}
