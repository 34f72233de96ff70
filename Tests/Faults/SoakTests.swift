import Foundation
import TestSupport
import Testing

/// `make soak`: every point with many seeds, kills that hit the recovery as well, errors and power
/// cuts, until the time is over.
@Suite("soak", .enabled(if: Effort.isSoak), .ownThreads, .timeLimit(Effort.limit))
struct SoakTests {
  /// What a scenario is like without faults.
  private struct Ground {
    let scenario: any Scenario
    let before: Stage
    let expected: Stage
    let disk: Disk
    let calls: [Call]
    let kills: [Fault]

    init(_ scenario: any Scenario) throws {
      self.scenario = scenario
      before = try Stage()
      try scenario.prepare(before)
      let expected = try before.copy()
      self.expected = expected
      disk = try Disk(expected)
      let (outcome, calls) = try expected.calls { try scenario.run(expected, nil, $0) }
      try #require(outcome.code == scenario.code, "\(outcome.errors)")
      self.calls = calls
      kills = KillTests.points(calls)
    }
  }

  private static let workers = 2

  @Test("kills, errors and power cuts", arguments: 0..<Self.workers)
  func soak(_ worker: Int) throws {
    var generator = SeededGenerator(seed: Effort.seed &+ UInt64(worker))
    var counts: [String: Int] = [:]
    var goesOn: Bool {
      Effort.goesOn(after: counts.values.reduce(0, +), of: Self.workers)
    }
    while goesOn {
      let count = Int.random(in: 4...40, using: &generator)
      var all = scenarios.filter { !["watch", "record", "geocode"].contains($0.name) }
      // Half of the time is theirs, as they run for months.
      all += Array(repeating: WatchScenario(drive: Drive(count: count)), count: all.count - 1)
      all.append(RecordScenario(drive: Drive(count: count)))
      let ground = try Ground(try #require(all.randomElement(using: &generator)))
      for _ in 0..<200 where goesOn {
        let kind = try Self.trial(ground, &generator)
        counts["\(kind)s of \(ground.scenario.name)", default: 0] += 1
      }
    }
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("soak: \(count) \(what)") }
    print("soak: \(counts.values.reduce(0, +)) in all, seed \(Effort.seed &+ UInt64(worker))")
  }

  private static func trial(
    _ ground: Ground, _ generator: inout SeededGenerator
  ) throws -> String {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...5: return try kill(ground, &generator)
    case 6, 7: return try fail(ground, &generator)
    default: return try cut(ground, &generator)
    }
  }

  private static func kill(_ ground: Ground, _ generator: inout SeededGenerator) throws -> String {
    let stage = try ground.before.copy()
    guard let first = ground.kills.randomElement(using: &generator) else { return "nothing" }
    var (faults, isKilled) = ([first], true)
    // The recovery is killed too, and the recovery of the recovery.
    while faults.count < 4, Bool.random(using: &generator) {
      guard let next = ground.kills.randomElement(using: &generator) else { break }
      faults.append(next)
    }
    for fault in faults where isKilled {
      isKilled = try ground.scenario.run(stage, fault, [:]).isKilled
      let damage = ground.scenario.damage(stage, ground.expected)
      #expect(damage == nil, "\(ground.scenario.name), \(faults), seed \(generator.seed)")
    }
    let anew = try ground.scenario.run(stage, nil, [:])
    #expect(anew.code == ground.scenario.code, "\(anew.errors)")
    let difference = ground.scenario.difference(stage, ground.expected)
    #expect(difference == nil, "\(ground.scenario.name), \(faults), seed \(generator.seed)")
    return faults.count == 1 ? "kill" : "kill of recovery"
  }

  private static func fail(_ ground: Ground, _ generator: inout SeededGenerator) throws -> String {
    guard
      let (fault, call) = ErrorTests.faults(ground.calls, of: ground.scenario).randomElement(
        using: &generator)
    else { return "nothing" }
    let stage = try ground.before.copy()
    let found = try ground.scenario.run(stage, fault, [:])
    let trial = Trial(
      scenario: ground.scenario, expected: ground.expected, error: fault.error,
      call: call)
    for complaint in try trial.judge(found, stage) {
      Issue.record("\(ground.scenario.name), \(fault), seed \(generator.seed): \(complaint)")
    }
    return "error"
  }

  private static func cut(_ ground: Ground, _ generator: inout SeededGenerator) throws -> String {
    guard ground.scenario.isWhollySeen, let cut = Disk.Cut.allCases.randomElement(using: &generator)
    else { return "nothing" }
    let place = Int.random(in: 0...ground.calls.count, using: &generator)
    let difference = try PowerTests.cut(
      ground.scenario, ground.disk, ground.calls[..<place], cut, ground.before, ground.expected,
      &generator)
    #expect(difference == nil, "\(ground.scenario.name), \(cut), \(place), seed \(generator.seed)")
    return "power cut"
  }
}
