/// Motion along a path without a halt: constant acceleration, cruise, constant braking.
///
/// On a path too short for the cruise speed, braking follows acceleration directly.
struct SpeedProfile: Sendable {
  private let length: Double
  private let acceleration: Double
  /// The highest speed reached, metres per second.
  let peak: Double
  /// Seconds from start to halt.
  let duration: Double

  init(length: Double, mode: TravelMode) {
    self.length = length
    acceleration = mode.acceleration
    peak = min(mode.cruise, (length * mode.acceleration).squareRoot())
    duration = peak > 0 ? length / peak + peak / mode.acceleration : 0
  }

  private var ramp: Double { peak / acceleration }

  /// Metres travelled after `time` seconds.
  func distance(at time: Double) -> Double {
    if time <= 0 { return 0 }
    if time >= duration { return length }
    if time < ramp { return 0.5 * acceleration * time * time }
    let left = duration - time
    if left < ramp { return length - 0.5 * acceleration * left * left }
    return peak * (time - 0.5 * ramp)
  }

  /// Metres per second after `time` seconds.
  func speed(at time: Double) -> Double {
    max(0, min(acceleration * time, peak, acceleration * (duration - time)))
  }
}
