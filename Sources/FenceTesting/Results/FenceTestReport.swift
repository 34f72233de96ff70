internal import Session

/// The results of tests.
package struct FenceTestReport: Sendable {
  package var results: [FenceTestResult] = []
  /// Nil when it was not wanted.
  package private(set) var coverage: FenceCoverage?

  init(_ files: [FenceTestFile], _ jobs: [FenceTestRun.Job], wantsCoverage: Bool) {
    for job in jobs {
      guard let verdict = job.verdict else { continue }
      if job.isFirst { results.append(FenceTestResult(job.test, in: files[job.file].path)) }
      results[results.count - 1].add(verdict, seed: job.seed)
    }
    guard wantsCoverage else { return }
    var coverage = FenceCoverage()
    for file in files { coverage.add(file) }
    for job in jobs { coverage.add(job.verdict?.crossings ?? [], of: files[job.file]) }
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
