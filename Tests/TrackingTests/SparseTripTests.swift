import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Tracking

/// Devices that report every few minutes, by satellite, and change their place between two fixes.
@Suite("Trips between two sparse fixes")
struct SparseTripTests {
  /// From home to a shop, and back: seconds between fixes, metres, metres per second, seconds of the stay.
  struct Trip: CustomTestStringConvertible {
    let step, distance, speed, stay: Double
    /// Most intervals from the arrival to the decision, and seconds by which its time is off.
    let delay, error: Double

    var testDescription: String { "a fix every \(Int(step)) s, \(Int(distance)) m" }
  }

  private let ground = Ground()

  private static let trips = [
    // Before, fixes at the new place were taken for wrong ones at the old: 4.8 intervals and 535 s.
    Trip(step: 300, distance: 350, speed: 1.3, stay: 3_600, delay: 2, error: 150),
    Trip(step: 300, distance: 600, speed: 4, stay: 1_800, delay: 2.5, error: 200),
    // Before: 3.1 intervals and 1,358 s.
    Trip(step: 900, distance: 800, speed: 4, stay: 5_400, delay: 2.5, error: 900),
  ]

  @Test("are believed by what the next fixes say", arguments: trips)
  func believed(_ trip: Trip) throws {
    for seed in UInt64(1)...30 {
      let (entered, fixes) = fixes(trip, seed: seed)
      let enters = try play(fixes, trip).filter {
        if case .enter(let fence, _) = $0.statement { fence == "shop" } else { false }
      }
      #expect(enters.count == 1, "seed \(seed)")
      let enter = try #require(enters.first)
      let delay = enter.decided.seconds(since: Ground.time(entered))
      #expect(delay <= trip.delay * trip.step, "seed \(seed)")
      #expect(abs(enter.time.seconds(since: Ground.time(entered))) <= trip.error, "seed \(seed)")
    }
  }

  // It was 4.5 sigmas off: the straight line at the speed seen was the slowest way.
  @Test("a way 1.4 times as long as the straight line lies within the doubt of a departure")
  func detour() {
    for speed in [1.4, 6, 14] {
      let gap = SparseGap(seconds: 600, distance: 200 * speed, speed: speed)
      let left = gap.departure
      #expect(abs(left.offset - (600 - 1.4 * 200)) < 1.5 * left.sigma, "\(speed) m/s")
      #expect(left.offset < 600 - 100 && left.sigma < 100, "\(speed) m/s")
    }
    // The whole gap is the longest way.
    let whole = SparseGap(seconds: 600, distance: 1_000, speed: 0).departure
    #expect(whole.offset > 0 && whole.offset < 600)
    #expect(SparseGap(seconds: 600, distance: 6_000, speed: 10).departure.offset < 300)
  }

  /// Fixes that claim 6 m and err by 3 m along each axis, and when the device crossed 100 m before the shop.
  private func fixes(_ trip: Trip, seed: UInt64) -> (entered: Double, fixes: [Fix]) {
    var random = SeededGenerator(seed: seed)
    let leaves = 3_600 + trip.step * Double.random(in: 0..<1, using: &random)
    let comes = leaves + trip.distance / trip.speed
    let returns = comes + trip.stay
    var fixes: [Fix] = []
    for time in stride(from: 0.0, through: returns + 3_600, by: trip.step) {
      let gone = min(max(0, time - leaves) * trip.speed, trip.distance)
      let left = max(0, trip.distance - (time - returns) * trip.speed)
      let way = time < returns ? gone : left
      let (east, north) = (way + 3 * random.normal(), 3 * random.normal())
      fixes.append(ground.fix(time, east, north, accuracy: 6))
    }
    return (comes - 100 / trip.speed, fixes)
  }

  private func play(_ fixes: [Fix], _ trip: Trip) throws -> [Event] {
    let shop = Circle(center: ground.place(trip.distance), radius: 100)
    let fences = [ground.circle("home", radius: 100), Fence(id: "shop", area: .circle(shop))]
    var (tracker, events) = (Tracker(rules: Rules(fences: try FenceSet(fences))), [Event]())
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events
  }
}
