internal import Geodesy

/// Old positions with which a receiver wakes; see ``Wake``.
extension MotionFilter {
  /// Notes a long silence after which the position before it is repeated.
  ///
  /// ``Wake`` notes it for fixes in order. The filter does so for itself, as it repeats its updates when a late
  /// fix is inserted.
  ///
  /// - Returns: for how many seconds nothing new was heard of the device, if a measurement is elsewhere and the
  ///   device cannot have come there since the last repetition: those may have been old positions; nil
  ///   else.
  mutating func noteSilence(before measurement: FixMeasurement) -> Double? {
    let (last, elapsed) = (mixture.last, measurement.time.seconds(since: mixture.time))
    guard !measurement.isSamePlace(as: last) else {
      if Wake.isLong(elapsed) { asleep = mixture.time }
      return nil
    }
    guard let since = asleep else { return nil }
    asleep = nil
    let end = mixture.resumed
    guard Wake.matters(end.seconds(since: since), measurement.time.seconds(since: end)) else {
      return nil
    }
    let way = Vector(x: measurement.x - last.x, y: measurement.y - last.y).length
    let claim = measurement.isAccuracyStated ? measurement.accuracy : 0
    let speed = measurement.speed.map(Double.init)
    let isReached = Wake.isReached(way - claim, in: elapsed, speed: speed)
    return isReached ? nil : measurement.time.seconds(since: since)
  }
}
