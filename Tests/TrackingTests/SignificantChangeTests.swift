import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Significant changes")
struct SignificantChangeTests {
  private let ground = Ground()

  private func tracker(_ wanted: SignificantChangeRules = SignificantChangeRules()) -> Tracker {
    var rules = Rules()
    rules.significantChanges = wanted
    return Tracker(rules: rules)
  }

  /// The changes on a way, by seconds.
  private func run(
    _ wanted: SignificantChangeRules = SignificantChangeRules(), every step: Double,
    until end: Double, sigma: Double = 5, seed: UInt64 = 1, _ way: (Double) -> Double
  ) -> [Event] {
    var random = SeededGenerator(seed: seed)
    var noise = Noise(sigma: sigma)
    var tracker = tracker(wanted)
    var events: [Event] = []
    for time in stride(from: 0.0, through: end, by: step) {
      let error = noise.next(time, &random)
      tracker.ingest(
        ground.fix(time, way(time) + error.x, error.y, accuracy: sigma * 1.51), into: &events)
    }
    return events
  }

  @Test("none is said when none is asked for")
  func off() {
    var tracker = Tracker(rules: Rules())
    var events: [Event] = []
    for time in stride(from: 0.0, to: 6_000, by: 60) {
      tracker.ingest(ground.fix(time, 15 * time), into: &events)
    }
    #expect(events.isEmpty)
  }

  @Test("500 m are one, with the first fix that allows it", arguments: [1.0, 10, 60])
  func distance(step: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let events = run(every: step, until: 1_000, seed: seed) { min(max(0, $0 - 200) * 1.5, 600) }
      #expect(events.count == 1, "seed \(seed)")
      let change = try #require(events.first)
      #expect(change.statement == .significantChange && change.time == change.decided)
      // 500 m are reached after 533 s.
      let delay = change.time.seconds(since: Ground.time(533.3))
      #expect(delay > -40 && delay <= step + 20, "seed \(seed): \(delay) s")
      #expect(change.coordinate.distance(to: ground.place(500)) < 80, "seed \(seed)")
    }
    #expect(run(every: step, until: 2_000) { min($0, 400) }.isEmpty)
  }

  @Test("two are never closer than the interval, in the time of the fixes", arguments: [1.0, 30])
  func interval(step: Double) {
    let events = run(every: step, until: 3_600) { 15 * $0 }
    #expect(events.count >= 10)
    for (a, b) in zip(events, events.dropFirst()) {
      let pause = b.time.seconds(since: a.time)
      #expect(pause >= 300 && pause <= 300 + step)
    }
    var often = SignificantChangeRules()
    (often.distance, often.interval) = (100, 0)
    #expect(run(often, every: 1, until: 600) { 10 * $0 }.count > 50)
  }

  @Test("noise makes none, however bad", arguments: [5.0, 30, 100])
  func noise(sigma: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      #expect(run(every: 30, until: 86_400, sigma: sigma, seed: seed) { _ in 0 }.isEmpty)
    }
  }

  @Test("a wild fix makes none", arguments: [600.0, 2_000, 30_000])
  func outlier(distance: Double) {
    #expect(run(every: 10, until: 3_000) { $0 == 1_500 ? distance : 0 }.isEmpty)
    #expect(run(every: 1, until: 1_000) { $0 == 500 ? distance : 0 }.isEmpty)
  }

  @Test("a far place that is confirmed makes one")
  func teleport() {
    let events = run(every: 10, until: 2_000) { $0 < 1_000 ? 0 : 400_000 }
    #expect(events.map(\.statement) == [.significantChange])
    #expect(ground.place(400_000).distance(to: events.first?.coordinate ?? ground.place(0)) < 50)
  }

  @Test("a new clock keeps the place and the rest of the interval", arguments: [-200_000.0, 6e8])
  func newClock(shift: Double) throws {
    var tracker = tracker()
    var events: [Event] = []
    // A change after about 40 s; the clock leaps after 100 s.
    for index in 0..<60 {
      let time = Double(index) * 10
      tracker.ingest(
        ground.fix(time + (time > 100 ? shift : 0), time * 15), into: &events)
    }
    #expect(tracker.counts.believedClockJumps == 1)
    #expect(events.count == 2)
    let (first, second) = (try #require(events.first), try #require(events.last))
    let pause = second.time.seconds(since: first.time) - shift
    #expect(pause >= 290 && pause <= 330, "\(pause) s")
  }
}
