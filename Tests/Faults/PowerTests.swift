import Foundation
import TestSupport
import Testing

/// The power is cut at any call: whoever begins anew on what the disk holds then goes on rightly.
@Suite("a power cut", .ownThreads, .timeLimit(Effort.limit))
struct PowerTests {
  @Test("in each command that writes files", arguments: scenarios)
  func everywhere(_ scenario: any Scenario) throws {
    guard scenario.isWhollySeen else { return }
    let before = try Stage()
    try scenario.prepare(before)
    let expected = try before.copy()
    let start = try Disk(expected)
    let (outcome, calls) = try expected.calls { try scenario.run(expected, nil, $0) }
    try #require(outcome.code == scenario.code, "\(outcome.errors)")
    let seed = Effort.seed
    var generator = SeededGenerator(seed: seed)
    var cuts = Self.cuts(calls)
    let places = cuts.count
    cuts.shuffle(using: &generator)
    // What is left by chance is another state each time.
    let random = cuts.filter(\.cut.isRandom)
    while cuts.count < Effort.cuts, !random.isEmpty { cuts += random }
    let tried = cuts.prefix(Effort.cuts)
    for (place, cut) in tried {
      let difference = try Self.cut(
        scenario, start, calls[..<place], cut, before, expected, &generator)
      #expect(difference == nil, "\(scenario.name), \(cut) after call \(place), seed \(seed)")
    }
    print(
      "\(scenario.name): \(tried.count) states, \(places) places and ways, after a power cut, "
        + "seed \(seed)")
  }

  /// SQLite's first page is safe only when its journal is synchronised before it.
  @Test("while a replay makes its store")
  func creation() throws {
    let scenario = ReplayStoreScenario()
    let before = try Stage()
    try scenario.prepare(before)
    let expected = try before.copy()
    let start = try Disk(expected)
    let (_, calls) = try expected.calls { try scenario.run(expected, nil, $0) }
    var generator = SeededGenerator(seed: Effort.seed)
    for (place, cut) in Self.cuts(Array(calls.prefix(40))) where cut == .sectors {
      for _ in 0..<20 {
        let difference = try Self.cut(
          scenario, start, calls[..<place], cut, before, expected, &generator)
        #expect(difference == nil, "after call \(place), seed \(Effort.seed)")
      }
    }
  }

  /// What is wrong after a run on what a disk holds, when the power is cut after some calls.
  static func cut(
    _ scenario: any Scenario, _ start: Disk, _ calls: ArraySlice<Call>, _ cut: Disk.Cut,
    _ before: Stage, _ expected: Stage, _ generator: inout SeededGenerator
  ) throws -> String? {
    var disk = start
    for call in calls { disk.take(call) }
    let stage = try before.copy()
    stage.said = scenario.said(calls)
    try disk.leave(cut, in: stage, using: &generator)
    let anew = try scenario.run(stage, nil, [:])
    guard anew.code == scenario.code else { return "\(anew)" }
    return try scenario.differenceAfterCut(stage, expected)
  }

  /// Where and how: after each call that changes something, in each way.
  private static func cuts(_ calls: [Call]) -> [(place: Int, cut: Disk.Cut)] {
    let places = calls.indices.filter { calls[$0].changesDisk || calls[$0].kind == .synchronise }
    return places.flatMap { place in Disk.Cut.allCases.map { (place + 1, $0) } }
  }
}
