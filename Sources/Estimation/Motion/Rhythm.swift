internal import Geodesy
internal import Glibc

/// How often a device reports while it moves, learnt from its own fixes: it decides what a silence
/// means.
///
/// The interval between two fixes of a device that moved is averaged; a single one counts for at most
/// twice the mean. A device that reports every few seconds on the move and is then silent for hours
/// was at rest: it would have reported a motion. A device whose silences are as long as its usual
/// interval, or that was moved far in the silence, may have left at any time in it.
package struct Rhythm: Sendable, Hashable, Codable {
  /// Mean interval between fixes on the move, seconds.
  var moving = 0.0
  /// How many intervals it was learnt from, at most ``most``.
  var count = 0
  /// The first of the fixes that may show a motion which no two of them show alone; nil when none may.
  var start: Start?

  /// The first of such fixes.
  struct Start: Sendable, Hashable, Codable {
    var coordinate: Coordinate
    var accuracy: Double
    /// Seconds since then, and fixes.
    var seconds = 0.0
    var fixes = 0
  }

  /// Least number of intervals before a silence is judged, and most that are averaged.
  private static let least = 5
  private static let most = 16
  /// A silence is longer than this many mean intervals.
  private static let factor = 8.0
  /// A device has moved when it went faster than this, metres per second, and farther than that,
  /// metres, beside what both fixes claim.
  private static let movingSpeed = 1.0
  private static let leastWay = 10.0
  /// Longest time over which such a motion is searched, seconds.
  private static let longestWay = 180.0
  private static let mostFixes = 4_095
  /// From rest people walk at 1.3 m/s on ways 1.3 times as long as the straight line, farther than
  /// this, metres, only to their vehicle.
  private static let netWalkingSpeed = 1.0
  package static let farthestWalk = 350.0
  /// Within this way, metres, people set off on foot; on longer ones they ride.
  private static let walkingRange = 600.0
  /// Metres per second.
  private static let walkingSpeed = 1.3
  /// Net speed of rides of up to so many metres, metres per second; that of longer ones grows with a power
  /// of the way, up to a highest: 8 m/s over 20 km, 15 m/s over 100 km.
  private static let ridingSpeed = 6.0
  private static let shortRide = 10_000.0
  private static let ridingPower = 0.4
  private static let fastestRide = 30.0
  /// Share of the speed at the end of a way at which it was made on average, from rest.
  package static let speedShare = 0.6
  /// A device that moves for longer without a report does not report on the move, seconds.
  private static let longestUnreported = 900.0
  /// One that does may need so long to wake, seconds.
  private static let longestWaking = 300.0
  /// A silence of at most so many mean intervals is one of them, once as many intervals are known.
  private static let usualFactor = 1.5
  private static let leastUsual = 3
  /// Least sigma of a moment in a silence, seconds, and what the way to the next fix adds, as a share
  /// of the time that it takes.
  private static let leastSigma = 15.0
  private static let waySigma = 0.5

  /// A moment in a silence.
  package struct Guess {
    /// Seconds after the silence began.
    package var offset: Double
    /// One sigma, seconds.
    package var sigma: Double
  }

  /// Nothing is learnt yet.
  package init() {}

  /// Learns from two fixes that follow each other.
  package mutating func learn(from previous: Fix, to fix: Fix, elapsed: Double) {
    guard elapsed > 0 else { return }
    let claims = (previous.horizontalAccuracy ?? 0) + (fix.horizontalAccuracy ?? 0)
    if isMoving(previous, fix) || hasMoved(previous.coordinate, fix.coordinate, claims, elapsed) {
      start = nil
      learn(elapsed, times: 1)
    } else {
      learnSlowly(from: previous, to: fix, elapsed)
    }
  }

  /// Takes intervals into the mean, which is that of the last 16 or so.
  ///
  /// - Parameter times: How many fixes had this interval on average.
  private mutating func learn(_ interval: Double, times: Int) {
    for _ in 0..<min(times, Self.most) {
      // A silence is no interval.
      guard count < Self.least || interval <= Self.factor * moving else { return }
      count = min(count + 1, Self.most)
      moving += (count == 1 ? interval : min(interval, 2 * moving) - moving) / Double(count)
    }
  }

  /// Learns the mean interval of fixes that show a motion only together, as they are coarse or close.
  private mutating func learnSlowly(from previous: Fix, to fix: Fix, _ elapsed: Double) {
    guard elapsed <= Self.longestWay else {
      start = nil
      return
    }
    var way =
      start
      ?? Start(coordinate: previous.coordinate, accuracy: previous.horizontalAccuracy ?? 0)
    way.seconds += elapsed
    way.fixes = max(0, min(way.fixes, Self.mostFixes)) + 1
    start = way.seconds < Self.longestWay ? way : nil
    // Of so many fixes one is always farther off.
    let claims = 1.5 * (way.accuracy + (fix.horizontalAccuracy ?? 0))
    guard hasMoved(way.coordinate, fix.coordinate, claims, way.seconds) else { return }
    start = nil
    learn(way.seconds / Double(way.fixes), times: way.fixes)
  }

  private func hasMoved(
    _ from: Coordinate, _ to: Coordinate, _ claims: Double, _ elapsed: Double
  ) -> Bool {
    !from.isWithin(max(Self.leastWay + claims, Self.movingSpeed * elapsed), of: to)
  }

  private func isMoving(_ previous: Fix, _ fix: Fix) -> Bool {
    guard let before = previous.speed, let now = fix.speed else { return false }
    return min(before, now) > Self.movingSpeed
  }

  /// Whether a device that moved would have reported within a silence of so many seconds.
  package func wouldReport(within silence: Double) -> Bool {
    count >= Self.least && silence > Self.factor * moving
  }

  /// Whether a silence is about as long as the intervals on the move, of a device that reports on the
  /// move.
  package func isUsual(_ silence: Double) -> Bool {
    count >= Self.leastUsual && silence <= min(Self.usualFactor * moving, Self.longestUnreported)
  }

  /// When a device left a place in a silence that ended `distance` metres away, at a speed if known.
  ///
  /// The way takes some time: a device that reports on the move left no longer ago than that. Of any
  /// other, and of one that was moved far without a report, the departure is as likely at any
  /// moment that leaves time for the way (a uniform distribution: sigma is its length / √12).
  package func departure(silence: Double, distance: Double, speed: Double?) -> Guess {
    departure(silence: silence, way: Self.seconds(distance, speed))
  }

  /// The same from where it was at rest: it has to get going first.
  package func departure(fromRestIn silence: Double, distance: Double, speed: Double) -> Guess {
    departure(silence: silence, way: Self.way(fromRest: distance, speed: speed))
  }

  /// Seconds that a way takes from rest, when the device goes at a speed at its end; 0 when that is
  /// not known.
  package static func way(fromRest distance: Double, speed: Double) -> Double {
    let walk = min(distance, farthestWalk) / netWalkingSpeed
    let usual = walk + max(distance - farthestWalk, 0) / ridingSpeed(over: distance)
    return min(usual, distance / max(speedShare * speed, 1e-3))
  }

  private func departure(
    silence: Double, way: Double, unreported: Double = longestUnreported
  ) -> Guess {
    let way = min(way, silence)
    let latest = silence - way
    if wouldReport(within: silence), way <= unreported {
      return Guess(offset: latest, sigma: max(Self.waySigma * way, Self.leastSigma))
    }
    return Guess(offset: latest / 2, sigma: max(latest / 12.0.squareRoot(), Self.waySigma * way))
  }

  /// When a device came to a place `distance` metres from where a silence began.
  ///
  /// The mirror image of ``departure(silence:distance:speed:)``: it came as early as the other
  /// would leave late. But one that reports on the move would have reported on its way, once it was awake.
  package func arrival(silence: Double, distance: Double, speed: Double?) -> Guess {
    let guess = departure(
      silence: silence, way: Self.seconds(distance, speed),
      unreported: max(Self.longestWaking, Self.factor * moving))
    return Guess(offset: silence - guess.offset, sigma: guess.sigma)
  }

  private static func seconds(_ distance: Double, _ speed: Double?) -> Double {
    distance / max(usualSpeed(over: distance), speedShare * (speed ?? 0))
  }

  /// The net speed of a ride, metres per second: in town at first, and then on roads between towns.
  package static func ridingSpeed(over distance: Double) -> Double {
    guard distance > shortRide else { return ridingSpeed }
    return min(ridingSpeed * pow(distance / shortRide, ridingPower), fastestRide)
  }

  /// The usual speed of a way, metres per second: people walk a short one and ride a long one.
  package static func usualSpeed(over distance: Double) -> Double {
    distance < walkingRange ? walkingSpeed : ridingSpeed(over: distance)
  }
}
