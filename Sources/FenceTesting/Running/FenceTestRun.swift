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
    let jobs = files.indices.flatMap { file in
      files[file].tests.flatMap { test in
        test.seeds(seeds).enumerated().map { number, seed in
          Job(test, file, seed: seed, isFirst: number == 0)
        }
      }
    }
    withoutActuallyEscaping(progress) { progress in
      Parallel.forEach(jobs.count, threads: threads) { job, thread in
        jobs[job].run(in: files, wantsCoverage: wantsCoverage)
        if thread == 0 { progress(job, jobs.count) }
      }
    }
    return FenceTestReport(files, jobs, wantsCoverage: wantsCoverage)
  }

  /// A test with one seed.
  final class Job {
    let test: FenceTest
    /// The number of the file.
    let file: Int
    let seed: UInt64
    /// Whether it is the first of its test.
    let isFirst: Bool
    private(set) var verdict: TestVerdict?

    init(_ test: FenceTest, _ file: Int, seed: UInt64, isFirst: Bool) {
      (self.test, self.file, self.seed, self.isFirst) = (test, file, seed, isFirst)
    }

    func run(in files: [FenceTestFile], wantsCoverage: Bool) {
      verdict = TestVerdict(test, in: files[file], seed: seed, wantsCoverage: wantsCoverage)
    }
  }
}
