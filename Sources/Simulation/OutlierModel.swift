import Glibc

/// Fixes that are wrong by far: reflections, cell towers, wrong Wi-Fi positions.
package struct OutlierModel: Sendable {
  /// Bursts per hour, by environment.
  package var perHour: @Sendable (Environment) -> Double = { $0.usualOutliersPerHour }
  /// Error in metres, above 0, uniformly distributed on a logarithmic scale.
  package var size: ClosedRange<Double> = 50...500
  /// A burst is 1 to this many fixes.
  package var longestBurst = 5
  /// Share of the bursts whose stated accuracy shows the error.
  package var honestShare = 0.7

  package init() {}
}

/// The outliers of one receiver over time.
struct OutlierBurst: Sendable {
  private let model: OutlierModel
  private var random: SeededGenerator
  private var left = 0
  private var size = 0.0
  private var direction = 0.0
  private var isHonest = true
  private var lastSecond = 0.0

  /// A gap counts as a minute at most: a receiver that is off produces no outliers.
  private static let longestExposure = 60.0
  /// Jitter of the fixes of a burst around its position, metres.
  private static let scatter = 5.0

  init(_ model: OutlierModel, seed: UInt64) {
    self.model = model
    random = SeededGenerator(seed: seed, purpose: Purpose.outliers)
  }

  mutating func disturb(
    _ reading: inout PositionError, at second: Double, in environment: Environment
  ) {
    let exposure = min(second - lastSecond, Self.longestExposure)
    lastSecond = second
    let begins = random.happens(model.perHour(environment) * exposure / 3600)
    if left == 0, begins { begin() }
    guard left > 0 else { return }
    left -= 1
    reading.east += size * sin(direction) + Self.scatter * random.normal()
    reading.north += size * cos(direction) + Self.scatter * random.normal()
    if isHonest { reading.statedAccuracy = size * random.uniform(0.5...1.2) }
  }

  private mutating func begin() {
    left = 1 + Int(random.unit() * Double(max(1, model.longestBurst)))
    size = exp(random.uniform(log(model.size.lowerBound)...log(model.size.upperBound)))
    direction = random.uniform(0...(2 * .pi))
    isHonest = random.happens(model.honestShare)
  }
}
