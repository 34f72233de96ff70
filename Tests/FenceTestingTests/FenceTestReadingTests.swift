import Settings
import TestSupport
import Testing

@testable import FenceTesting

@Suite("A file of fence tests") struct FenceTestReadingTests {
  @Test("every error is reported at its line and column, with the nearest known word")
  func errors() throws {
    let errors = try FenceTestFixture().errors(
      """
      config: waymark.yaml
      test: 1
      tests:
        - name: a
          track: x.gpx
          expect:
            - {enter: gat, at: yesterday, wthin: 3 s}
            - {visit: {near: gate}, at: 2026-05-04T05:45:11Z}
            - {enter: gate, exit: gate}
            - {dwell: yard, confidence: 0.4, within: 1 furlong}
          only: [entre]
          never:
            - {enter: gate, between: [2026-05-04T06:00:00Z]}
            - {enter: gate, between: [2026-05-04T06:00:00Z, 2026-05-04T05:00:00Z]}
          state:
            - {inside: gaol}
        - path: {points: [{stay: 3 s}, [1, 2]], speed: 3 mph, noise: citty}
        - name: c
          path: {points: [[91, 1], [1, 2]], every: 0 s, seed: -1}
        - {name: d, track: a.gpx, path: {points: [[1, 2]], speed: 1 m/s}}
        - {name: e}
        - {name: f, path: {points: [[0, 0], [0, 90]], speed: 1 m/s, every: 1 s}}
        - {name: g, path: {points: [[0, 1]], speed: 1 m/s}}
        - {name: h, track: "-", only: true}
      """)
    #expect(
      errors == [
        "2:1: test: found the unknown key 'test', expected one of config, tests; did you mean 'tests'?",
        "7:17: tests[0].expect[0].enter: found 'gat', expected the id of a fence of the config; "
          + "did you mean 'gate'?",
        "7:26: tests[0].expect[0].at: found 'yesterday', expected a time such as 2026-05-04T06:00:00Z",
        "7:37: tests[0].expect[0].wthin: found the unknown key 'wthin', expected one of enter, exit, "
          + "dwell, state, visit, significant-change, device, side, at, within, duration, arrival, "
          + "departure, confidence; did you mean 'within'?",
        "8:31: tests[0].expect[1].at: found 'at' with visit, expected it with enter, exit, dwell, "
          + "state, significant-change; a visit has arrival and departure",
        "9:9: tests[0].expect[2]: found 2 events, expected one of enter, exit, dwell, state, visit, "
          + "significant-change",
        "10:23: tests[0].expect[3].confidence: found 'confidence' with dwell, expected it with enter, "
          + "exit, state, visit",
        "10:40: tests[0].expect[3].within: found 'within' without a time, expected it with at, "
          + "arrival, departure, duration",
        "10:48: tests[0].expect[3].within: found '1 furlong', expected a time such as 30 s, 10 min, "
          + "2 h or 1 d",
        "11:12: tests[0].only[0]: found 'entre', expected one of enter, exit, dwell, state, visit, "
          + "significant-change; did you mean 'enter'?",
        "13:32: tests[0].never[0].between: found a list of 1, expected two times, the first not after "
          + "the second",
        "14:32: tests[0].never[1].between: found an end before its start, expected two times, the "
          + "first not after the second",
        "16:9: tests[0].state[0]: found no time, expected at: and a time",
        "16:18: tests[0].state[0].inside: found 'gaol', expected the id of a fence of the config; "
          + "did you mean 'goal'?",
        "17:5: tests[1]: found no name, expected a name for the test",
        "17:20: tests[1].path.points: found no position at the start, expected positions [latitude, "
          + "longitude], and {stay: TIME} between them",
        "19:11: tests[2].path: found no speed, expected \(PathReader.form)",
        "19:22: tests[2].path.points[0][0]: found the latitude '91', expected -90 to 90; latitude "
          + "comes first: did you mean [1, 91]?",
        "19:46: tests[2].path.every: found '0 s', expected a time above 0 s and below 292 years",
        "19:57: tests[2].path.seed: found '-1', expected a whole number from 0 on",
        "20:29: tests[3].path: found a path beside a track, expected one of them",
        "21:5: tests[4]: found neither track nor path, expected one of them",
        "22:21: tests[5].path: found a path of more than 1000000 fixes, expected a longer every, or a "
          + "shorter way",
        "23:30: tests[6].path.points: found no way and no stay, expected positions [latitude, "
          + "longitude], and {stay: TIME} between them",
        "24:22: tests[7].track: found standard input, expected the path of a track",
      ])
  }

  @Test(
    "a file without its two keys, or with another shape, is an error",
    arguments: [
      (
        "tests: [{name: a, track: a.gpx, only: true}]",
        "1:1: found no config, expected config: and the path of a config"
      ),
      ("config: waymark.yaml\ntests: []", "2:8: tests: found an empty list, expected tests"),
      (
        "config: waymark.yaml",
        "1:1: found no tests, expected tests, each with a name and a track or a path"
      ),
      ("[]", "1:1: found an empty list, expected a file of tests with the keys config and tests"),
      (
        "",
        "1:1: found nothing in the file, expected a file of tests with the keys config and tests"
      ),
      (
        "config: other.yaml\ntests: [{name: a, track: a.gpx, only: true}]",
        "1:9: config: found no such file at 'other.yaml', expected a config"
      ),
      (
        "config: waymark.yaml\ntests: [",
        "3:1: found a YAML error (did not find expected node content), expected valid YAML"
      ),
    ])
  func shape(_ text: String, _ error: String) throws {
    let errors = try FenceTestFixture().errors(text)
    #expect(errors.count == 1)
    #expect(errors.first?.hasPrefix(error.prefix { $0 != "," }) == true, "\(errors)")
  }

  @Test("an empty list of kinds is an error: it would be no limit")
  func emptyOnly() throws {
    let errors = try FenceTestFixture().errors(
      "config: waymark.yaml\ntests:\n  - {name: a, track: x.gpx, only: []}")
    #expect(errors.count == 1)
    #expect(
      errors.first?.hasPrefix("3:35: tests[0].only: found an empty list, expected at least one of ")
        == true, "\(errors)")
  }

  @Test(
    "a test that checks nothing is an error",
    arguments: ["", ", expect: []", ", never: [], state: []", ", only: false"])
  func nothing(_ statements: String) throws {
    let errors = try FenceTestFixture().errors(
      "config: waymark.yaml\ntests:\n  - {name: a, track: x.gpx\(statements)}")
    #expect(
      errors == [
        "3:5: tests[0]: found a test that checks nothing, expected one of expect, only, never, state"
      ])
  }

  @Test("keys that would do nothing are errors")
  func idleKeys() throws {
    let errors = try FenceTestFixture().errors(
      FenceTestFixture.text(
        """
        expect:
          - {enter: gate, within: 3 s}
          - {exit: gate, duration: 40 s, within: 3 s}
          - {visit: {radius: 100 m}}
        state:
          - {at: 2026-01-01T00:03:20Z, inside: [gate], outside: [yard, gate]}
        """))
    #expect(
      errors == [
        "6:23: tests[0].expect[0].within: found 'within' without a time, expected it with at, "
          + "arrival, departure, duration",
        "8:18: tests[0].expect[2].visit.radius: found a radius without a place, expected it with "
          + "near: and a place",
        "10:61: tests[0].state[0].outside: found 'gate' in inside and in outside, expected each "
          + "fence in one of them",
      ])
  }

  @Test("the errors of the config are those of the file too, and hide no other")
  func configErrors() throws {
    let fixture = try FenceTestFixture(config: "fences: [{id: gate, radius: 1}]\nvisit: false\n")
    let errors = fixture.errors(FenceTestFixture.text("expect: [{enter: gate, at: now}]"))
    #expect(errors.count == 3)
    #expect(errors[0].hasPrefix("5:"))
    #expect(errors[1].hasPrefix("waymark.yaml:1:"))
    #expect(errors[2].contains("did you mean 'visits'?"))
  }

  @Test("a damaged file is read or has errors with places, and never stops the program")
  func damage() throws {
    let fixture = try FenceTestFixture()
    let text = FenceTestFixture.text(
      """
      only: [enter]
      expect:
        - {enter: gate, at: 2026-01-01T00:03:00Z, within: 1 min, confidence: 0.5}
        - {exit: yard, duration: 40 s}
        - {visit: {near: [0.009, 1], radius: 1 km}, arrival: 2026-01-01T00:03:00Z}
      never: [{dwell: yard, between: [2026-01-01T00:00:00Z, 2026-01-01T00:05:00Z]}]
      state: [{at: 2026-01-01T00:03:20Z, inside: [gate]}]
      """)
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var failed = 0
    for _ in 0..<500 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 32..<127, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[place], at: place)
        }
      }
      let damaged = String(decoding: bytes, as: UTF8.self)
      let errors = fixture.errors(damaged)
      failed += errors.isEmpty ? 0 : 1
      #expect(
        errors.allSatisfy { $0.contains(#/^([a-z.]+:)?\d+:\d+: /#) },
        "seed \(seed): \(errors)\n\(damaged)")
    }
    #expect(failed > 100, "seed \(seed)")
  }

  @Test("JSON holds the same as YAML")
  func json() throws {
    let fixture = try FenceTestFixture()
    let report = try fixture.run(
      #"""
      {"config": "waymark.yaml", "tests": [{"name": "a", "only": ["enter"],
       "path": {"points": [[0, 1], {"stay": "10 s"}, [0.036, 1]], "speed": "18 km/h", "every": "1 s"},
       "expect": [{"enter": "gate", "at": "2026-01-01T00:03:10Z", "within": "3 s"},
                  {"enter": "yard"}, {"enter": "goal"}]}]}
      """#)
    #expect(report.results.map(\.failures) == [[]])
  }
}
