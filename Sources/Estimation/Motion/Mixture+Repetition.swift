internal import Geodesy

/// Positions that are repeated to the last digit: of a device that moves, and of one that repeats them on the
/// way, they are no measurements.
extension Mixture {
  /// Takes a fix at the last position, to the last digit, as trackers do that report more often
  /// than they measure.
  ///
  /// It is no measurement: the hypotheses stay as they were at the first fix of the run, for up to
  /// ``MotionModel/longestHold``; then one is taken again. A device at rest may repeat its position for
  /// hours, one that moves does not: the longer it does, the less probable it is that it moves. One that
  /// repeats its position only at rest is there at each repetition, so those are measurements.
  ///
  /// - Returns: whether it took it; when it did not, nothing is changed.
  mutating func hold(_ measurement: FixMeasurement) -> Bool {
    let elapsed = measurement.time.seconds(since: time)
    let isElsewhere = outlier > 0.5 || strayed != nil
    let learnt = min(MotionModel.refreshSlack * Double(refresh ?? 0), MotionModel.longestHold)
    let longest = isElsewhere ? learnt : max(learnt, MotionModel.firstHold)
    // The first position of all, and one that is repeated after a gap, may be old ones.
    guard moves || isElsewhere || refresh != nil, elapsed <= MotionModel.gap,
      (isBack ? elapsed : last.time.seconds(since: resumed)) > MotionModel.coldTime,
      measurement.time.seconds(since: last.time) <= longest,
      measurement.repeatsVelocity(of: last)
    else { return false }
    let kept = Float(Exponential.of(-elapsed / MotionModel.holdTime))
    modes.weight *= Modes.Lanes(1, kept, kept, 1)
    normalise()
    held = measurement.time
    return true
  }

  /// The estimate at the last measurement, from where a later fix at another place is reached; nil when no
  /// fix since repeated its position.
  func measured(before now: Timestamp, on map: LocalFrame) -> Estimate? {
    wasHere(before: now).map { Estimate(modes, PositionMixture(modes, on: map), at: $0) }
  }

  /// When the device was at the last position, at the latest, as a later fix is elsewhere; nil when no fix
  /// repeated it.
  ///
  /// One that moves was there at the first fix of the run. One that rests may have been there until the
  /// last, unless it repeats positions on the way, too: then they may be as old as those.
  func wasHere(before now: Timestamp) -> Timestamp? {
    guard let held else { return nil }
    if moves { return last.time }
    return max(last.time, min(held, now.advanced(bySeconds: -Double(refresh ?? 0))))
  }

  private var moves: Bool { modes.weight[Modes.walk] + modes.weight[Modes.ride] > 0.5 }

  /// Learns for how long the device repeats a position on the way: as long as it did until a new one
  /// came, which is forgotten by a tenth with each.
  ///
  /// One that has just stopped still seems to move: only a reported speed shows that a position that is
  /// repeated once more is so on the way.
  ///
  /// - Parameter elapsed: Seconds since the last measurement.
  mutating func learnRefresh(from measurement: FixMeasurement, elapsed: Double) {
    guard held != nil || refresh != nil, moves,
      measurement.speed != nil || !measurement.isSamePlace(as: last)
    else { return }
    let kept = MotionModel.refreshKept * (refresh ?? 0)
    let longest = held == nil ? kept : max(kept, Float(elapsed))
    refresh = longest < 1 ? nil : longest
  }
}
