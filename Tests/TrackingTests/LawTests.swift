import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// What holds for every input: tried on seeded random walks with every defect.
@Suite("Laws of the engine")
struct LawTests {
  static let seeds: [UInt64] = Array(1...40)

  @Test("wake-ups inserted anywhere change nothing", arguments: seeds)
  func wakeUps(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    var newest: Timestamp?
    for (index, fix) in fixes.enumerated() {
      // A wake-up must not run ahead of fixes that are still to come.
      if let before = newest,
        let time = fixes[index...].compactMap(\.time).filter({ $0 > before }).min()
      {
        for _ in 0..<3 {
          let share = Double.random(in: 0..<1, using: &random)
          let now = before.advanced(bySeconds: time.seconds(since: before) * share)
          tracker.advance(to: now, into: &events)
        }
        if let due = tracker.nextDeadline, due < time { tracker.advance(to: due, into: &events) }
      }
      tracker.ingest(fix, into: &events)
      // Only the engine's own time counts: a fix that waits, is late or was dropped moves no clock.
      newest = tracker.lastTime
    }
    let isSame = events == RandomWorld.events(rules, fixes)
    #expect(isSame, "seed \(seed)")
  }

  @Test("a checkpoint written and restored at any fix changes nothing", arguments: seeds)
  func checkpoints(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for (index, fix) in fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      guard index % 16 == Int(seed % 16) else { continue }
      let restored = try JSONDecoder().decode(
        Tracker.self, from: JSONEncoder().encode(tracker))
      // Not inside #expect, which would print two whole engines.
      let isSame = restored == tracker
      #expect(isSame, "seed \(seed), fix \(index)")
      tracker = restored
    }
    let isSame = events == RandomWorld.events(rules, fixes)
    #expect(isSame, "seed \(seed)")
  }

  @Test("a checkpoint that speaks of fences that are not there is refused")
  func foreignCheckpoint() throws {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    tracker.ingest(StripChart.fix(0, ticks: 0), into: &events)
    let text = String(decoding: try JSONEncoder().encode(tracker), as: UTF8.self)
    for wrong in [#""fence":7"#, #""fence":-1"#] {
      let damaged = text.replacingOccurrences(of: #""fence":0"#, with: wrong)
      #expect(damaged != text)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Tracker.self, from: Data(damaged.utf8))
      }
    }
  }

  @Test(
    "a checkpoint of which an engine could not go on is refused",
    arguments: [
      (#""received":1"#, #""received":9223372036854775807"#),
      (#""received":1"#, #""received":-1"#),
      (#""middleCount":0"#, #""middleCount":2"#),
      (#""middleCount":0"#, #""middleCount":-1"#),
    ])
  func impossibleCheckpoint(part: String, wrong: String) throws {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    tracker.ingest(StripChart.fix(0, ticks: 0), into: &events)
    let text = String(decoding: try JSONEncoder().encode(tracker), as: UTF8.self)
    try #require(text.contains(part))
    let damaged = text.replacingOccurrences(of: part, with: wrong)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Tracker.self, from: Data(damaged.utf8))
    }
  }

  @Test(
    "rules that are given again at any fix, in whatever order of fences, change nothing",
    arguments: seeds)
  func rulesAgain(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for (index, fix) in fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      if index % 16 == Int(seed % 16) {
        tracker.rules.fences = try FenceSet(rules.fences.shuffled(using: &random))
      }
    }
    func sorted(_ events: [Event]) -> [String] { events.map { "\($0)" }.sorted() }
    let isSame = sorted(events) == sorted(RandomWorld.events(rules, fixes))
    #expect(isSame, "seed \(seed)")
  }

  @Test("enters and exits alternate per fence, and agree with the last fix", arguments: seeds)
  func alternation(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes { tracker.ingest(fix, into: &events) }
    var ledger = Ledger(rules)
    for event in events { ledger.add(event, "seed \(seed): \(event)") }
    #expect(events.contains { $0.statement == .significantChange })
    let last = try #require(tracker.gate.last)
    let (estimate, spots) = try #require(tracker.motion.now)
    #expect(estimate == tracker.estimate)
    for (index, fence) in rules.fences.enumerated() {
      let side = try #require(ledger.sides[fence.id])
      if fence.decision == .naive {
        #expect((side == .inside) == fence.area.contains(last.coordinate), "seed \(seed)")
      }
      // One that is sure of the other side may have to stay so for some seconds.
      guard let demands = fence.decision.thresholds, side != .unknown,
        tracker.fences.edge(of: index)?.sure == nil
      else { continue }
      let inside = spots.probability(
        inside: fence.area, middle: fence.area.signedDistance(to: estimate.coordinate))
      #expect((side == .inside ? 1 - inside : inside) < demands.resting, "seed \(seed)")
    }
  }

  @Test("cutting the input anywhere loses only what comes after", arguments: seeds)
  func cuts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = RandomWorld.make(&random)
    let whole = RandomWorld.events(rules, fixes)
    for _ in 0..<10 {
      let cut = Int.random(in: 0...fixes.count, using: &random)
      let part = RandomWorld.events(rules, Array(fixes[..<cut]))
      let isSame = part == Array(whole.prefix(part.count))
      #expect(isSame, "seed \(seed), cut at \(cut)")
    }
  }

  @Test("events come by the time of decision, then in the order in which they happened")
  func order() {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (rules, fixes) = RandomWorld.make(&random, clockJumps: false)
      let events = RandomWorld.events(rules, fixes)
      for (a, b) in zip(events, events.dropFirst()) {
        #expect(a.decided <= b.decided, "seed \(seed): \(a) \(b)")
        #expect(a.decided < b.decided || a.time <= b.time, "seed \(seed): \(a) \(b)")
        #expect(a.time <= a.decided, "seed \(seed): \(a)")
      }
    }
  }

  @Test("the set of fences finds every fence that brute force finds", arguments: seeds)
  func bruteForce(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let set = RandomWorld.fences(&random, count: 60)
    for _ in 0..<500 {
      let a = RandomWorld.place(&random)
      let b = RandomWorld.place(&random)
      var found: [Int] = []
      set.forEachFence(near: Box(pathFrom: a, to: b)) { found.append($0) }
      for (index, fence) in set.enumerated() where !found.contains(index) {
        var fractions: [Double] = []
        fence.area.crossings(from: a, to: b, into: &fractions)
        #expect(fractions.isEmpty, "seed \(seed): fence \(index) from \(a) to \(b)")
        #expect(!fence.area.contains(a) && !fence.area.contains(b), "seed \(seed)")
      }
    }
  }
}
