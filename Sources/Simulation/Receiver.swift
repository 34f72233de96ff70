package import Tracking

/// A simulated receiver, which produces fixes from a true path.
///
/// Its errors are those of recorded phones and loggers: a slow correlated error that depends on the
/// environment, a little white noise, a stated accuracy near the truth, outliers in bursts, gaps,
/// and a delivery that repeats and delays. Every part can be omitted. Each draws its own random
/// numbers, so omitting one does not change the others.
package struct Receiver: Sendable {
  /// When fixes are taken.
  package struct Sampling: Sendable {
    /// Seconds between fixes while moving, and at rest; at least a millisecond.
    package var moving, resting: Double
    /// The largest deviation of a fix from its due time, in seconds; below half the interval.
    package var jitter: Double

    package init(every moving: Double, resting: Double? = nil, jitter: Double = 0) {
      self.moving = moving
      self.resting = resting ?? moving
      self.jitter = jitter
    }
  }

  package var sampling: Sampling
  /// Nil for a receiver without position errors.
  package var noise: PositionNoise? = PositionNoise()
  package var outliers: OutlierModel?
  package var delivery = Delivery()
  /// Whether it states an accuracy.
  package var statesAccuracy = true
  /// Whether it states speed and course.
  package var statesMotion = true
  /// The ground's height in metres, nil for a receiver that states no altitude.
  package var altitude: Double?
  /// Whether it states HDOP and the number of satellites.
  package var statesSatellites = false
  package var seed: UInt64

  package init(sampling: Sampling, seed: UInt64) {
    self.sampling = sampling
    self.seed = seed
  }
}

extension Receiver {
  /// The fixes in the order in which they are delivered.
  package func fixes(on path: TruePath) -> [Fix] {
    var error = noise.map { CorrelatedError($0, seed: seed) }
    var burst = outliers.map { OutlierBurst($0, seed: seed) }
    var extras = ExtraReadings(self)
    var fixes: [Fix] = []
    for (second, state) in moments(on: path) {
      var fix = Fix(time: path.start.advanced(bySeconds: second), coordinate: state.coordinate)
      fix.mode = altitude == nil ? .twoD : .threeD
      var reading = error?.next(at: second, in: state.environment) ?? PositionError()
      burst?.disturb(&reading, at: second, in: state.environment)
      fix.coordinate = reading.applied(to: state.coordinate)
      fix.horizontalAccuracy = statesAccuracy ? reading.statedAccuracy : nil
      extras.add(to: &fix, of: state, at: second)
      fixes.append(fix)
    }
    return delivery.delivered(fixes, of: path, seed: seed)
  }

  /// Times are written to the millisecond.
  private static let shortestInterval = 0.001

  /// The times of the fixes, and the true state then; times fall on whole milliseconds.
  private func moments(on path: TruePath) -> [(second: Double, state: TruePath.State)] {
    var random = SeededGenerator(seed: seed, purpose: Purpose.sampling)
    var moments: [(Double, TruePath.State)] = []
    var due = 0.0
    while due <= path.duration {
      let jitter = sampling.jitter > 0 ? random.uniform(-sampling.jitter...sampling.jitter) : 0
      let second = (min(max(due + jitter, 0), path.duration) * 1000).rounded() / 1000
      guard let state = path.state(at: second) else { break }
      if state.environment != .covered { moments.append((second, state)) }
      due = next(after: due, on: path)
    }
    return moments
  }

  /// A receiver at rest wakes when motion begins, as a phone's does by its motion sensor.
  private func next(after due: Double, on path: TruePath) -> Double {
    let moving = due + max(sampling.moving, Self.shortestInterval)
    let resting = due + max(sampling.resting, Self.shortestInterval)
    guard let (end, topSpeed) = path.motionBound(at: due), topSpeed == 0, end > due else {
      return moving
    }
    return end < path.duration ? min(resting, end) : resting
  }
}

/// One number for each use of random numbers.
enum Purpose {
  static let sampling: UInt64 = 1
  static let noise: UInt64 = 2
  static let outliers: UInt64 = 3
  static let delivery: UInt64 = 4
  static let extras: UInt64 = 5
  static let days: UInt64 = 6
  static let device: UInt64 = 7
  static let phone: UInt64 = 8
  static let fences: UInt64 = 9
  static let boat: UInt64 = 10
  static let animal: UInt64 = 11
  static let habit: UInt64 = 12
  static let network: UInt64 = 13
}
