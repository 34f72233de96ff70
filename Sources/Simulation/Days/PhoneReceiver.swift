import Geodesy
import Glibc
import Tracking

/// How wrong a phone is.
package enum NoiseLevel: String, Sendable, CaseIterable {
  /// Always right, and never silent but in tunnels.
  case none
  /// As recorded tracks of phones are.
  case normal
  /// Worse than most: larger, slower errors, longer bursts, wifi that sends one far away.
  case hard
}

/// When a phone takes fixes.
package enum SamplingRule: Sendable, Hashable {
  /// Every so many seconds.
  case interval(Int)
  /// When it believes that it moved by 30 m.
  case adaptive

  /// Seconds between the looks at the sky.
  package var interval: Int {
    switch self {
    case .interval(let seconds): seconds
    case .adaptive: 5
    }
  }

  package var name: String {
    switch self {
    case .interval(let seconds): "s\(seconds)"
    case .adaptive: "adaptive"
    }
  }
}

/// A phone with its own character, drawn once, and its random numbers.
struct Phone: Sendable {
  let noise: NoiseLevel
  let sampling: SamplingRule
  /// Factor of all spreads: how good the receiver is.
  let quality: Double
  /// Seconds in which the error forgets all but 1/e of itself.
  let tau: Double
  /// Whether it sleeps at night, but for moments.
  let dozes: Bool
  let statesMotion: Bool
  var random: SeededGenerator

  init(_ noise: NoiseLevel, _ sampling: SamplingRule, seed: UInt64) {
    self.noise = noise
    self.sampling = sampling
    random = SeededGenerator(seed: seed, purpose: Purpose.phone)
    let isHard = noise == .hard
    quality = random.uniform(isHard ? 1...2 : 0.8...1.5)
    tau = random.uniform(60...(isHard ? 700 : 300))
    let (dozes, isMute) = (random.happens(0.5), random.happens(0.25))
    self.dozes = dozes && noise != .none
    statesMotion = !isMute
  }

  /// One position that the phone is about to say.
  struct Sighting: Sendable {
    /// Seconds after the start.
    let second: Int
    /// Where the phone is, and where it believes to be, metres from the town's origin.
    let truth: Vector
    var belief: Vector
    /// Spread of the wandering error, one sigma an axis, metres.
    var sigma: Double
    /// The spread that the phone believes in.
    var statedSigma: Double
    /// Whether it is an outlier that the phone takes for a good fix.
    var isLie = false
    let environment: Environment
    /// Seconds since the sighting before.
    let elapsed: Double
  }

  /// What it says of some days, in order of arrival, and the seconds of the fixes in order of time.
  func record(_ days: TrueDays, seed: UInt64) -> (fixes: [Fix], seconds: [Double]) {
    var phone = self
    var sightings = phone.sightings(of: days)
    if noise != .none {
      phone.wander(&sightings)
      phone.startCold(&sightings)
      phone.throwOut(&sightings)
      phone.relocate(&sightings)
      phone.askCellTowers(&sightings)
      phone.freeze(&sightings, on: days.stays)
    }
    var fixes = sightings.map { phone.fix($0, on: days) }
    var seconds = sightings.map { Double($0.second) }
    if sampling == .adaptive {
      let kept = phone.filtered(sightings)
      fixes = kept.map { fixes[$0] }
      seconds = kept.map { seconds[$0] }
    }
    return (delivery.disordered(fixes, &phone.random), seconds)
  }

  /// Three fixes in a thousand come late, five twice.
  private var delivery: Delivery {
    var delivery = Delivery()
    if noise == .none { return delivery }
    delivery.lateShare = 0.003
    delivery.duplicateShare = 0.005
    return delivery
  }

  private mutating func fix(_ sighting: Sighting, on days: TrueDays) -> Fix {
    var fix = Fix(
      time: days.path.start.advanced(bySeconds: Double(sighting.second)),
      coordinate: days.town.frame.coordinate(at: sighting.belief))
    fix.horizontalAccuracy = accuracy(of: sighting)
    let draws = (random.normal(), random.normal(), random.normal())
    fix.altitude = 60 + 20 * sin(sighting.truth.x / 900) + Self.altitudeSigma * draws.2
    guard statesMotion else { return fix }
    let scatter = noise == .none ? 0 : Self.speedSigma
    let motion = days.velocities[sighting.second]
    let seen = Vector(x: motion.x + scatter * draws.0, y: motion.y + scatter * draws.1)
    fix.speed = sighting.environment.isIndoor ? abs(1.4 * scatter * draws.0) : seen.length
    let course = atan2(seen.x, seen.y) * 180 / .pi
    fix.course = course < 0 ? course + 360 : course
    return fix
  }

  /// Doppler speed is good to this an axis, metres per second.
  private static let speedSigma = 0.25
  private static let altitudeSigma = 6.0

  /// The 68 % radius that the phone states: its residuals tell it half of the error.
  private mutating func accuracy(of sighting: Sighting) -> Double {
    guard noise != .none else { return Self.leastAccuracy }
    let spread = exp(0.25 * random.normal())
    if sighting.isLie { return max(Self.leastAccuracy, 1.5 * sighting.sigma * spread) }
    let usual = Self.radiusOfTwoThirds * sighting.statedSigma
    let known = min(sighting.truth.distance(to: sighting.belief), 3 * sighting.statedSigma)
    return max(
      Self.leastAccuracy, spread * (0.5 * usual * usual + 0.5 * known * known).squareRoot())
  }

  private static let leastAccuracy = 3.0
  /// In two dimensions 68 % are within √(−2 ln 0.32) sigmas.
  private static let radiusOfTwoThirds = (-2 * log(0.32)).squareRoot()

  /// Those that are 30 m from the last one said, and perhaps one every 15 or 30 minutes.
  private mutating func filtered(_ sightings: [Sighting]) -> [Int] {
    let heartbeat = random.choice(of: [Int.max, 900, 1800], otherwise: Int.max)
    var kept: [Int] = []
    for (index, sighting) in sightings.enumerated() {
      if let last = kept.last {
        let isFar = sighting.belief.distance(to: sightings[last].belief) >= Self.distanceFilter
        guard isFar || sighting.second - sightings[last].second >= heartbeat else { continue }
      }
      kept.append(index)
    }
    return kept
  }

  private static let distanceFilter = 30.0
}
