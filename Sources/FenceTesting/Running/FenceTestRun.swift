internal import System

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
