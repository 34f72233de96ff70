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

/// Random fences and a random walk through them, with every defect that the gate knows.
enum RandomWorld {
  static func place(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      latitude: 52.5 + .random(in: -0.02...0.02, using: &random),
      longitude: 13.4 + .random(in: -0.03...0.03, using: &random))
  }

  static func fences(_ random: inout SeededGenerator, count: Int) -> FenceSet {
    let fences = (0..<count).map { number in
      var fence = Fence(id: "f\(number)", area: area(&random))
      fence.notifications = [.enter, .exit, .dwell]
      fence.dwell = Int64.random(in: 10...400, using: &random) * 1_000_000_000
      fence.decision = Decision.allCases[number % Decision.allCases.count]
      return fence
    }
    // The ids differ, so this cannot fail; an empty set would fail every law that counts on events.
    return (try? FenceSet(fences)) ?? FenceSet()
  }

  private static func area(_ random: inout SeededGenerator) -> Area {
    let center = place(&random)
    let radius = Double.random(in: 20...600, using: &random)
    if Bool.random(using: &random) {
      return .circle(Circle(center: center, radius: radius))
    }
    let distances = (0..<5).map { _ in radius * .random(in: 0.4...1, using: &random) }
    func ring(_ share: Double) -> [Coordinate] {
      distances.enumerated().map { corner, distance in
        center.destination(bearing: Double(corner) * 72, distance: distance * share)
      }
    }
    let holes = Bool.random(using: &random) ? [ring(0.4)] : []
    guard let polygon = try? Polygon(exterior: ring(1), holes: holes) else {
      return .circle(Circle(center: center, radius: radius))
    }
    return .polygons([polygon])
  }

  static func make(
    _ random: inout SeededGenerator, clockJumps: Bool = true
  ) -> (rules: Rules, fixes: [Fix]) {
    var rules = Rules(fences: fences(&random, count: 15))
    (rules.significantChanges, rules.visits) = (SignificantChangeRules(), VisitRules())
    var (east, north, seconds) = (0.0, 0.0, 0.0)
    let fixes = (0..<400).map { _ in
      let speed = Double.random(in: 0...1, using: &random) < 0.3 ? 0.5 : 15.0
      let step = Double([1, 5, 30, 60, 200, 900].randomElement(using: &random) ?? 1)
      seconds += step
      east = (east + .random(in: -1...1, using: &random) * speed * step).wrapped(to: 2_000)
      north = (north + .random(in: -1...1, using: &random) * speed * step).wrapped(to: 2_000)
      return fix(east, north, seconds, &random, clockJumps)
    }
    return (rules, fixes)
  }

  private static func fix(
    _ east: Double, _ north: Double, _ seconds: Double, _ random: inout SeededGenerator,
    _ clockJumps: Bool
  ) -> Fix {
    var fix = Fix(
      time: StripChart.start.advanced(bySeconds: seconds),
      coordinate: Coordinate(
        latitude: 52.5 + north / 111_000, longitude: 13.4 + east / 68_000))
    fix.horizontalAccuracy = .random(in: 3...30, using: &random)
    if Bool.random(using: &random) {
      fix.speed = .random(in: 0...20, using: &random)
      fix.course = .random(in: 0..<360, using: &random)
    }
    switch Int.random(in: 0..<60, using: &random) {
    case 0: fix.time = nil
    case 1: fix.coordinate.latitude = .nan
    case 2, 6, 7: fix.time = fix.time?.advanced(bySeconds: -.random(in: 0...100, using: &random))
    case 3: fix.coordinate.latitude += 20
    case 4 where clockJumps: fix.time = fix.time?.advanced(bySeconds: 6e8)
    case 5: fix.horizontalAccuracy = nil
    default: break
    }
    return fix
  }

  static func events(_ rules: Rules, _ fixes: [Fix]) -> [Event] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for fix in fixes { tracker.ingest(fix, into: &events) }
    return events
  }
}

extension Double {
  fileprivate func wrapped(to limit: Double) -> Double {
    self > limit ? 2 * limit - self : self < -limit ? -2 * limit - self : self
  }
}
