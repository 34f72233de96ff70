import Glibc
import Tracking

/// What a receiver reports besides the position: speed, course, altitude, satellites.
struct ExtraReadings: Sendable {
  private let receiver: Receiver
  private var random: SeededGenerator
  private var altitudeError = 0.0
  private var lastSecond = 0.0

  /// Standard deviation of Doppler speed, metres per second.
  private static let speedSigma = 0.15
  /// Below this speed a receiver reports no course, metres per second.
  private static let slowest = 0.5
  /// Standard deviation of altitude, metres, and its correlation time, seconds.
  private static let altitudeSigma = 4.0
  private static let altitudeTau = 100.0

  init(_ receiver: Receiver) {
    self.receiver = receiver
    random = SeededGenerator(seed: receiver.seed, purpose: Purpose.extras)
  }

  mutating func add(to fix: inout Fix, of state: TruePath.State, at second: Double) {
    // All are drawn always, so omitting one does not change the others.
    let draws = (random.normal(), random.normal(), random.normal(), random.unit())
    if receiver.statesMotion { addMotion(to: &fix, of: state, draws.0, draws.1) }
    if let ground = receiver.altitude {
      let kept = exp(-(second - lastSecond) / Self.altitudeTau)
      let fresh = (1 - kept * kept).squareRoot()
      altitudeError = kept * altitudeError + fresh * Self.altitudeSigma * draws.2
      fix.altitude = ground + altitudeError
    }
    if receiver.statesSatellites {
      fix.satellites = (state.environment == .open ? 9 : 6) + Int(draws.3 * 4)
      fix.hdop = (state.environment == .open ? 0.8 : 1.3) + 0.4 * draws.3
    }
    lastSecond = second
  }

  private func addMotion(
    to fix: inout Fix, of state: TruePath.State, _ draw: Double, _ otherDraw: Double
  ) {
    let speed = abs(state.speed + Self.speedSigma * draw)
    fix.speed = speed
    guard let course = state.course, state.speed > Self.slowest else { return }
    let error = Self.speedSigma / state.speed * otherDraw * 180 / .pi
    let turned = (course + error).truncatingRemainder(dividingBy: 360)
    fix.course = turned < 0 ? turned + 360 : turned
  }
}
