package import Geodesy

/// The end of a long silence, after which a device repeats the position that it had before.
///
/// Such fixes may be old ones: a receiver that wakes repeats its last position until it has a new one, as
/// phones with a cached position do. When the next position is elsewhere, and farther than the device can have
/// come since the last repetition, it may have left at any time of the silence.
///
/// Others repeat it for as long as they have no signal, on trains, in tunnels and on ferries. So a run of
/// repetitions is noted, too, and is taken for a silence when the next position is farther away than a
/// device goes in the time since the last of them.
package struct Wake: Sendable, Hashable, Codable {
  /// The time of the last fix before the silence.
  package var silence: Timestamp
  /// The time of the first fix after it; that of the last repetition of a run.
  package var end: Timestamp
  /// The position that is repeated, to the last digit.
  package var coordinate: Coordinate
  /// Whether the device was elsewhere since: when it comes back, it is heard there.
  package var isOver = false
  /// Whether it is a run of repetitions of which it is not known whether they are old ones.
  package var isRun = false

  private enum CodingKeys: CodingKey { case silence, end, coordinate, isOver, isRun }

  /// A silence that is shorter than this hides no journey, seconds.
  private static let leastSilence = 600.0
  /// For how long after it crossings are decided with it, seconds.
  private static let patience = 1_800.0
  /// A position after a run of repetitions that is farther away than this, metres, and than this speed leads
  /// since the last of them, shows that they were old ones.
  private static let leastLeap = 100.0
  private static let leapSpeed = 60.0
  /// From rest a device gains no more speed than this, metres per second squared, up to that, metres per second:
  /// a fast car.
  private static let acceleration = 3.0
  private static let fastest = 40.0
  /// One that has just come reports at least this share of its mean speed.
  private static let leastSpeedShare = 0.3

  init(silence: Timestamp, end: Timestamp, coordinate: Coordinate) {
    (self.silence, self.end, self.coordinate) = (silence, end, coordinate)
  }

  /// The end of a silence at a fix; nil when it was short, or the fix is elsewhere than the one before it.
  package init?(_ fix: Fix, at time: Timestamp, after previous: Fix) {
    guard let last = previous.time, Self.isLong(time.seconds(since: last)),
      fix.coordinate == previous.coordinate
    else { return nil }
    self.init(silence: last, end: time, coordinate: fix.coordinate)
  }

  /// What is known at a fix, from what was known at the one before it.
  package static func next(
    _ wake: Wake?, _ fix: Fix, at time: Timestamp, after previous: Fix?
  ) -> Wake? {
    guard let previous, let last = previous.time else {
      guard var run = wake, run.isRun else { return wake?.kept(at: time) }
      // After a break in the track the next position is a leap.
      run.isRun = false
      return run
    }
    if let found = Wake(fix, at: time, after: previous) { return found }
    let isRepeated = fix.coordinate == previous.coordinate
    if var run = wake, run.isRun {
      if isRepeated {
        run.end = time
        return run
      }
      run.isRun = false
      return run.isLeap(to: fix, in: time.seconds(since: last)) ? run : nil
    }
    if let kept = wake?.kept(at: time) {
      let isFirst = !isRepeated && kept.repeats(previous)
      return isFirst && kept.reaches(fix, in: time.seconds(since: last)) ? nil : kept
    }
    guard isRepeated else { return nil }
    var run = Wake(silence: last, end: time, coordinate: fix.coordinate)
    run.isRun = true
    return run
  }

  /// Whether a device that rested at the position until the last repetition can be at a fix so many seconds
  /// later: then it was there, as a parked car is whose receiver holds its position.
  private func reaches(_ fix: Fix, in elapsed: Double) -> Bool {
    let distance = coordinate.distance(to: fix.coordinate) - (fix.horizontalAccuracy ?? 0)
    return Self.isReached(distance, in: elapsed, speed: fix.speed)
  }

  /// Whether a device that rested can be so many metres away so many seconds later, where it reports a
  /// speed.
  ///
  /// One that came as far within one interval is still on its way, by what it reports.
  static func isReached(_ distance: Double, in elapsed: Double, speed: Double?) -> Bool {
    guard distance > leastLeap else { return true }
    let start = min(elapsed, fastest / acceleration)
    let farthest = acceleration * start * start / 2 + fastest * (elapsed - start)
    guard distance <= farthest else { return false }
    return speed.map { $0 > leastSpeedShare * distance / elapsed } ?? true
  }

  /// Whether no device goes so far in so many seconds: then it had left before.
  private func isLeap(to fix: Fix, in elapsed: Double) -> Bool {
    !fix.coordinate.isWithin(max(Self.leastLeap, Self.leapSpeed * elapsed), of: coordinate)
  }

  /// It, while it matters.
  private func kept(at time: Timestamp) -> Wake? { matters(at: time) ? self : nil }

  /// Whether it still matters at a time: a device that is as silent again reports at such intervals.
  package func matters(at time: Timestamp) -> Bool {
    Self.matters(end.seconds(since: silence), time.seconds(since: end))
  }

  /// Whether a silence of so many seconds may hide a journey.
  package static func isLong(_ silence: Double) -> Bool { silence >= leastSilence }

  /// Whether a silence still matters so many seconds after its end.
  package static func matters(_ silence: Double, _ elapsed: Double) -> Bool {
    elapsed <= min(patience, silence / 2)
  }

  /// Takes an estimate with which its fix agrees.
  package mutating func follow(_ estimate: Estimate) {
    if !isOver { isOver = !estimate.coordinate.isWithin(3 * estimate.sigma, of: coordinate) }
  }

  /// Whether it is a run of repetitions that began before a time.
  package func isLongRun(since time: Timestamp) -> Bool { isRun && silence < time }

  /// Whether a fix of the window is the repeated position, but for the error of the map.
  package func isAt(_ position: Coordinate) -> Bool {
    coordinate.isWithin(0.1, of: position)
  }

  /// Whether a fix after the silence repeats the position.
  package func repeats(_ fix: Fix) -> Bool { fix.coordinate == coordinate }
}

extension Wake {
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    silence = try values.decode(Timestamp.self, forKey: .silence)
    end = try values.decode(Timestamp.self, forKey: .end)
    coordinate = try values.decode(Coordinate.self, forKey: .coordinate)
    isOver = try values.decode(Bool.self, forKey: .isOver)
    // Checkpoints of 0.2.0 have none.
    isRun = try values.decodeIfPresent(Bool.self, forKey: .isRun) ?? false
  }
}
