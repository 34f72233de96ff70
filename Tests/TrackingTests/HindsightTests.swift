import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Hindsight")
struct HindsightTests {
  static let seeds: [UInt64] = Array(1...40)

  private static func events(_ rules: Rules, _ fixes: [Fix]) -> [Event] {
    var tracker = HindsightTracker(rules: rules)
    var events: [Event] = []
    for fix in fixes { tracker.ingest(fix, into: &events) }
    tracker.finish(into: &events)
    return events
  }

  /// A circle around a place on the line of a ``Day``.
  private static func rules(east: Double, radius: Double) throws -> Rules {
    let fence = Fence(
      id: "f", area: .circle(Circle(center: Ground().place(east), radius: radius)))
    return Rules(fences: try FenceSet([fence]))
  }

  /// Every fix 2 s apart, a walk at 1.4 m/s over 4 km, with a receiver that errs by 15 m.
  private static func walk(_ seed: UInt64) -> [Fix] {
    Day((0, -2_000), (2_857, 2_000)).fixes(every: 2, sigma: 15, seed: seed)
  }

  private static func crossings(_ events: [Event]) -> [(isEnter: Bool, event: Event)] {
    events.compactMap { event in
      switch event.statement {
      case .enter: (true, event)
      case .exit: (false, event)
      default: nil
      }
    }
  }

  @Test("a fence is entered and left once, near the true times", arguments: seeds)
  func passage(seed: UInt64) throws {
    let found = Self.crossings(
      Self.events(try Self.rules(east: 0, radius: 200), Self.walk(seed)))
    #expect(found.map(\.isEnter) == [true, false], "seed \(seed)")
    for (crossing, metres) in zip(found, [-200.0, 200]) {
      let truth = Ground.start.advanced(bySeconds: (metres + 2_000) / 1.4)
      #expect(abs(crossing.event.time.seconds(since: truth)) < 30, "seed \(seed)")
    }
  }

  @Test("crossings are closer to the truth than what a live run reports")
  func accuracy() throws {
    let rules = try Self.rules(east: 0, radius: 200)
    func error(_ run: (Rules, [Fix]) -> [Event]) -> Double {
      Self.seeds.reduce(0) { sum, seed in
        let found = Self.crossings(run(rules, Self.walk(seed)))
        return sum
          + zip(found, [-200.0, 200]).reduce(0) { part, pair in
            let truth = Ground.start.advanced(bySeconds: (pair.1 + 2_000) / 1.4)
            return part + abs(pair.0.event.time.seconds(since: truth))
          }
      }
    }
    #expect(error(Self.events) < error(RandomWorld.events))
  }

  @Test(
    "events of random worlds fit together, and none is dated after its decision", arguments: seeds)
  func laws(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var ledger = Ledger(rules)
    var decided: Timestamp?
    for event in Self.events(rules, fixes) {
      ledger.add(event, "seed \(seed)")
      #expect(event.time <= event.decided, "seed \(seed)")
      if let decided { #expect(decided <= event.decided, "seed \(seed)") }
      decided = event.decided
    }
  }

  @Test("what is decided does not wait for the end of a long recording, so memory is bounded")
  func bounded() throws {
    let day = Day((0, -2_000), (2_857, 2_000), (20_000, 2_000))
    var tracker = HindsightTracker(rules: try Self.rules(east: 0, radius: 200))
    var events: [Event] = []
    for fix in day.fixes(every: 1) { tracker.ingest(fix, into: &events) }
    #expect(Self.crossings(events).map(\.isEnter) == [true, false])
    let last = try #require(Self.crossings(events).last?.event)
    // Known some 2,000 fixes later, and not at the end.
    #expect(last.decided.seconds(since: last.time) < 4_096)
  }

  @Test("a late fix is put in its place, wherever it comes among those that are not decided")
  func late() throws {
    let fixes = Self.walk(3)
    var disordered = fixes
    for place in stride(from: 10, to: 1_300, by: 7) { disordered.swapAt(place, place + 1) }
    var rules = try Self.rules(east: 0, radius: 200)
    rules.gate.lateness = 60
    let isSame = Self.events(rules, disordered).map(\.time) == Self.events(rules, fixes).map(\.time)
    #expect(isSame)
  }

  @Test(
    "gaps, breaks and clocks that are set are taken as in a live run",
    arguments: 1...10 as ClosedRange<UInt64>)
  func breaks(seed: UInt64) throws {
    let rules = try StateWalk.rules()
    var (tracker, live) = (HindsightTracker(rules: rules, observes: true), Tracker(rules: rules))
    var (events, others, known) = ([Event](), [Event](), [Observation]())
    for (number, fix) in StateWalk(seed: seed, phases: 24).fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      live.ingest(fix, into: &others)
      known += tracker.takeObservations()
      #expect(tracker.lastTime == live.lastTime, "seed \(seed), fix \(number)")
    }
    #expect(tracker.counts.received == live.counts.received)
    #expect(tracker.counts[.teleport] == live.counts[.teleport])
    tracker.finish(into: &events)
    known += tracker.takeObservations()
    #expect(tracker.takeObservations().isEmpty)
    // Nothing new is known at a fix that only repeats the position before.
    let repeated = tracker.counts.accepted - known.count
    #expect((1...40).contains(repeated), "seed \(seed): \(repeated)")
    #expect(known.allSatisfy { $0.inside.allSatisfy { (0...1).contains($0.probability) } })
    #expect(!Self.crossings(events).isEmpty)
  }

  @Test("a fix from before the first one has no place")
  func beforeAll() throws {
    var tracker = HindsightTracker(rules: try Self.rules(east: 0, radius: 200))
    var events: [Event] = []
    tracker.ingest(Ground().fix(10, 0, accuracy: 5), into: &events)
    tracker.ingest(Ground().fix(0, 0, accuracy: 5), into: &events)
    #expect(tracker.lastDefect == .outOfOrder)
    #expect(tracker.counts[.outOfOrder] == 1 && tracker.counts.accepted == 1)
    #expect(tracker.takeObservations().isEmpty)
  }

  @Test("a visit is reported once, when it is over or the recording ends", arguments: [0.0, 900])
  func visits(after: Double) throws {
    var rules = Rules(fences: FenceSet())
    rules.visits = VisitRules()
    let day = Day.stay(3_600)
    let fixes = day.fixes(every: 5).filter { fix in
      fix.time.map { $0.seconds(since: Ground.start) <= 3_900 + after } ?? false
    }
    let told = VisitReport.all(in: Self.events(rules, fixes))
    #expect(told.count == 1)
    let visit = try #require(told.first?.visit)
    #expect((visit.departure != nil) == (after > 0))
    #expect(visit.revision == 0 && !visit.isRetracted)
  }

  @Test("visits are those of a live run, as they stand at its end")
  func finalVisits() {
    var count = 0
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      // In order: a late fix reaches the visits of hindsight, and not those of a live run.
      let (rules, disordered) = RandomWorld.make(&random, clockJumps: false)
      let fixes = disordered.filter { $0.time != nil }
        .sorted { ($0.time ?? Ground.start) < ($1.time ?? Ground.start) }
      let live = VisitReport.all(in: RandomWorld.events(rules, fixes)).map(\.visit)
      let final = live.indices.filter { place in
        !live[place].isRetracted
          && !live[(place + 1)...].contains { $0.arrival == live[place].arrival }
      }
      let found = VisitReport.all(in: Self.events(rules, fixes)).map(\.visit)
      #expect(found.map(\.arrival) == final.map { live[$0].arrival }, "seed \(seed)")
      #expect(found.map(\.departure) == final.map { live[$0].departure }, "seed \(seed)")
      count += found.count
    }
    #expect(count > 20)
  }

  @Test("after the clock was set, events are on the new clock")
  func newClock() throws {
    let first = Self.walk(5)
    let second = Self.walk(6).map { fix in
      var moved = fix
      moved.time = fix.time?.advanced(bySeconds: -400_000)
      return moved
    }
    let rules = try Self.rules(east: 0, radius: 200)
    let found = Self.crossings(Self.events(rules, first + second))
    #expect(found.map(\.isEnter) == [true, false, true, false])
    #expect(found.last.map { $0.event.time < Ground.start } == true)
  }

  @Test("a recording without fixes, with one or with two gives no crossing")
  func few() throws {
    let rules = try Self.rules(east: 0, radius: 200)
    for count in 0...2 {
      let events = Self.events(rules, Array(Self.walk(1).prefix(count)))
      #expect(Self.crossings(events).isEmpty)
    }
  }
}
