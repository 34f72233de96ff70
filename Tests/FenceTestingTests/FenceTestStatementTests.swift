import TestSupport
import Testing

@testable import FenceTesting

@Suite("A statement of a fence test") struct FenceTestStatementTests {
  private let fixture: FenceTestFixture

  init() throws { fixture = try FenceTestFixture() }

  @Test("holds when the events come in this order, with others between them")
  func order() throws {
    #expect(
      try fixture.failures(
        """
        expect:
          - {enter: gate, at: 2026-01-01T00:03:00Z, within: 3 s, confidence: 0.5}
          - {enter: yard}
          - {exit: yard, duration: 40 s, within: 3 s, device: van}
          - {enter: goal}
        """) == [])
  }

  @Test("fails at its line with the nearest event, and how far off it is")
  func nearest() throws {
    let failures = try fixture.failures(
      """
      expect:
        - {enter: gate, at: 2026-01-01T00:02:00Z, within: 10 s}
        - {exit: gate, duration: 2 min, confidence: 1}
        - {dwell: yard, device: bus}
      """)
    #expect(failures.count == 3)
    #expect(
      failures[0].hasPrefix(
        "6: expected enter gate at 2026-01-01T00:02:00Z, nearest is 2026-01-01T00:0"))
    #expect(failures[0].hasSuffix("Z (+60 s)") || failures[0].hasSuffix("Z (+1 min)"))
    #expect(failures[1].contains(", after 40 s (-1 min 20 s), confidence 0.9"))
    #expect(failures[2] == "8: the track has no device bus; it has van")
  }

  @Test("that names no within allows a second")
  func tolerance() throws {
    let times = (2...4).flatMap { minute in
      (0..<60).map { "2026-01-01T00:0\(minute):\($0 < 10 ? "0" : "")\($0)Z" }
    }
    let text =
      "config: waymark.yaml\ntests:\n"
      + times.map {
        "  - {name: a, \(FenceTestFixture.way), expect: [{enter: gate, at: \($0)}]}\n"
      }.joined()
    // The crossing lies between two seconds, both of which are within one.
    #expect(try fixture.run(text).passed == 2)
  }

  @Test("out of order is distinguished from one that does not hold")
  func outOfOrder() throws {
    let failures = try fixture.failures("only: true\nexpect: [{enter: yard}, {enter: gate}]")
    #expect(failures.count { $0.contains("which is not in this order") } == 1)
    #expect(failures.count { $0.contains("expected nothing else (only)") } == 7)
  }

  @Test("for which there is no second event says that there is one, and explains none")
  func twice() throws {
    let report = try fixture.run(
      FenceTestFixture.text(
        "expect: [{enter: gate}, {enter: gate}, {enter: yard}, {enter: yard}, {enter: yard}]"))
    let failures = try #require(report.results.first?.failures)
    #expect(failures.count == 3)
    let first = failures[0].message
    #expect(first.hasPrefix("expected enter gate, there is one, at 2026-01-01T00:0"))
    #expect(first.hasSuffix("Z, which another expectation has, and no second one"))
    #expect(failures[1].message.hasPrefix("expected enter yard, there is one, at 2026"))
    for failure in failures { #expect(failure.explanation.isEmpty) }
    let way = "path: {points: [[0, 1], [0.0135, 1], [0, 1]], speed: 5 m/s, every: 1 s}"
    let again = try fixture.run(
      """
      config: waymark.yaml
      tests:
        - name: there and back
          \(way)
          expect: [{enter: gate}, {enter: gate}, {enter: gate}]
      """)
    #expect(
      again.results.first?.failures.map(\.message) == [
        "expected enter gate, there are 2, which other expectations have, and no more"
      ])
  }

  @Test("with only lets no other event of these kinds come")
  func only() throws {
    #expect(
      try fixture.failures("only: [dwell]\nexpect: [{enter: gate}, {dwell: yard}]") == [])
    let failures = try fixture.failures("only: [enter]\nexpect: [{enter: gate}, {enter: yard}]")
    #expect(failures.count == 1)
    #expect(
      failures.first?.hasPrefix("3: expected nothing else (only), found enter goal at 2026") == true
    )
    #expect(try fixture.failures("only: false\nexpect: [{enter: gate}]") == [])
    let all = """
      expect:
        - {state: gate, side: outside}
        - {state: yard}
        - {state: goal}
        - {enter: gate}
        - {exit: gate}
        - {enter: yard}
        - {dwell: yard}
        - {exit: yard}
        - {enter: goal}
      """
    #expect(try fixture.failures("only: true\n" + all) == [])
  }

  @Test("of never fails for each event, within its bounds")
  func never() throws {
    let between = "between: [2026-01-01T00:00:00Z, 2026-01-01T00:05:00Z]"
    #expect(try fixture.failures("never: [{enter: yard, \(between)}]") == [])
    let failures = try fixture.failures("never: [{enter: gate, \(between)}, {exit: yard}]")
    #expect(failures.count == 2)
    #expect(
      failures[0].hasPrefix(
        "5: expected no enter gate between 2026-01-01T00:00:00.000Z and 2026-01-01T00:05:00.000Z, "
          + "found enter gate at 2026-01-01T00:0"))
    #expect(failures[1].hasPrefix("5: expected no exit yard, found exit yard at "))
  }

  @Test("of state holds for fences that do not report all crossings, and after a dwell")
  func sides() throws {
    #expect(
      try fixture.failures(
        """
        state:
          - {at: 2026-01-01T00:00:00Z, outside: [gate, yard, goal]}
          - {at: 2026-01-01T00:03:20Z, inside: gate, outside: [yard]}
          - {at: 2026-01-01T00:06:50Z, inside: [yard], outside: [gate, goal]}
          - {at: 2026-01-01T00:13:20Z, inside: [goal]}
        """) == [])
    #expect(
      try fixture.failures(
        """
        state:
          - {at: 2025-12-31T23:59:59Z, outside: [gate]}
          - {at: 2026-01-01T00:03:20Z, inside: [yard], outside: [gate]}
        """) == [
          "6: expected outside gate at 2025-12-31T23:59:59.000Z, the side is unknown",
          "7: expected inside yard at 2026-01-01T00:03:20.000Z, the side is outside",
          "7: expected outside gate at 2026-01-01T00:03:20.000Z, the side is inside",
        ])
  }

  @Test("about a time that is outside of the track fails, as it would hold of nothing")
  func outside() throws {
    let reason = "the time is outside of the track, which lasts from 2026-01-01 00:00:00.0Z to "
    let failures = try fixture.failures(
      """
      never:
        - {enter: goal, between: [2025-12-31T00:00:00Z, 2026-01-01T00:00:00Z]}
        - {enter: goal, between: [2025-12-31T00:00:00Z, 2025-12-31T23:59:59Z]}
        - {enter: goal, between: [2036-01-01T00:00:00Z, 2036-01-02T00:00:00Z]}
      state:
        - {at: 2026-01-01T00:20:00Z, inside: [goal]}
        - {at: 2036-01-01T00:10:00Z, inside: [goal]}
        - {at: 2025-12-31T23:49:00Z, outside: [goal]}
      """)
    #expect(failures.map { $0.prefix { $0 != ":" } } == ["7", "8", "11", "12"])
    for failure in failures { #expect(failure.contains(": " + reason), "\(failure)") }
  }

  @Test("about a time of a track without a fix that can be used fails")
  func unusable() throws {
    try fixture.folder.write("zero.csv", "time,latitude,longitude\n2026-01-01T00:00:00Z,0,0\n")
    let report = try fixture.run(
      """
      config: waymark.yaml
      tests:
        - name: zero
          track: zero.csv
          never: [{enter: gate, between: [2026-01-01T00:00:00Z, 2026-01-01T01:00:00Z]}]
      """)
    #expect(
      report.results.flatMap(\.failures).map(\.message) == ["the track has no fix that can be used"]
    )
  }

  @Test("of state needs a device when the track has several")
  func devices() throws {
    try fixture.folder.write(
      "two.csv",
      "device,time,latitude,longitude,accuracy\n"
        + (0..<60).map { second in
          let time = "2026-01-01T00:00:\(second < 10 ? "0" : "")\(second)Z"
          return "bus,\(time),0.009043,1,5\nvan,\(time),0,1,5\n"
        }.joined())
    let state = { (device: String) in
      """
      config: waymark.yaml
      tests:
        - name: two
          track: two.csv
          state: [{at: 2026-01-01T00:00:30Z, \(device)inside: [gate]}]
      """
    }
    let messages = { (device: String) in
      try fixture.run(state(device)).results.flatMap(\.failures).map(\.message)
    }
    #expect(try messages("device: bus, ") == [])
    #expect(
      try messages("device: van, ") == [
        "expected inside gate at 2026-01-01T00:00:30.000Z, the side is outside"
      ])
    #expect(
      try messages("") == ["the track has 2 devices, expected device: and the name of one"])
  }

  @Test("means the very device, else one whose name Unicode calls equal")
  func forms() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func track(_ names: [String]) -> String {
      let rows = (0..<60).flatMap { second in
        names.enumerated().map { index, name in
          let place = index == 0 ? "0.009043" : "0"
          return "\(name),2026-01-01T00:00:\(second < 10 ? "0" : "")\(second)Z,\(place),1,5\n"
        }
      }
      return "device,time,latitude,longitude,accuracy\n" + rows.joined()
    }
    try fixture.folder.write("two.csv", track([composed, decomposed]))
    try fixture.folder.write("one.csv", track([decomposed]))
    func failures(_ file: String, _ statement: String, of device: String) throws -> Int {
      let text = """
        config: waymark.yaml
        tests:
          - name: forms
            track: \(file)
            state: [{at: 2026-01-01T00:00:30Z, device: \(device), \(statement): [gate]}]
            never: [{exit: gate, device: \(device)}]
        """
      return try fixture.run(text).results.flatMap(\.failures).count
    }
    #expect(try failures("two.csv", "inside", of: composed) == 0)
    #expect(try failures("two.csv", "outside", of: decomposed) == 0)
    #expect(try failures("two.csv", "inside", of: decomposed) == 1)
    for device in [composed, decomposed] {
      #expect(try failures("one.csv", "inside", of: device) == 0)
    }
  }

  @Test("about a device that the track does not have fails, also of never")
  func unknownDevice() throws {
    let reason = "the track has no device zzz; it has van"
    #expect(
      try fixture.failures(
        """
        expect: [{enter: gate, device: zzz}]
        never:
          - {exit: goal, device: van}
          - {exit: goal, device: zzz}
        state: [{at: 2026-01-01T00:03:20Z, outside: [gate], device: zzz}]
        """) == [
          "5: \(reason)", "8: \(reason)", "9: \(reason)",
        ])
  }

  @Test("of a visit compares the stay that stands, near a fence or a position")
  func visits() throws {
    let fixture = try FenceTestFixture(
      config: """
        fences: [{id: gate, center: [0.009043, 1], radius: 100 m}]
        significant-changes: false

        """)
    let text = { (statements: String) in
      """
      config: waymark.yaml
      tests:
        - name: a stay
          path: {points: [[0, 1], [0.009043, 1], {stay: 20 min}, [0.018, 1]], speed: 5 m/s}
          only: [visit]
          expect:
            - {visit: {near: \(statements)}
      """
    }
    let times = "arrival: 2026-01-01T00:03:20Z, departure: 2026-01-01T00:23:20Z, within: 20 s"
    #expect(try fixture.run(text("gate}, \(times)")).failed == 0)
    #expect(try fixture.run(text("[0.009043, 1.0001]}, \(times)")).failed == 0)
    #expect(try fixture.run(text("[0.009043, 1.01]}, \(times)")).failed == 1)
    #expect(try fixture.run(text("[0.009043, 1.01], radius: 2 km}")).failed == 0)
    let lasting = text("gate}, departure: 2026-01-01T01:00:00Z").replacing(", [0.018, 1]", with: "")
    #expect(
      try fixture.run(lasting).results.first?.failures.first?.message.hasSuffix(
        "Z, without departure") == true)
    let failure = try #require(
      try fixture.run(text("gate}, arrival: 2026-01-01T00:00:00Z")).results.first?.failures.first)
    #expect(failure.message.contains(", arrival 2026-01-01T00:03:"))
    #expect(failure.explanation.count == 1)
  }

  @Test("that fails is explained in up to three lines")
  func explanation() throws {
    let report = try fixture.run(
      FenceTestFixture.text(
        """
        expect:
          - {exit: goal, at: 2026-01-01T00:10:00Z}
          - {enter: gate, at: 2026-01-01T00:10:00Z}
          - {exit: goal}
        """))
    let failures = try #require(report.results.first?.failures)
    #expect(failures.count == 3)
    for failure in failures { #expect((1...3).contains(failure.explanation.count)) }
    #expect(failures[0].explanation[0].hasPrefix("goal: no exit: "))
    #expect(failures[1].explanation[0].hasPrefix("gate: enter at "))
  }
}
