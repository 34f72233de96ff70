import Foundation
import Testing

/// The answers of check and outbox in JSON.
@Suite("Answers for programs", .timeLimit(.minutes(90)))
struct ReadableByProgramsTests {
  struct Check: Decodable {
    struct Finding: Decodable {
      var severity, file, message: String
      var line, column: Int?
    }
    var config: String
    var valid: Bool
    var findings: [Finding]
  }

  private func check(_ text: String, code: Int32) throws -> Check {
    let runner = try CommandRunner()
    try runner.write("waymark.yaml", text)
    let outcome = try runner.waymark(["check", "waymark.yaml", "--format", "json"])
    #expect(outcome.code == code && outcome.errors == "", "\(outcome.errors)")
    return try JSONDecoder().decode(Check.self, from: Data(outcome.output.utf8))
  }

  @Test("check names every error with its place")
  func errors() throws {
    let found = try check("device: van\nfenses: []\nvisits: {radius: -1}\n", code: 78)
    #expect(found.config == "waymark.yaml" && !found.valid)
    #expect(found.findings.map(\.line) == [2, 3])
    #expect(found.findings.allSatisfy { $0.severity == "error" && $0.file == "waymark.yaml" })
    #expect(found.findings[0].message.hasPrefix("fenses: found the unknown key 'fenses'"))
  }

  @Test("check names every warning, and none of a plain config")
  func warnings() throws {
    let small = try check("fences: [{id: a, center: [1, 2], radius: 3 m}]\n", code: 0)
    #expect(small.valid && small.findings.first?.severity == "warning")
    #expect(try check("device: van\n", code: 0).findings.isEmpty)
  }

  @Test("outbox has an object for each receiver")
  func outbox() throws {
    let runner = try CommandRunner()
    try runner.write(
      "house.yaml",
      """
      fences: [{id: home, center: [52.5163, 13.3777], radius: 100 m}]
      store: house.gpkg
      deliver: [{name: phone, command: ["true"]}]
      """)
    let replay = try runner.waymark([
      "replay", UsageTests.track, "--config", "house.yaml", "--deliver",
    ])
    #expect(replay.code == 0, "\(replay.errors)")
    let outcome = try runner.waymark(["outbox", "house.gpkg", "--format", "jsonl"])
    let receiver = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(receiver["receiver"] as? String == "phone")
    #expect(receiver["waiting"] as? Int == 0)
    #expect((receiver["delivered"] as? Int ?? 0) > 0)
    #expect((receiver["lastDelivery"] as? String)?.hasSuffix("Z") == true)
  }
}
