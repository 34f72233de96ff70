package import Settings
package import Traces

/// The result of one test, with all its seeds.
package struct FenceTestResult: Sendable {
  package enum Outcome: String, Sendable { case passed, failed, error }

  package var file: String
  package var name: String
  package var place: ConfigurationPlace
  package private(set) var seeds = 0
  package private(set) var passedSeeds = 0
  /// The first seed that failed.
  package private(set) var failedSeed: UInt64?
  /// Those of that seed.
  package var failures: [FenceTestFailure] = []
  /// Why the track could not be played.
  package private(set) var error: TraceError?
  /// What standard error says of the track.
  package private(set) var warnings: [String] = []
  /// Whether the track has errors.
  package private(set) var hasIssues = false

  init(_ test: FenceTest, in file: String) {
    (self.file, name, place) = (file, test.name, test.place)
  }

  mutating func add(_ verdict: TestVerdict, seed: UInt64) {
    seeds += 1
    error = error ?? verdict.error
    (warnings, hasIssues) = (warnings + verdict.warnings, hasIssues || verdict.issues > 0)
    if verdict.failures.isEmpty {
      passedSeeds += verdict.error == nil ? 1 : 0
    } else if failedSeed == nil {
      (failedSeed, failures) = (seed, verdict.failures)
    }
  }

  package var outcome: Outcome { error != nil ? .error : failures.isEmpty ? .passed : .failed }

  /// Such as `passed 97 of 100 seeds, and failed first with 12`; nil for a test that was run once.
  package var seedText: String? {
    guard seeds > 1 else { return nil }
    return "passed \(passedSeeds) of \(seeds) seeds"
      + (failedSeed.map { ", and failed first with \($0)" } ?? "")
  }
}
