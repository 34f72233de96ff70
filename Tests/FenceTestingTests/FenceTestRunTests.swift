import Geodesy
import Settings
import TestSupport
import Testing
import Tracking

@testable import FenceTesting

@Suite("A run of fence tests") struct FenceTestRunTests {
  @Test("gives the same report on any number of threads, for any seeds of the noise")
  func threads() throws {
    let fixture = try FenceTestFixture()
    let noisy = FenceTestFixture.way.replacing("}", with: ", noise: hard, accuracy: 60 m}")
    let text =
      "config: waymark.yaml\ntests:\n"
      + (1...6).map {
        """
          - name: test \($0)
            \($0.isMultiple(of: 2) ? FenceTestFixture.way : noisy)
            expect: [{enter: gate}, {exit: gate, duration: 4\($0) s, within: 4 s}]

        """
      }.joined()
    var reports: [[String]] = []
    for threads in [1, 3, 8] {
      var run = FenceTestRun()
      (run.seeds, run.threads, run.wantsCoverage) = (20, threads, true)
      let report = try fixture.run(text, run)
      reports.append(FenceTestFormat.json.lines(report) + FenceTestFormat.text.lines(report))
      #expect(report.results.map(\.seeds) == [20, 1, 20, 1, 20, 1])
      for result in report.results where result.seeds > 1 {
        #expect(result.seedText?.hasPrefix("passed \(result.passedSeeds) of 20 seeds") == true)
        #expect((result.passedSeeds < 20) == (result.outcome == .failed))
        #expect((result.failedSeed != nil) == (result.outcome == .failed))
      }
      // The noise is large enough for seeds that pass and seeds that fail.
      #expect(report.results.contains { (1..<20).contains($0.passedSeeds) && $0.seeds > 1 })
    }
    #expect(reports[0] == reports[1])
    #expect(reports[0] == reports[2])
  }

  @Test("names the first seed that failed, which alone fails in the same way")
  func failedSeed() throws {
    let fixture = try FenceTestFixture()
    let text = { (seed: UInt64) in
      """
      config: waymark.yaml
      tests:
        - name: noisy
          path: {points: [[0, 1], [0.036, 1]], speed: 5 m/s, noise: hard, accuracy: 60 m, seed: \(seed)}
          expect: [{enter: gate}, {exit: gate, duration: 41 s, within: 3 s}]
      """
    }
    var run = FenceTestRun()
    run.seeds = 20
    let all = try #require(try fixture.run(text(5), run).results.first)
    let seed = try #require(all.failedSeed)
    #expect(try fixture.run(text(seed)).results.first?.failures == all.failures)
    #expect(all.seedText == "passed \(all.passedSeeds) of 20 seeds, and failed first with \(seed)")
    for earlier in 5..<seed { #expect(try fixture.run(text(earlier)).failed == 0) }
  }

  @Test("names a track that is missing or no track, and goes on")
  func tracks() throws {
    let fixture = try FenceTestFixture()
    try fixture.folder.write("notes.txt", "a day at the sea")
    try fixture.folder.write(
      "day.csv", "time,latitude,longitude\n2026-01-01T00:00:00Z,0,0\nnever,0,0\n")
    let report = try fixture.run(
      """
      config: waymark.yaml
      tests:
        - {name: a, track: missing.gpx, never: [{dwell: gate}]}
        - {name: b, track: notes.txt, never: [{dwell: gate}]}
        - {name: c, track: day.csv, never: [{dwell: gate}]}
        - {name: d, \(FenceTestFixture.way), never: [{dwell: gate}]}
      """)
    #expect(report.results.map(\.outcome) == [.error, .error, .passed, .passed])
    #expect(report.results.map(\.hasIssues) == [false, false, true, false])
    #expect(report.results[2].warnings.count == 1)
    #expect(report.summary == "4 tests, 0 failed, 2 without a track that can be read")
  }

  @Test("lists the fences and the edges that no test crossed")
  func coverage() throws {
    let fixture = try FenceTestFixture(
      config: """
        fences:
          - {id: gate, center: [0.009043, 1], radius: 100 m}
          - {id: goal, center: [0.036, 1], radius: 200 m}
          - {id: far, center: [2, 1], radius: 100 m}
          - id: square
            polygon: [[0.018, 0.998], [0.018, 1.002], [0.022, 1.002], [0.022, 0.998]]

        """)
    var run = FenceTestRun()
    run.wantsCoverage = true
    let report = try fixture.run(FenceTestFixture.text("never: [{dwell: gate}]"), run)
    let coverage = try #require(report.coverage)
    #expect(coverage.lines.last == "3 of 4 fences and 4 of 7 edges were crossed")
    #expect(
      coverage.gaps.map(\.text) == [
        "goal: never left", "far: never crossed",
        "square: never crossed at the edges from corner [1], [3]",
      ])
    #expect(coverage.gaps.map(\.place.line) == [3, 4, 5])
  }

  @Test("covers the fences of a config with the tests of all its files")
  func coverageOfFiles() throws {
    let fixture = try FenceTestFixture()
    let half = "{points: [[0, 1], [0.018, 1]], speed: 5 m/s, every: 1 s}"
    let files = try ["{points: [[0.018, 1], [0.036, 1]], speed: 5 m/s, every: 1 s}", half].map {
      try fixture.read(
        "config: waymark.yaml\ntests: [{name: half, path: \($0), never: [{dwell: gate}]}]")
    }
    var run = FenceTestRun()
    run.wantsCoverage = true
    let coverage = try #require(run.run(files).coverage)
    #expect(coverage.lines == ["3 of 3 fences and 3 of 3 edges were crossed"])
    #expect(
      run.run([files[0]]).coverage?.gaps.map(\.text) == [
        "gate: never crossed", "yard: never entered",
      ])
  }

  @Test("plays a described path at its speed, with the rests of its stays")
  func path() {
    let (start, end) = (
      Coordinate(latitude: 10, longitude: 20), Coordinate(latitude: 10.01, longitude: 20)
    )
    var path = DescribedPath(steps: [.point(start), .point(end), .stay(60)], speed: 10)
    path.accuracy = 8
    let fixes = path.fixes(seed: 1)
    #expect(fixes.count == Int(path.duration / 10) + 1)
    #expect(fixes.first?.time == DescribedPath.usualStart)
    #expect(fixes.allSatisfy { $0.horizontalAccuracy == 8 })
    for (number, fix) in fixes.enumerated() {
      let way = min(Double(number) * 100, start.distance(to: end))
      #expect(abs(fix.coordinate.distance(to: start) - way) < 0.001)
    }
  }

  @Test(
    "adds errors that fit the accuracy of the path, others for another seed",
    arguments: [DescribedPath.Noise.normal, .hard, .city])
  func noise(_ noise: DescribedPath.Noise) {
    let place = Coordinate(latitude: 10, longitude: 20)
    var path = DescribedPath(steps: [.point(place), .stay(400_000)], speed: 1)
    (path.noise, path.accuracy) = (noise, 20)
    let errors = path.fixes(seed: 7).map { $0.coordinate.distance(to: place) }
    let share = Double(errors.count { $0 <= 20 }) / Double(errors.count)
    #expect(abs(share - 0.68) < 0.06, "seed 7: \(share)")
    #expect((errors.max() ?? 0 > 200) == (noise != .normal))
    #expect(path.fixes(seed: 7) == path.fixes(seed: 7))
    #expect(path.fixes(seed: 8) != path.fixes(seed: 7))
  }
}
