import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Fixes that claim to be exact, and fixes that repeat a place")
struct ExactFixTests {
  private let ground = Ground()

  /// What one fence of so many metres around the origin says, and at which second.
  private func events(radius: Double, _ fixes: [Fix]) throws -> [(letter: String, time: Double)] {
    var tracker = Tracker(rules: Rules(fences: try FenceSet([ground.circle("a", radius: radius)])))
    return fixes.flatMap { fix in
      var events: [Event] = []
      tracker.ingest(fix, into: &events)
      return events.map { ($0.letter, $0.decided.seconds(since: Ground.time(0))) }
    }
  }

  @Test(
    "a walk is followed as exactly as its fixes claim, after a minute", arguments: [0.1, 0.5, 1])
  func walk(accuracy: Double) throws {
    var motion = Motion()
    for second in 0..<90 {
      let east = 1.4 * Double(second)
      let seen = motion.see(ground.fix(Double(second), east, accuracy: accuracy))
      let estimate = try #require(seen)
      guard second >= 60 else { continue }
      #expect(ground.error(estimate, east) < accuracy / 2, "at \(second) s")
      #expect(estimate.horizontalAccuracy < 1.5 * accuracy + 0.1, "at \(second) s")
    }
  }

  @Test(
    "of a device at rest by an edge a claim of less than 3 m is not believed",
    arguments: UInt64(1)...4)
  func lie(seed: UInt64) throws {
    for accuracy in [0.3, 1] {
      var random = SeededGenerator(seed: seed)
      var noise = Noise(sigma: 2)
      let fixes = stride(from: 0.0, to: 7_200, by: 1).map { time in
        let error = noise.next(time, &random)
        return ground.fix(time, 95 + error.x, error.y, accuracy: accuracy)
      }
      let told = try events(radius: 100, fixes).map(\.letter)
      #expect(told.allSatisfy { $0 != "e" && $0 != "x" }, "seed \(seed), \(accuracy) m: \(told)")
    }
  }

  @Test(
    "fixes that repeat a new place after a silence are believed in half a minute",
    arguments: [100.0, 200, 500, 5_000], [0.1, 1, 5, 15])
  func newPlace(distance: Double, accuracy: Double) throws {
    let before = (0..<60).map { ground.fix(Double($0), 0, accuracy: accuracy) }
    let after = (360..<420).map { ground.fix(Double($0), distance, accuracy: accuracy) }
    let exits = try events(radius: 30, before + after).filter { $0.letter == "x" }
    #expect(exits.count == 1)
    #expect(exits.allSatisfy { (360...390).contains($0.time) }, "\(exits)")
  }

  @Test(
    "a receiver that stops telling new places under way is not believed", arguments: [0.0, 300])
  func underWay(silence: Double) throws {
    var motion = Motion()
    for second in 0..<60 { motion.ingest(ground.fix(Double(second), 15 * Double(second))) }
    // Once more on its way after the silence, if there is one.
    let (start, place) = (60 + silence, 900 + 15 * silence)
    for second in 0..<20 {
      motion.ingest(ground.fix(start + Double(second), place + 15 * Double(second)))
    }
    var estimate: Estimate?
    for second in 20..<40 {
      estimate = motion.see(ground.fix(start + Double(second), place + 15 * 19))
    }
    // Where they were believed, it would be known as well as they claim.
    #expect(try #require(estimate).sigma > 10)
  }
}
