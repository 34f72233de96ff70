import Geodesy
import Glibc
import Tracking

/// The errors of a phone.
package enum NoiseLevel: String, Sendable, CaseIterable {
  /// Always correct, and silent only in tunnels.
  case none
  /// As in recorded tracks of phones.
  case normal
  /// Worse than most: larger, slower errors, longer bursts, distant Wi-Fi positions.
  case hard
}

/// When a phone takes fixes.
package enum SamplingRule: Sendable, Hashable {
  /// Every so many seconds.
  case interval(Int)
  /// When the phone estimates that it moved by 30 m.
  case adaptive

  /// Seconds between measurements.
  package var interval: Int {
    switch self {
    case .interval(let seconds): seconds
    case .adaptive: 5
    }
  }

  package var name: String {
    switch self {
    case .interval(let seconds) where seconds.isMultiple(of: 3_600): "h\(seconds / 3_600)"
    case .interval(let seconds): "s\(seconds)"
    case .adaptive: "adaptive"
    }
  }
}

/// A phone's receiver with its individual errors, drawn once, and its random numbers.
struct PhoneReceiver: Sendable {
  let kind: DeviceKind
  let noise: NoiseLevel
  let sampling: SamplingRule
  /// Scale of all standard deviations: the quality of the receiver.
  let quality: Double
  /// Correlation time of the error: seconds until it decays to 1/e.
  let tau: Double
  /// Whether it sleeps at night, except for moments.
  let dozes: Bool
  let statesMotion: Bool
  var random: SeededGenerator
  /// When the device reports, for kinds other than `phone`.
  var habit: SeededGenerator

  init(
    _ noise: NoiseLevel, _ sampling: SamplingRule, kind: DeviceKind = .phone, seed: UInt64
  ) {
    self.kind = kind
    habit = SeededGenerator(seed: seed, purpose: Purpose.habit)
    self.noise = noise
    self.sampling = sampling
    random = SeededGenerator(seed: seed, purpose: Purpose.phone)
    let isHard = noise == .hard
    quality = random.uniform(isHard ? 1...2 : 0.8...1.5)
    tau = random.uniform(60...(isHard ? 700 : 300))
    let (dozes, isMute) = (random.happens(0.5), random.happens(0.25))
    self.dozes = dozes && noise != .none && kind == .phone
    statesMotion = !isMute && kind != .collar && kind != .network
  }

  /// A position measurement of the phone.
  struct Measurement: Sendable {
    /// Seconds after the start.
    let second: Int
    /// The true and the measured position, metres from the town's origin.
    let truth: Vector
    var measured: Vector
    /// Standard deviation of the correlated error per axis, metres.
    var sigma: Double
    /// The standard deviation that the phone assumes.
    var statedSigma: Double
    /// Whether it is an outlier that the phone takes for a good fix.
    var isUnflaggedOutlier = false
    /// Whether it says where the device was, or hardly more than the town: it shows no crossing.
    var isBlind = false
    let environment: Environment
    /// Seconds since the previous measurement.
    let elapsed: Double
  }

  /// The fixes of some days in order of arrival, and the seconds of the fixes in order of time.
  ///
  /// Fixes that show no crossing are left out of the seconds.
  func record(_ days: TrueDays, seed: UInt64) -> (fixes: [Fix], seconds: [Double]) {
    var phone = self
    var measurements =
      kind == .network
      ? NetworkPositions(noise, seed: seed).measurements(of: days) : phone.measurements(of: days)
    if noise != .none { phone.addErrors(&measurements, on: days.stays) }
    if kind == .stale { phone.repeatOldPositions(&measurements) }
    let fixes = measurements.map { phone.fix($0, on: days) }
    let kept = sampling == .adaptive ? phone.filtered(measurements) : Array(fixes.indices)
    let seconds = kept.filter { !measurements[$0].isBlind }.map { Double(measurements[$0].second) }
    return (delivery.disordered(kept.map { fixes[$0] }, &phone.random), seconds)
  }

  private mutating func addErrors(_ measurements: inout [Measurement], on stays: [TrueStay]) {
    guard kind != .network else { return }
    addCorrelatedError(&measurements)
    // A collar stays on until its position has settled.
    if kind != .collar { addColdStarts(&measurements) }
    addOutliers(&measurements)
    guard kind != .collar, kind != .boat else { return }
    relocateByWiFi(&measurements)
    useCellTowers(&measurements)
    repeatLastOutdoorPosition(&measurements, on: stays)
  }

  /// Three fixes in a thousand come late, five twice.
  private var delivery: Delivery {
    var delivery = Delivery()
    if noise == .none || kind == .network { return delivery }
    delivery.lateShare = 0.003
    delivery.duplicateShare = 0.005
    return delivery
  }

  private mutating func fix(_ measurement: Measurement, on days: TrueDays) -> Fix {
    var fix = Fix(
      time: days.path.start.advanced(bySeconds: Double(measurement.second)),
      coordinate: days.town.frame.coordinate(at: measurement.measured))
    fix.horizontalAccuracy = accuracy(of: measurement)
    let draws = (random.normal(), random.normal(), random.normal())
    if kind == .network { return fix }
    fix.altitude = 60 + 20 * sin(measurement.truth.x / 900) + Self.altitudeSigma * draws.2
    guard statesMotion else { return fix }
    let scatter = noise == .none ? 0 : Self.speedSigma
    let motion = days.velocities[measurement.second]
    let seen = Vector(x: motion.x + scatter * draws.0, y: motion.y + scatter * draws.1)
    fix.speed = measurement.environment.isIndoor ? abs(1.4 * scatter * draws.0) : seen.length
    let course = atan2(seen.x, seen.y) * 180 / .pi
    fix.course = course < 0 ? course + 360 : course
    return fix
  }

  /// Standard deviation of Doppler speed per axis, metres per second.
  private static let speedSigma = 0.25
  private static let altitudeSigma = 6.0

  /// The 68 % radius that the phone states: its residuals reveal half of the error.
  private mutating func accuracy(of measurement: Measurement) -> Double {
    if kind == .network { return measurement.statedSigma }
    guard noise != .none else { return Self.leastAccuracy }
    let spread = exp(0.25 * random.normal())
    if measurement.isUnflaggedOutlier {
      return max(Self.leastAccuracy, 1.5 * measurement.sigma * spread)
    }
    let usual = AccuracyRadius.sigmas * measurement.statedSigma
    let known = min(
      measurement.truth.distance(to: measurement.measured), 3 * measurement.statedSigma)
    return max(
      Self.leastAccuracy, spread * (0.5 * usual * usual + 0.5 * known * known).squareRoot())
  }

  private static let leastAccuracy = 3.0

  /// The measurements that are 30 m from the previous fix, and perhaps one every 15 or 30 minutes.
  private mutating func filtered(_ measurements: [Measurement]) -> [Int] {
    let heartbeat = random.choice(of: [Int.max, 900, 1800], otherwise: Int.max)
    var kept: [Int] = []
    for (index, measurement) in measurements.enumerated() {
      if let last = kept.last {
        let isFar =
          measurement.measured.distance(to: measurements[last].measured) >= Self.distanceFilter
        guard isFar || measurement.second - measurements[last].second >= heartbeat else { continue }
      }
      kept.append(index)
    }
    return kept
  }

  private static let distanceFilter = 30.0
}
