import Foundation
import Glibc
import TestSupport
import Testing

/// Every call that deals with a file fails once, with every error that fits: that is told, what was
/// good before is kept, and the next run is as if nothing had been.
@Suite("a call that fails", .ownThreads, .timeLimit(Effort.limit))
struct ErrorTests {
  /// Ways to fail, and the letters of the calls that can fail so (see `faults.c`).
  private static let ways: [(kind: Fault.Kind, letters: String, count: Int)] = [
    (.error(ENOSPC), "wonmt", 1), (.error(ENOSPC), "wonmt", 0), (.error(EIO), "woirstcnumlh", 1),
    (.error(EINTR), "wirs", 1), (.error(EMFILE), "or", 1), (.short, "w", 1),
  ]

  @Test("in each command that writes files", arguments: scenarios)
  func everywhere(_ scenario: any Scenario) throws {
    let before = try Stage()
    try scenario.prepare(before)
    let expected = try before.copy()
    let (outcome, calls) = try expected.calls { try scenario.run(expected, nil, $0) }
    try #require(outcome.code == scenario.code, "\(outcome.errors)")
    let all = Self.faults(calls, of: scenario)
    let faults = Effort.sample(all)
    for (fault, call) in faults {
      let stage = try before.copy()
      let found = try scenario.run(stage, fault, [:])
      let trial = Trial(
        scenario: scenario, expected: expected, error: fault.error, call: call)
      for complaint in try trial.judge(found, stage) {
        Issue.record(
          "\(scenario.name), \(fault), \(call.summary): \(complaint); it said: \(found.errors)")
      }
    }
    print(
      "\(scenario.name): \(faults.count) of \(all.count) failures, seed \(Effort.seed)")
  }

  /// Each call in each way in which it can fail.
  static func faults(_ calls: [Call], of scenario: any Scenario) -> [(Fault, Call)] {
    ways.flatMap { way in
      let isLost = scenario.usesSQLite && way.kind == .error(EINTR)
      let letters = isLost ? way.letters.filter { $0 != "s" } : way.letters
      return calls.enumerated().filter { letters.contains($0.element.kind.rawValue) }.map {
        (
          Fault(call: $0.offset + 1, kind: way.kind, only: letters, count: way.count),
          $0.element
        )
      }
    }
  }
}
