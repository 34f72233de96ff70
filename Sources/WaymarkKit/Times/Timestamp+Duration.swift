public import Tracking

/// An instant of a track in Swift's terms: differences are of type `Duration`.
extension Timestamp: InstantProtocol {
  /// The instant that is `duration` later, to the nanosecond, held at the ends of the range.
  public func advanced(by duration: Duration) -> Timestamp {
    Timestamp(nanoseconds: Int64(clamping: Int128(nanoseconds) + duration.wholeNanoseconds))
  }

  /// How long it is from this instant to another; negative when the other is earlier.
  public func duration(to other: Timestamp) -> Duration {
    let (seconds, rest) = (Int128(other.nanoseconds) - Int128(nanoseconds))
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    return .seconds(Int64(clamping: seconds)) + .nanoseconds(Int64(clamping: rest))
  }

  /// The instant that is `duration` later.
  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    time.advanced(by: duration)
  }

  /// The instant that is `duration` earlier.
  public static func - (time: Timestamp, duration: Duration) -> Timestamp {
    time.advanced(by: .zero - duration)
  }

  /// How long it is from `start` to `end`.
  public static func - (end: Timestamp, start: Timestamp) -> Duration {
    start.duration(to: end)
  }
}

extension Duration {
  /// The duration of a number of seconds, held at the ends of its range; zero for one that is no number.
  init(clamping seconds: Double) {
    // What `Duration` holds as whole seconds of an Int64; a number beyond would trap.
    let limit = 9.2e18
    self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -limit), limit))
  }

  /// Whole nanoseconds, towards zero; those of an Int128, because a duration may be 292 billion years.
  var wholeNanoseconds: Int128 {
    let (seconds, attoseconds) = components
    return Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
  }
}
