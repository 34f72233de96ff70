import Testing

@testable import FenceTesting

@Suite("An update of fence tests") struct FenceTestUpdateTests {
  private let fixture: FenceTestFixture

  init() throws { fixture = try FenceTestFixture() }

  private func updated(
    _ text: String
  ) throws -> (text: String?, diff: [String], report: FenceTestReport) {
    let file = try fixture.read(text)
    var report = FenceTestRun().run([file])
    let update = FenceTestUpdate(of: [file], mending: &report)
    let new = update.files.first
    return (new.map { String(decoding: $0.bytes, as: UTF8.self) }, new?.diff ?? [], report)
  }

  @Test("rewrites the values that failed and nothing else, and then the tests pass")
  func values() throws {
    let text = FenceTestFixture.text(
      """
      expect:   # in order
        - {enter: gate, at: 2026-01-01T00:02:00Z, within: 2 s}   # ä comment
        - exit: gate
          duration: "5 min"
          within: 1 s
        - {enter: yard, at: '2026-01-01T09:00:00+09:00', within: 0.1 s, confidence: 1.0}
        - {exit: yard}
      """)
    let (new, diff, report) = try updated(text)
    let result = try #require(new)
    #expect(report.failed == 0)
    let (old, lines) = (text.split(separator: "\n"), result.split(separator: "\n"))
    #expect(lines.count == old.count)
    let changed = old.indices.filter { old[$0] != lines[$0] }
    #expect(changed == [5, 7, 9])
    #expect(
      lines[5].wholeMatch(of: /.*at: 2026-01-01T00:03:0\dZ, within: 2 s}   # ä comment/) != nil)
    #expect(lines[7].wholeMatch(of: /\s+duration: "(39|40|41) s"/) != nil)
    #expect(
      lines[9].wholeMatch(of: /.*at: '2026-01-01T00:06:\d\d\.\d{3}Z', .*confidence: 0\.\d{3}}/)
        != nil)
    #expect(diff.count == 9)
    #expect(diff[0].hasSuffix("test.yaml:6"))
    #expect(diff[1] == "-" + old[5])
    #expect(diff[2] == "+" + lines[5])
    #expect(try fixture.run(result).failed == 0)
    #expect(try updated(result).text == nil)
  }

  @Test("writes as many decimals as the tolerance asks for")
  func decimals() throws {
    for within in ["0 s", "0.001 s", "0.5 s", "1 s"] {
      let text = FenceTestFixture.text(
        """
        expect:
          - {enter: gate, at: 2026-01-01T00:02:00Z, within: \(within)}
          - {exit: gate, duration: 1 s, within: \(within)}
        """)
      #expect(try fixture.run(try #require(try updated(text).text)).failed == 0, "\(within)")
    }
  }

  @Test("leaves failures that no value mends")
  func rest() throws {
    let (new, _, report) = try updated(
      FenceTestFixture.text(
        """
        expect: [{exit: goal}, {enter: yard}, {enter: gate, at: 2026-01-01T00:02:00Z}]
        never: [{enter: gate}]
        """))
    #expect(new == nil)
    #expect(report.results[0].failures.count == 3)
  }

  @Test("does not give one value two texts")
  func alias() throws {
    let (new, _, report) = try updated(
      FenceTestFixture.text(
        """
        expect:
          - {enter: gate, at: &time 2026-01-01T00:02:00Z}
          - {enter: yard, at: *time}
        """))
    #expect(report.results[0].failures.count == 1)
    #expect(new?.contains("at: &time 2026-01-01T00:03:0") == true)
  }

  @Test("leaves a text that is written with escapes")
  func escapes() throws {
    let (new, _, report) = try updated(
      FenceTestFixture.text(#"expect: [{enter: gate, at: "2026-01-01T00:02:0\u0030Z"}]"#))
    #expect(new == nil)
    #expect(report.failed == 1)
  }
}
