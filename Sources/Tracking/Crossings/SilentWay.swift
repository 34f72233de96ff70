internal import Geodesy
internal import Glibc

/// The way of a device in a silence, in which it crossed an edge.
///
/// Where it moved at both ends about as fast as the way as a whole, it went on. Else it rested at
/// the end at which it did not move, or somewhere on the way, and travelled for a part of the silence only.
struct SilentWay {
  /// Seconds.
  let duration: Double
  /// Metres.
  let length: Double
  /// The speeds at both ends, metres per second; nil where it rested, or where that is not known.
  let start, end: Double?
  /// The sum of the errors of the positions at both ends, one sigma each, metres.
  let error: Double

  /// How much faster than it was seen a device may have been: it may have stopped on the way.
  private static let fasterBy = 1.5
  /// The mean speed of a way from rest, and of one that went on, is at least this share of the speed at its
  /// ends.
  private static let restShare = 0.6
  private static let evenShare = 0.7
  /// One sigma of a moment on the way, as a share of the time from the end at which the device moved, or of the
  /// whole time.
  private static let waySigma = 0.2
  /// A way of less than so many times its ``error`` may be none, and one of less than so many may have been
  /// made at any speed.
  private static let leastWay = 1.0
  private static let leastMeasuredWay = 4.0
  /// The doubt whether a device that reports on the move was off in the silence, as a share of the time by
  /// which even motion would have brought it here at another moment (Docs/Accuracy.md).
  private static let offShare = 0.5

  /// What is slower on the whole way rested on it, metres per second.
  fileprivate static let leastSpeed = 1.0
  /// Of a device that reports on the move, only what rides goes on without a report: into a tunnel, a garage.
  private static let ridingSpeed = 5.0

  private var even: Double { length / duration }

  /// Whether the device went on, by the speeds at both ends.
  private func goesOn(_ rhythm: Rhythm) -> Bool {
    guard let start, let end, even >= Self.evenShare * (start + end) / 2 else { return false }
    return even > (rhythm.wouldReport(within: duration) ? Self.ridingSpeed : Self.leastSpeed)
  }

  /// When it was at a share of the way, 0 to 1, in seconds after the silence began; nil when it went on, or its
  /// way is not known, so that its motion decides.
  ///
  /// One that rode where the silence began and rested at its end went on, and came here soon. Any other that
  /// reports on the move rested where the silence began, and came here at its end. Of one that does not, the
  /// speed at the end at which it moved says when. One that rested at both ends, or moved at both and cannot have
  /// moved all the time, was here at any time that leaves time for the ways before and behind. The
  /// distributions are uniform.
  ///
  /// - Parameter other: One sigma of the time by the errors of the positions, which no silence bounds, and by
  ///   what is known of the motion.
  /// - Returns: The time with one sigma.
  func crossing(
    at fraction: Double, _ rhythm: Rhythm, besides other: Double
  ) -> (offset: Double, sigma: Double)? {
    guard length > Self.leastWay * error, !goesOn(rhythm) else { return nil }
    let (before, after) = (fraction * length, (1 - fraction) * length)
    let hasCome = end == nil && start.map { $0 > Self.ridingSpeed } ?? false
    if !hasCome, rhythm.wouldReport(within: duration) {
      let guess = rhythm.departure(silence: duration, distance: after, speed: end)
      // One that is heard again within a walk after a long silence was not off: it was silent where it rested.
      if Wake.isLong(duration), length <= Rhythm.farthestWalk {
        return (guess.offset, hypot(guess.sigma, error / Rhythm.usualSpeed(over: length)))
      }
      let doubt = Self.offShare * abs(guess.offset - fraction * duration)
      return (guess.offset, hypot(max(guess.sigma, other), doubt))
    }
    guard length > Self.leastMeasuredWay * error else { return nil }
    let slow = max(Self.restShare * max(start ?? 0, end ?? 0), even, 1e-3)
    let fast = Self.fasterBy * max(slow, Rhythm.usualSpeed(over: length))
    let (earliest, latest, way): (Double, Double, Double)
    switch (start, end) {
    case (nil, .some):
      (earliest, latest, way) = (duration - after / slow, duration - after / fast, after / fast)
    case (.some, nil): (earliest, latest, way) = (before / fast, before / slow, before / fast)
    case (nil, nil), (.some, .some):
      (earliest, latest, way) = (before / fast, duration - after / fast, duration)
    }
    return (
      (earliest + latest) / 2,
      max((latest - earliest) / 12.0.squareRoot(), Self.waySigma * way, other)
    )
  }
}

extension GeodesicStep {
  /// When the device was at a share of this way, if that is a silence in which it did not go on; nil else.
  ///
  /// - Parameters:
  ///   - before: The estimate where the way began; nil where the way is that between two fixes, which the
  ///     estimates did not make.
  ///   - after: That at its end.
  ///   - sigma: One sigma of the time by the errors of the positions and by what is known of the motion.
  func silentCrossing(
    at fraction: Double, _ before: Estimate?, _ after: Estimate, _ rhythm: Rhythm,
    besides sigma: Double
  ) -> (offset: Double, sigma: Double)? {
    guard step.duration > MotionModel.gap else { return nil }
    let way = SilentWay(
      duration: step.duration, length: line.length, start: before?.speedOnTheWay,
      end: after.speedOnTheWay, error: before.map { $0.sigma + after.sigma } ?? 0)
    return way.crossing(at: fraction, rhythm, besides: sigma)
  }
}

extension Estimate {
  /// Whether the device probably rests.
  var rests: Bool { stillness > 0.5 }

  /// The speed if the device is on its way, metres per second; nil when it rests, or roams so slowly that it
  /// may go anywhere next.
  fileprivate var speedOnTheWay: Double? {
    let speed = velocity.length
    return rests || speed < SilentWay.leastSpeed ? nil : speed
  }
}
