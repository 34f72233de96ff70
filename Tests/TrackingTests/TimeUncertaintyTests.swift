import TestSupport
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("How uncertain the time of a crossing is")
struct TimeUncertaintyTests {
  private let ground = Ground()

  /// Straight over the edge of a circle of 100 km, as straight as a line here, half-way; sigma is
  /// 10 m at both ends.
  private func way(seconds: Double, metres: Double) throws -> (GeodesicStep, Area, Double) {
    let area = Area.circle(Circle(center: ground.place(-100_000), radius: 100_000))
    let (from, to) = (
      ground.fix(0, -metres / 2, accuracy: 10 * AccuracyRadius.engineSigmas),
      ground.fix(seconds, metres / 2, accuracy: 10 * AccuracyRadius.engineSigmas)
    )
    let way = GeodesicStep(Step(from: from, to: to, decided: Ground.time(seconds)))
    var fractions: [Double] = []
    area.crossings(from: from.coordinate, to: to.coordinate, into: &fractions)
    return (way, area, try #require(fractions.first))
  }

  @Test(
    "of an estimate it is that of its place, however short the step, and a share of the step",
    arguments: [
      // A walker, seen every second: 10 m at 1.4 m/s, where the step alone would say 0.3 s.
      (1, 1.4, 7.143),
      // A car: 1 s of the place, and 0.3 T / √12 of 2.6 s.
      (30, 300, 2.784),
      // Over a gap of 5 minutes, 1 s of the place and T / √12 of 86.6 s.
      (300, 3_000, 86.608),
    ])
  func estimated(seconds: Double, metres: Double, expected: Double) throws {
    let (way, area, fraction) = try way(seconds: seconds, metres: metres)
    let sigma = way.estimatedTimeUncertainty(
      at: fraction, of: area, speed: metres / seconds, rests: false)
    #expect(abs(sigma - expected) < 0.01)
  }

  @Test("where the device rested at an end, the speeds say half as much of the time between")
  func atRest() throws {
    let (way, area, fraction) = try way(seconds: 30, metres: 300)
    // 1 s of the place, and 0.6 T / √12 of 5.2 s.
    let sigma = way.estimatedTimeUncertainty(at: fraction, of: area, speed: 10, rests: true)
    #expect(abs(sigma - 5.291) < 0.01)
  }

  @Test("an estimate that is corrected by 100 m in 1 s did not come at that speed")
  func corrected() throws {
    let (way, area, fraction) = try way(seconds: 1, metres: 100)
    // It walks at 1.5 m/s, and 1 m/s more is possible: 10 m take 4 s.
    let sigma = way.estimatedTimeUncertainty(at: fraction, of: area, speed: 1.5, rests: false)
    #expect(abs(sigma - 4) < 0.01)
  }

  @Test("of positions without an accuracy only the step is known")
  func withoutAccuracy() {
    let area = Area.circle(Circle(center: ground.place(-1_000), radius: 1_000))
    let (from, to) = (ground.fix(0, -50, accuracy: nil), ground.fix(12, 50, accuracy: nil))
    let step = Step(from: from, to: to, decided: Ground.time(12))
    let sigma = GeodesicStep(step).estimatedTimeUncertainty(
      at: 0.5, of: area, speed: 8, rests: false)
    #expect(abs(sigma - 12 / 12.0.squareRoot()) < 1e-9)
  }

  @Test("of two fixes it is never more than knowing nothing but the step")
  func ofFixes() throws {
    let (way, area, fraction) = try way(seconds: 1, metres: 1.4)
    #expect(abs(way.timeUncertainty(at: fraction, of: area) - 1 / 12.0.squareRoot()) < 1e-9)
  }

  @Test("along an edge it has a bound")
  func along() throws {
    let area = Area.circle(Circle(center: ground.place(0), radius: 100))
    let step = Step(
      from: ground.fix(0, -0.001, 100), to: ground.fix(10, 0.001, 100), decided: Ground.time(10))
    let sigma = GeodesicStep(step).estimatedTimeUncertainty(
      at: 0.5, of: area, speed: 0, rests: false)
    #expect(sigma >= 600)
    #expect(sigma <= 600.1)
  }

  @Test(
    "a phone whose first fixes after a silence are beyond the edge left in the silence, though they are too coarse to move the estimate",
    arguments: [120.0, 140, 160, 180, 200])
  func silence(east: Double) throws {
    let fence = Fence(
      id: "f", area: .circle(Circle(center: ground.place(0), radius: 100)))
    var tracker = Tracker(rules: Rules(fences: try FenceSet([fence])))
    var events: [Event] = []
    for second in stride(from: 0.0, through: 600, by: 30) {
      tracker.ingest(ground.fix(second, 40, accuracy: 40), into: &events)
    }
    for number in 0..<40 {
      let isCoarse = number < 2
      tracker.ingest(
        ground.fix(
          15_000 + 3 * Double(number), isCoarse ? east : east + 4.2 * Double(number),
          accuracy: isCoarse ? 65 : 10), into: &events)
    }
    let event = try #require(
      events.first { if case .exit = $0.statement { true } else { false } })
    guard case .exit(_, let crossing, _) = event.statement else { return }
    let seconds = event.time.seconds(since: Ground.time(0))
    #expect(seconds < 15_000)
    #expect(seconds + 2 * (crossing.timeUncertainty ?? 0) >= 14_800)
  }

  @Test(
    "the time by which a crossing lies outside of the fixes on both sides counts as doubt by half",
    arguments: [
      // Between the last fix inside, at 50 s, and the first outside, at 60 s.
      (55.0, 0.0),
      // 40 s after both, and 30 s before.
      (100.0, 20.0), (20.0, 15.0),
    ])
  func bracket(seconds: Double, added: Double) throws {
    let area = Area.circle(Circle(center: ground.place(0), radius: 100))
    var motion = Motion()
    var last: (fix: Fix, found: FixEstimate)?
    for second in stride(from: 0.0, through: 120, by: 10) {
      let fix = ground.fix(second, second < 60 ? 0 : 150, accuracy: 10)
      last = motion.ingest(fix).map { (fix, $0) }
      motion.keepWindow(isNearEdge: true)
    }
    let (fix, found) = try #require(last)
    let update = FilterUpdate(
      fix: fix, time: Ground.time(120), decided: Ground.time(120), previous: nil, before: nil,
      found, rhythm: Rhythm(), ended: nil, contradiction: nil, wake: nil)
    let crossing = EdgeState.Candidate(
      moment: Moment(fix, time: Ground.time(seconds), decided: Ground.time(120)),
      timeUncertainty: 3)
    var monitor = FenceMonitor()
    let doubted = monitor.bracketed(crossing, area, update, motion, wasInside: true)
    #expect(abs(doubted.timeUncertainty - (9 + added * added).squareRoot()) < 1e-9)
    #expect(doubted.moment.time == Ground.time(seconds))
  }
}
