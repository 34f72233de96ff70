import Geodesy
import Glibc

/// When devices report that are not always on.
extension PhoneReceiver {
  /// The seconds in which the device is off; empty when it never is.
  mutating func offTimes(_ days: TrueDays) -> [Bool] {
    switch kind {
    case .dutyCycled: sleepAtRest(days)
    case .stale: sleepBetweenUses(days.length)
    case .phone, .collar, .boat, .network: []
    }
  }

  /// Faster than people stroll about in a place, metres per second.
  private static let walking = 0.8

  /// A phone that wakes when it has moved for a while, and falls silent when it has not.
  ///
  /// It wakes after 20 s of motion or more, a minute on average, and sleeps after 1.5 to 5 minutes
  /// of rest, which is longer than a red light.
  private mutating func sleepAtRest(_ days: TrueDays) -> [Bool] {
    var off = [Bool](repeating: false, count: days.length)
    let patience = habit.whole(90...300)
    var (isAwake, rest, motion, enough) = (true, 0, 0, 0)
    for second in 0..<min(days.length, days.velocities.count) {
      let moves = days.velocities[second].length > Self.walking
      if isAwake {
        rest = moves ? 0 : rest + 1
        if rest > patience {
          (isAwake, motion) = (false, 0)
          enough = 20 + Int(habit.exponential(mean: 40))
        }
      } else {
        motion = moves ? motion + 1 : max(0, motion - 1)
        if motion >= enough { (isAwake, rest) = (true, 0) }
      }
      off[second] = !isAwake
    }
    return off
  }

  /// A phone whose app is in use for 10 to 60 minutes, every 20 minutes to 5 hours.
  private mutating func sleepBetweenUses(_ length: Int) -> [Bool] {
    var off = [Bool](repeating: true, count: length)
    var second = habit.whole(0...1_800)
    while second < length {
      let end = second + habit.whole(600...3_600)
      for on in second..<min(end, length) { off[on] = false }
      second = end + habit.whole(1_200...18_000)
    }
    return off
  }

  /// A silence after which a phone may wake with old positions, seconds.
  private static let longSilence = 600.0

  /// Puts the first one to five positions after a long silence where the last one before it was; the
  /// very first ones 400 m to 300 km away.
  mutating func repeatOldPositions(_ measurements: inout [Measurement]) {
    for start in measurements.indices
    where start == 0 || measurements[start].elapsed > Self.longSilence {
      let many = habit.whole(1...5)
      let (elsewhere, angle) = (habit.uniform(0...1), habit.uniform(0...(2 * .pi)))
      guard habit.happens(0.7) else { continue }
      let old =
        start > 0
        ? measurements[start - 1].measured
        : measurements[start].truth.moved(400 * pow(750, elsewhere), towards: angle)
      for index in start..<min(start + many, measurements.count) {
        guard index == start || measurements[index].elapsed <= Self.longSilence else { break }
        measurements[index].measured = old
        measurements[index].statedSigma = 10
        measurements[index].isUnflaggedOutlier = true
        measurements[index].isBlind = true
      }
    }
  }

  /// A collar wakes every so many hours, to within some minutes; one attempt in twenty fails.
  mutating func collarMoments(_ length: Int) -> [Int] {
    let interval = sampling.interval
    let first = habit.whole(0...interval - 1)
    var moments: [Int] = []
    for due in stride(from: first, to: length, by: interval) {
      let (lateness, isLost) = (habit.whole(0...180), habit.happens(0.05))
      let second = due + lateness
      if second < length, noise == .none || !isLost { moments.append(second) }
    }
    return moments
  }
}
