internal import EventLog
internal import Session
internal import Settings
internal import Traces
internal import Tracking

/// What a test gives with one seed.
struct TestVerdict {
  var failures: [FenceTestFailure] = []
  /// Why the track could not be played.
  var error: TraceError?
  var warnings: [String] = []
  var issues = 0
  var crossings: Set<FenceCrossing> = []

  init(_ test: FenceTest, in file: FenceTestFile, seed: UInt64, wantsCoverage: Bool) {
    var played = PlayedTest(test, in: file, seed: seed)
    do throws(SessionError) {
      let entries = try played.events()
      (warnings, issues) = (played.warnings, played.issues)
      var judge = TestJudge(test, entries, played)
      judge.judge()
      if !test.sides.isEmpty {
        let fences = test.sides.reduce(into: Set()) { $0.formUnion($1.inside + $1.outside) }
        judge.judge(sides: try played.sides(of: fences, in: entries))
      }
      failures = judge.failures
      if wantsCoverage {
        crossings = Set(entries.compactMap { FenceCrossing($0, file.rules.fences) })
      }
    } catch .trace(let error) {
      self.error = error
    } catch {
      // The log stays in memory, which takes all that is written.
    }
  }
}
