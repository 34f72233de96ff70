import Geodesy
import Glibc
import Simulation
import Tracking

/// The correlation of a receiver's errors.
enum ErrorKind: CaseIterable {
  /// Every error is independent.
  case white
  /// A Gauss-Markov process: errors are correlated over ``Receiver/correlationTime``.
  case correlated

  var name: String { self == .white ? "white" : "100 s" }
}

/// Makes fixes out of true places: normal errors of one sigma along each axis, with a true accuracy.
struct Receiver {
  /// Seconds after which a correlated error has lost all but 1/e of itself.
  static let correlationTime = 100.0
  /// 68 % radius of a circular normal distribution in sigmas of one axis: √(−2 ln 0.32).
  static let radius = (-2 * log(0.32)).squareRoot()
  /// Sigma of a reported velocity along one axis, metres per second.
  static let speedSigma = 0.3
  /// 2025-03-10 10:00 UTC; second 0 of every scenario.
  static let epoch = Timestamp(nanoseconds: 1_741_600_800_000_000_000)

  let frame: LocalFrame
  let sigma: Double
  let kind: ErrorKind
  /// Whether fixes have a speed and a course.
  let tellsSpeed: Bool
  private var random: SeededGenerator
  private var error = Vector(x: 0, y: 0)
  private var last: Double?

  init(
    in frame: LocalFrame, sigma: Double, kind: ErrorKind, tellsSpeed: Bool = false, seed: UInt64
  ) {
    self.frame = frame
    self.sigma = sigma
    self.kind = kind
    self.tellsSpeed = tellsSpeed
    random = SeededGenerator(seed: seed)
  }

  /// A fix of a device at `place` with `velocity`.
  mutating func fix(
    at second: Double, _ place: Vector, _ velocity: Vector = Vector(x: 0, y: 0)
  ) -> Fix {
    let elapsed = last.map { second - $0 } ?? .infinity
    last = second
    let keeps = kind == .white ? 0 : exp(-elapsed / Self.correlationTime)
    let renews = sigma * (1 - keeps * keeps).squareRoot()
    error = Vector(
      x: error.x * keeps + renews * random.normal(), y: error.y * keeps + renews * random.normal())
    var fix = bare(at: second, Vector(x: place.x + error.x, y: place.y + error.y))
    fix.horizontalAccuracy = sigma * Self.radius
    if tellsSpeed {
      let east = velocity.x + Self.speedSigma * random.normal()
      let north = velocity.y + Self.speedSigma * random.normal()
      fix.speed = (east * east + north * north).squareRoot()
      let course = atan2(east, north) * 180 / .pi
      fix.course = course < 0 ? course + 360 : course
    }
    return fix
  }

  /// A fix that lies `distance` metres away and claims 2 m.
  mutating func wildFix(at second: Double, distance: Double) -> Fix {
    let angle = 2 * .pi * random.unit()
    var fix = bare(at: second, Vector(x: distance * sin(angle), y: distance * cos(angle)))
    fix.horizontalAccuracy = 2
    return fix
  }

  private func bare(at second: Double, _ place: Vector) -> Fix {
    Fix(
      time: Self.epoch.advanced(bySeconds: second), coordinate: frame.coordinate(at: place))
  }
}
