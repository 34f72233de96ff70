import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Tracking

/// Errors that are new with every fix, or nearly so, as fixtures of tests and cheap receivers have them.
@Suite("Errors that are new with every fix")
struct WhiteErrorTests {
  private let ground = Ground()

  /// The crossings of a fence of 100 m, whose edge is 5 m east of where the device stands.
  private func crossings(_ fixes: [Fix]) throws -> [Event] {
    let area = Circle(center: ground.place(-95, 0), radius: 100)
    let rules = Rules(fences: try FenceSet([Fence(id: "home", area: .circle(area))]))
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events.filter {
      switch $0.statement {
      case .enter, .exit: true
      default: false
      }
    }
  }

  /// Fixes of a device whose errors have a sigma along one axis and a correlation time, and are claimed.
  private func fixes(
    sigma: Double, time: Double, every step: Double, count: Int, seed: UInt64,
    _ east: (Double) -> Double = { _ in 0 }
  ) -> [Fix] {
    var (random, noise) = (SeededGenerator(seed: seed), Noise(sigma: sigma, time: time))
    return (0..<count).map { number in
      let second = Double(number) * step
      let error = noise.next(second, &random)
      return ground.fix(
        second, east(second) + error.x, error.y, accuracy: sigma * AccuracyRadius.engineSigmas)
    }
  }

  // It was 29 to 78 in 1,000 fixes, hundreds a day.
  @Test(
    "let a still device cross an edge beside it in few of 1,000 fixes, mostly the first ones",
    arguments: [8.0, 30], [5.0, 10, 20])
  func still(sigma: Double, step: Double) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      for time in [0.01, 5] {
        let fixes = fixes(sigma: sigma, time: time, every: step, count: 2_000, seed: seed)
        let found = try crossings(fixes)
        #expect(found.count <= 12, "seed \(seed), correlated for \(time) s")
        let late = found.filter { $0.decided > Ground.time(1_000 * step) }
        #expect(late.count <= 5, "seed \(seed), correlated for \(time) s")
      }
    }
  }

  // It was 7 to 12 in 1,000 fixes.
  @Test(
    "that last for some fixes of a quick receiver do so, too", arguments: [8.0, 16, 30], [1.0, 2])
  func quick(sigma: Double, step: Double) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let fixes = fixes(sigma: sigma, time: 4.5 * step, every: step, count: 2_000, seed: seed)
      let found = try crossings(fixes)
      #expect(found.count <= 10, "seed \(seed)")
    }
  }

  // It was some 80, and more with less noise for the modes that move.
  @Test("beside slow ones, without a claim, seldom let a still device walk")
  func unclaimed() throws {
    var count = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      for slow in [15.0, 25, 30] {
        var random = SeededGenerator(seed: seed)
        var (noise, white) = (Noise(sigma: slow), Noise(sigma: 10, time: 0.01))
        let fixes = (0..<7_200).map { number in
          let second = Double(number)
          let (error, other) = (noise.next(second, &random), white.next(second, &random))
          return ground.fix(
            second, error.x + other.x - slow, error.y + other.y, accuracy: nil)
        }
        count += try crossings(fixes).count
      }
    }
    #expect(count <= 20, "in 24 hours")
  }

  @Test("do not hide that the device walks away", arguments: [5.0, 10, 20])
  func walk(step: Double) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let start = 1_800.0
      // It stands in the middle of the fence, and walks out at 1.4 m/s.
      let fixes = fixes(sigma: 8, time: 0.01, every: step, count: Int(2_400 / step), seed: seed) {
        $0 < start ? -95 : -95 + 1.4 * ($0 - start)
      }
      let found = try crossings(fixes)
      #expect(found.count == 1, "seed \(seed)")
      let exit = try #require(found.first)
      let crossed = start + 100 / 1.4
      #expect(abs(exit.time.seconds(since: Ground.time(crossed))) < 20 + step, "seed \(seed)")
      #expect(exit.decided.seconds(since: Ground.time(crossed)) < 60, "seed \(seed)")
    }
  }
}
