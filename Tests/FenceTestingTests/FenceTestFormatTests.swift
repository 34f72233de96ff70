import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import FenceTesting

@Suite("The results of fence tests") struct FenceTestFormatTests {
  /// A test that passes, one that fails twice, and one without a track.
  private static let text = """
    config: waymark.yaml
    tests:
      - {name: passes, \(FenceTestFixture.way), expect: [{enter: gate}]}
      - name: "fails: 100 % <of> # \\"them\\" & \\\\, it"
        \(FenceTestFixture.way)
        expect:
          - {enter: gate, at: 2026-01-01T00:02:00Z}
          - {exit: goal}
      - {name: lost, track: missing.gpx, only: true}

    """

  private func lines(_ format: FenceTestFormat) throws -> [String] {
    let fixture = try FenceTestFixture()
    var run = FenceTestRun()
    run.wantsCoverage = true
    let report = try fixture.run(Self.text, run)
    return format.lines(report).map { $0.replacing(fixture.folder.path + "/", with: "") }
  }

  @Test("as text name file and line of what failed, and why")
  func text() throws {
    let lines = try lines(.text)
    let name = #"fails: 100 % <of> # "them" & \, it"#
    #expect(
      lines[0].hasPrefix("FAIL test.yaml:7 \(name): expected enter gate at 2026-01-01T00:02:00Z, "))
    #expect(lines[1].hasPrefix("  gate: enter at "))
    #expect(
      lines.contains { $0.hasPrefix("FAIL test.yaml:8 \(name): expected exit goal, there is none") }
    )
    #expect(lines.contains("ERROR test.yaml:9 lost: missing.gpx: no such file"))
    #expect(lines.last == "3 of 3 fences and 3 of 3 edges were crossed")
  }

  @Test("as JSON are one document")
  func json() throws {
    let data = Data(try lines(.json).joined().utf8)
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["passed"] as? Int == 1)
    #expect(json["failed"] as? Int == 1)
    #expect(json["errors"] as? Int == 1)
    let tests = try #require(json["tests"] as? [[String: Any]])
    #expect(tests.map { $0["result"] as? String } == ["passed", "failed", "error"])
    let failures = try #require(tests[1]["failures"] as? [[String: Any]])
    #expect(failures.map { $0["line"] as? Int } == [7, 8])
    #expect(failures.allSatisfy { !($0["explanation"] as? [String] ?? []).isEmpty })
    #expect((json["coverage"] as? [String: Any])?["crossedFences"] as? Int == 3)
  }

  @Test("as TAP have a plan, a line for each test, and the failures as YAML")
  func tap() throws {
    let lines = try lines(.tap)
    #expect(lines[0] == "TAP version 13")
    #expect(lines[1] == "1..3")
    let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
    #expect(
      points == [
        "ok 1 - test.yaml:3 passes",
        ##"not ok 2 - test.yaml:4 fails: 100 % <of> \# "them" & \\, it"##,
        "not ok 3 - test.yaml:9 lost",
      ])
    #expect(lines.count { $0 == "  ---" } == 2)
    #expect(lines.count { $0 == "  ..." } == 2)
    // Between the marks all is indented; else there are only test points and comments.
    for line in lines.dropFirst(2) where !points.contains(line) {
      #expect(line.hasPrefix("  ") || line.hasPrefix("# "), "\(line)")
    }
  }

  @Test(
    "as TAP are read by prove",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prove"), "no perl"))
  func proved() throws {
    let folder = try ScratchFolder()
    try folder.write("results.tap", try lines(.tap).joined(separator: "\n") + "\n")
    let (code, output) = try runProgram(
      "/usr/bin/prove", ["-e", "cat", folder.file("results.tap")])
    #expect(code == 1)
    #expect(output.contains("Tests: 3 Failed: 2"), "\(output)")
    #expect(output.contains("Failed tests:  2-3"), "\(output)")
    #expect(!output.contains("Parse errors"), "\(output)")
  }

  @Test("as JUnit's XML have a suite for each file and a case for each test")
  func junit() throws {
    let document = try XMLDocument(
      data: Data(try lines(.junit).joined(separator: "\n").utf8), options: [])
    let root = try #require(document.rootElement())
    func value(_ node: XMLNode, _ name: String) -> String? {
      (node as? XMLElement)?.attribute(forName: name)?.stringValue
    }
    #expect(root.name == "testsuites")
    for counted in [root as XMLNode] + (root.children ?? []).filter({ $0.name == "testsuite" }) {
      #expect(["tests", "failures", "errors"].map { value(counted, $0) } == ["3", "1", "1"])
    }
    let cases = try root.nodes(forXPath: "testsuite/testcase")
    #expect(cases.map { value($0, "line") } == ["3", "4", "9"])
    #expect(value(cases[1], "name") == #"fails: 100 % <of> # "them" & \, it"#)
    #expect(try root.nodes(forXPath: "testsuite/testcase/failure").count == 1)
    #expect(
      try root.nodes(forXPath: "testsuite/testcase/error").map { value($0, "message") } == [
        "missing.gpx: no such file"
      ])
    let body = try #require(try root.nodes(forXPath: "//failure").first?.stringValue)
    #expect(body.contains("test.yaml:8: expected exit goal"))
  }

  @Test("for GitHub are annotations of the lines")
  func github() throws {
    let lines = try lines(.github)
    #expect(
      lines[0].hasPrefix(
        #"::error file=test.yaml,line=7,title=fails%3A 100 %25 <of> # "them" & \%2C it::expected enter"#
      ))
    #expect(lines[0].contains("%0Agate: enter at "))
    #expect(lines.contains("::error file=test.yaml,line=9,title=lost::missing.gpx: no such file"))
    #expect(lines.allSatisfy { $0.hasPrefix("::") })
  }
}
