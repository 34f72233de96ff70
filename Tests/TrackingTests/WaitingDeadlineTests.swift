import Geodesy
import TestSupport
import Testing

@testable import Tracking

/// What falls due while a fix waits for the next one, and after the clock was set back.
@Suite("Deadlines while a fix waits, and after the clock was set back")
struct WaitingDeadlineTests {
  /// Fixes by seconds and metres from the centre of the fence.
  private func fixes(_ points: [(seconds: Double, metres: Double)]) -> [Fix] {
    points.map { StripChart.fix($0.metres, ticks: $0.seconds / StripChart.tick, accuracy: 10) }
  }

  private func time(_ seconds: Double) -> Timestamp {
    StripChart.time(seconds / StripChart.tick)
  }

  /// The events of fixes, by a fleet that packs its devices after every fix or never, with wake-ups or
  /// without.
  private func events(
    _ rules: Rules, _ fixes: [Fix], wakes: Bool, isPacked: Bool
  ) -> [Event] {
    var fleet = Fleet(rules: rules, activeLimit: 1, keepsHistory: true)
    let device = fleet.index(of: "a")
    var events: [Event] = []
    for (index, fix) in fixes.enumerated() {
      // A wake-up does not run ahead of fixes that are still to come.
      let time = fixes[index...].compactMap(\.time).min()
      while wakes, let time, let due = fleet.nextDeadline(of: device), due < time {
        fleet.advance(device, to: due, into: &events)
      }
      fleet.ingest(fix, of: device, into: &events)
      if isPacked { _ = fleet.index(of: "another \(events.count) \(fix.time, default: "")") }
    }
    return events
  }

  private func expectSame(_ rules: Rules, _ fixes: [Fix], _ what: Comment = "") {
    let replayed = events(rules, fixes, wakes: false, isPacked: false)
    for (wakes, isPacked) in [(true, false), (false, true), (true, true)] {
      let others = events(rules, fixes, wakes: wakes, isPacked: isPacked)
      // Not inside #expect, which would print all events.
      let isSame = others == replayed
      #expect(isSame, "\(what) wake-ups: \(wakes), packed: \(isPacked)")
    }
  }

  @Test(
    "a dwell falls due while a fix waits",
    arguments: [(20, 500_000), (-200_000, 0)], [Decision.naive, .balanced])
  func dwell(waiting: (seconds: Double, metres: Double), decision: Decision) throws {
    let rules = try StripChart(dwell: 600, decision: decision).rules()
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes([(0, 0), (10, 0), waiting]) { tracker.ingest(fix, into: &events) }
    #expect(tracker.counts.waiting == 1)
    #expect(tracker.nextDeadline == time(600))
    tracker.advance(to: time(600), into: &events)
    #expect(events.map(\.letter) == ["s", "d"])
    let dwell = try #require(events.last)
    #expect(dwell.time == time(600) && dwell.decided == time(600))
  }

  @Test(
    "what falls due while a fix waits is the same with wake-ups, without and packed",
    arguments: [Decision.naive, .balanced])
  func same(decision: Decision) throws {
    let rules = try StripChart(dwell: 600, decision: decision).rules()
    let jumps = [
      (20.0, 500_000.0), (550, 500_000), (590, 500_000), (200_000, 0), (200_000, 20_000),
    ]
    for jump in jumps {
      for wait in [1.0, 60, 115, 125, 700, 20_000] {
        // The jump is confirmed, rejected, or followed by another.
        for next in [(jump.0 + wait, jump.1), (20 + wait, 0), (jump.0 + wait, -800_000)] {
          let last = max(next.0, jump.0)
          expectSame(
            rules,
            fixes([(0, 0), (10, 0), jump, next, (last + 30, next.1), (last + 60, next.1)]))
        }
      }
    }
  }

  @Test(
    "the same of random fixes: near, elsewhere, days ahead and days back",
    arguments: UInt64(1)...150)
  func sameAtRandom(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let decision: Decision = seed % 2 == 0 ? .naive : .balanced
    var rules = try StripChart(dwell: 600, decision: decision).rules()
    rules.memory = [600, 7_200, 86_400].randomElement(using: &random) ?? 600
    var (seconds, metres) = (0.0, 0.0)
    let points: [(seconds: Double, metres: Double)] = (0..<60).map { _ in
      seconds += [1.0, 10, 60, 118, 121, 500, 700, 8_000].randomElement(using: &random) ?? 1
      let elsewhere: Double = [0.0, 0, 40, 300_000, -500_000].randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: return (seconds, elsewhere)
      case 2: return (seconds + 200_000, elsewhere)
      case 3: return (seconds - 260_000, elsewhere)
      case 4: metres = elsewhere
      default: break
      }
      return (seconds, metres)
    }
    // At the end all is decided: the last fix does not wait.
    let end = (1...3).map { (seconds: seconds + 400_000 + 10 * Double($0), metres: metres) }
    expectSame(rules, fixes(points + end), "seed \(seed)")
  }

  @Test(
    "a stay that was forgotten is resolved when the clock was set back since",
    arguments: [0, 30_000], [Decision.naive, .balanced])
  func resolved(metres: Double, decision: Decision) throws {
    var rules = try StripChart(decision: decision).rules()
    rules.memory = 86_400
    let day = 86_400.0
    let known = fixes([(0, 0), (10, 0)])
    let later = fixes((0..<20).map { (-3 * day + 10 * Double($0), metres) })
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in known { tracker.ingest(fix, into: &events) }
    let next = tracker.nextDeadline
    let due = try #require(next)
    tracker.advance(to: due, into: &events)
    #expect(events.map(\.letter) == ["s", "u"])
    for fix in later { tracker.ingest(fix, into: &events) }
    #expect(events.map(\.letter) == ["s", "u", metres == 0 ? "s" : "x"])
  }

  @Test(
    "a side that is not clear at once is resolved when the clock was set back since",
    arguments: [-3 * 86_400.0, 3_600, 90_000])
  func resolvedAtEdge(shift: Double) throws {
    var rules = try StripChart(decision: .balanced).rules()
    rules.memory = 86_400
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes([(0, 0), (10, 0)]) { tracker.ingest(fix, into: &events) }
    let next = tracker.nextDeadline
    let due = try #require(next)
    tracker.advance(to: due, into: &events)
    #expect(events.map(\.letter) == ["s", "u"])
    for second in 0..<100 {
      let fix = StripChart.fix(
        40, ticks: (shift + 10 * Double(second)) / StripChart.tick, accuracy: 40)
      tracker.ingest(fix, into: &events)
    }
    #expect(events.map(\.letter) == ["s", "u", "s"])
    for event in events { #expect(event.time <= event.decided, "\(event)") }
  }

  @Test("a side that was never clear is resolved when the clock was set back since")
  func resolvedFirst() throws {
    let rules = try StripChart(decision: .balanced).rules()
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    func go(from start: Double, to end: Double) {
      for seconds in stride(from: start, through: end, by: 10) {
        let fix = StripChart.fix(90, ticks: seconds / StripChart.tick, accuracy: 60)
        tracker.ingest(fix, into: &events)
      }
    }
    go(from: 0, to: 60)
    #expect(events.map(\.letter) == ["u"])
    go(from: -260_000, to: -259_900)
    #expect(events.map(\.letter) == ["u"])
    go(from: -259_890, to: -259_800)
    #expect(events.map(\.letter) == ["u", "s"])
  }

  @Test(
    "a stay is forgotten while a fix waits that was dated back, and then resolved",
    arguments: [0, 30_000], [Decision.naive, .balanced])
  func forgotten(metres: Double, decision: Decision) throws {
    var rules = try StripChart(decision: decision).rules()
    rules.memory = 86_400
    let day = 86_400.0
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes([(0, 0), (10, 0), (-3 * day, metres)]) { tracker.ingest(fix, into: &events) }
    let next = tracker.nextDeadline
    let due = try #require(next)
    #expect(due == time(10 + day))
    tracker.advance(to: due, into: &events)
    #expect(events.map(\.letter) == ["s", "u"])
    for fix in fixes((1..<20).map { (-2 * day + 10 * Double($0), metres) }) {
      tracker.ingest(fix, into: &events)
    }
    #expect(events.map(\.letter) == ["s", "u", metres == 0 ? "s" : "x"])
  }
}
