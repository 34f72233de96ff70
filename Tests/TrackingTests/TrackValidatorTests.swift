import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Tracking

@Suite("The validator of a track")
struct TrackValidatorTests {
  @Test("decides and counts as the engine does, at every fix", arguments: 1...12)
  func agrees(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rules = try StateWalk.rules()
    rules.gate.lateness = seed % 2 == 0 ? 60 : 4_000
    var tracker = Tracker(rules: rules)
    var validator = TrackValidator()
    var events: [Event] = []
    for (number, fix) in Self.disordered(seed, &random).enumerated() {
      tracker.ingest(fix, into: &events)
      var validated = fix
      let outcome = validator.validate(&validated, limits: rules.gate)
      var defect: Defect?
      if case .dropped(let found) = outcome { defect = found }
      try #require(defect == tracker.lastDefect, "seed \(seed), fix \(number)")
      try #require(validator.gate.counts == tracker.counts, "seed \(seed), fix \(number)")
    }
    #expect(tracker.counts.reordered > 100, "seed \(seed)")
    #expect(tracker.counts[.outOfOrder] > 0, "seed \(seed)")
  }

  /// A walk to which everything happens, where a third of the fixes come late, some of them twice.
  private static func disordered(_ seed: UInt64, _ random: inout SeededGenerator) -> [Fix] {
    var fixes = StateWalk(seed: seed, phases: 48).fixes
    for index in fixes.indices where Int.random(in: 0..<3, using: &random) == 0 {
      let place = max(0, index - Int.random(in: 1...40, using: &random))
      let fix = fixes.remove(at: place)
      fixes.insert(fix, at: index)
      if Int.random(in: 0..<4, using: &random) == 0 { fixes.append(fix) }
    }
    return fixes
  }
}
