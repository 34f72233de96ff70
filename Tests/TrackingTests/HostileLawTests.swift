import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// The laws on walks whose leaps last: new places and new clocks that are confirmed, silences of
/// days, and fences that a straight way leaves and enters again.
@Suite("Laws of the engine where the track breaks")
struct HostileLawTests {
  static let seeds: [UInt64] = Array(1...60)

  @Test("a stay and its dwell agree, and nothing happens after it was decided", arguments: seeds)
  func stays(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = HostileWorld.make(&random)
    var ledger = Ledger(rules)
    for event in HostileWorld.events(rules, fixes, wakes: seed % 2 == 0) {
      #expect(event.time <= event.decided, "seed \(seed): \(event)")
      ledger.add(event, "seed \(seed): \(event)")
    }
    #expect(ledger.sides.count == rules.fences.count)
  }

  @Test("without a new clock, events come by decision, then by occurrence", arguments: seeds)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = HostileWorld.make(&random, newClocks: false)
    let events = HostileWorld.events(rules, fixes)
    for (a, b) in zip(events, events.dropFirst()) {
      #expect(a.decided <= b.decided, "seed \(seed): \(a) \(b)")
      #expect(a.decided < b.decided || a.time <= b.time, "seed \(seed): \(a) \(b)")
    }
  }

  @Test("wake-ups at every deadline change nothing", arguments: seeds)
  func wakeUps(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rules, fixes) = HostileWorld.make(&random, newClocks: false)
    let isSame =
      HostileWorld.events(rules, fixes) == HostileWorld.events(rules, fixes, wakes: true)
    #expect(isSame, "seed \(seed)")
  }
}

enum HostileWorld {
  /// Where the walk is and what its receiver makes of it.
  private struct Walker {
    var east = 0.0
    var north = 0.0
    var seconds = 0.0
    var clock = 0.0
    var far = 0.0
  }

  static func make(
    _ random: inout SeededGenerator, newClocks: Bool = true
  ) -> (rules: Rules, fixes: [Fix]) {
    var fences = Array(RandomWorld.fences(&random, count: 6))
    for index in 0..<4 {
      if let polygon = comb(&random) { fences[index].area = .polygons([polygon]) }
    }
    var rules = Rules(fences: (try? FenceSet(fences)) ?? FenceSet())
    (rules.significantChanges, rules.visits) = (SignificantChangeRules(), VisitRules())
    var walker = Walker()
    let fixes = (0..<300).map { index in
      step(&walker, &random)
      // No leap at the end, which would wait for ever.
      if index < 297 { leap(&walker, &random, newClocks) }
      return fix(walker, &random)
    }
    return (rules, fixes)
  }

  /// Teeth to the north: ways from east to west lead out and in.
  private static func comb(_ random: inout SeededGenerator) -> Polygon? {
    let center = RandomWorld.place(&random)
    let (width, height) = (0.002, 0.01)
    var corners: [Coordinate] = []
    func add(_ x: Double, _ y: Double) {
      corners.append(
        Coordinate(
          latitude: center.latitude + y * height, longitude: center.longitude + x * width))
    }
    add(0, 0)
    add(9, 0)
    for tooth in (0..<5).reversed() {
      add(Double(2 * tooth + 1), 1)
      add(Double(2 * tooth), 1)
      if tooth > 0 {
        add(Double(2 * tooth), 0.1)
        add(Double(2 * tooth - 1), 0.1)
      }
    }
    return try? Polygon(exterior: corners, holes: [])
  }

  private static func step(
    _ walker: inout Walker, _ random: inout SeededGenerator
  ) {
    let steps: [Double] = [1, 10, 60, 119, 121, 200, 900, 1700, 4000]
    walker.seconds += steps.randomElement(using: &random) ?? 1
    walker.east = min(2_000, max(-2_000, walker.east + .random(in: -1_500...1_500, using: &random)))
    walker.north = min(
      2_000, max(-2_000, walker.north + .random(in: -300...300, using: &random)))
  }

  private static func leap(
    _ walker: inout Walker, _ random: inout SeededGenerator, _ newClocks: Bool
  ) {
    switch Int.random(in: 0..<40, using: &random) {
    case 0: walker.far = walker.far == 0 ? 20 : 0
    case 1 where newClocks: walker.clock += 6e8
    case 2 where newClocks: walker.clock -= 3e5
    case 3: walker.seconds += .random(in: 80_000...300_000, using: &random)
    default: break
    }
  }

  private static func fix(_ walker: Walker, _ random: inout SeededGenerator) -> Fix {
    var fix = Fix(
      time: StripChart.start.advanced(bySeconds: walker.seconds + walker.clock),
      coordinate: Coordinate(
        latitude: 52.5 + walker.north / 111_000 + walker.far,
        longitude: 13.4 + walker.east / 68_000))
    fix.horizontalAccuracy = .random(in: 3...30, using: &random)
    return fix
  }

  /// The events; with `wakes`, of an engine that is woken at every deadline before the next fix.
  static func events(_ rules: Rules, _ fixes: [Fix], wakes: Bool = false) -> [Event] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for (index, fix) in fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      guard wakes, index + 1 < fixes.count, let next = fixes[index + 1].time else { continue }
      while let due = tracker.nextDeadline, due < next { tracker.advance(to: due, into: &events) }
    }
    return events
  }
}
