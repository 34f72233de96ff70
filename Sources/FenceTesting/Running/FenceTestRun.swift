package import Settings
internal import Session
internal import System
package import Traces

/// Runs tests, on any number of threads, with the same results.
package struct FenceTestRun: Sendable {
  /// How many seeds of noise are tried.
  package var seeds = 1
  package var wantsCoverage = false
  package var threads = 1

  package init() {}

  /// Runs the tests of files.
  ///
  /// - Parameter progress: Called from time to time, on one thread, with the number of finished jobs and
  ///   of all.
  package func run(
    _ files: [FenceTestFile], progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) -> FenceTestReport {
    var jobs: [Job] = []
    for file in files.indices {
      for test in files[file].tests {
        for seed in 0..<(test.isRandom ? seeds : 1) {
          jobs.append(Job(test, file, seed: UInt64(seed)))
        }
      }
    }
    let coverage = wantsCoverage
    withoutActuallyEscaping(progress) { progress in
      let all = jobs
      Parallel.forEach(all.count, threads: threads) { job, thread in
        all[job].run(in: files, wantsCoverage: coverage)
        if thread == 0 { progress(job, all.count) }
      }
    }
    return FenceTestReport(files, jobs, wantsCoverage: coverage)
  }

  /// A test with one seed.
  final class Job {
    let test: FenceTest
    /// The number of the file.
    let file: Int
    let seed: UInt64
    private(set) var verdict: TestVerdict?

    init(_ test: FenceTest, _ file: Int, seed: UInt64) {
      (self.test, self.file, self.seed) = (test, file, seed)
    }

    func run(in files: [FenceTestFile], wantsCoverage: Bool) {
      verdict = TestVerdict(test, in: files[file], seed: seed, wantsCoverage: wantsCoverage)
    }
  }
}

/// The results of tests.
package struct FenceTestReport: Sendable {
  package var results: [FenceTestResult] = []
  /// Nil when it was not wanted.
  package private(set) var coverage: FenceCoverage?

  init(_ files: [FenceTestFile], _ jobs: [FenceTestRun.Job], wantsCoverage: Bool) {
    var crossings: [Set<FenceCrossing>] = Array(repeating: [], count: files.count)
    for job in jobs {
      guard let verdict = job.verdict else { continue }
      if job.seed == 0 { results.append(FenceTestResult(job.test, in: files[job.file].path)) }
      results[results.count - 1].add(verdict, seed: job.seed)
      crossings[job.file].formUnion(verdict.crossings)
    }
    guard wantsCoverage else { return }
    var coverage = FenceCoverage()
    for (file, crossings) in zip(files, crossings) { coverage.add(file, crossings) }
    self.coverage = coverage
  }

  package var failed: Int { results.count { $0.outcome == .failed } }
  package var errors: Int { results.count { $0.outcome == .error } }
  package var passed: Int { results.count - failed - errors }

  /// Such as `12 tests, 1 failed`.
  package var summary: String {
    var parts = [SessionTotals.count(results.count, "test")]
    parts.append(failed == 0 && errors == 0 ? "all passed" : "\(failed) failed")
    if errors > 0 { parts.append("\(errors) without a track that can be read") }
    return parts.joined(separator: ", ")
  }
}

/// The result of one test, with all its seeds.
package struct FenceTestResult: Sendable {
  package enum Outcome: String, Sendable { case passed, failed, error }

  package var file: String
  package var name: String
  package var place: ConfigurationPlace
  /// Whether other seeds gave other fixes.
  package var isRandom: Bool
  package private(set) var seeds = 0
  package private(set) var passedSeeds = 0
  /// Those of the first seed that failed.
  package var failures: [FenceTestFailure] = []
  /// Why the track could not be played.
  package private(set) var error: TraceError?
  /// What standard error says of the track.
  package private(set) var warnings: [String] = []
  /// Whether the track has errors.
  package private(set) var hasIssues = false

  init(_ test: FenceTest, in file: String) {
    (self.file, name, place, isRandom) = (file, test.name, test.place, test.isRandom)
  }

  mutating func add(_ verdict: TestVerdict, seed: UInt64) {
    seeds += 1
    error = error ?? verdict.error
    (warnings, hasIssues) = (warnings + verdict.warnings, hasIssues || verdict.issues > 0)
    if verdict.failures.isEmpty {
      passedSeeds += verdict.error == nil ? 1 : 0
    } else if failures.isEmpty {
      failures = verdict.failures
    }
  }

  package var outcome: Outcome { error != nil ? .error : failures.isEmpty ? .passed : .failed }

  /// Such as `passed 97 of 100 seeds`; nil for a test that was run once.
  package var seedText: String? {
    seeds > 1 ? "passed \(passedSeeds) of \(seeds) seeds" : nil
  }
}
