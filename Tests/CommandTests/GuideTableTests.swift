import Foundation
import TestSupport
import Testing

@Suite("The guide's tables")
struct GuideTableTests {
  @Test("explain every reason for dropping a fix that a summary in the guide shows")
  func reasons() throws {
    let guide = try String(contentsOf: Built.package("Docs/Guide.md"), encoding: .utf8)
    let reasons = guide.matches(of: /\nwaymark: dropped \d+ fix(?:es)?: ([^\n(]+)/)
      .map { $0.1.trimmingCharacters(in: .whitespaces) }
    #expect(reasons.count >= 7)
    for reason in reasons {
      let isExplained = guide.contains("\n| `\(reason)` |")
      #expect(isExplained, "no row for: \(reason)")
    }
  }

  @Test(
    "list every option of a command, and no other",
    arguments: [
      ("replay", "Docs/Guide.md", "Playing a track"), ("watch", "Docs/Live.md", "watch"),
      ("record", "Docs/Live.md", "Recording and replaying"),
    ])
  func options(command: String, document: String, heading: String) throws {
    let help = try CommandRunner().waymark([command, "--help"]).output
    let offered = help.matches(of: /\n  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) }
    let text = try String(contentsOf: Built.package(document), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## \(heading)\n").last)
      .components(separatedBy: "\n## ")[0]
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `-") }
    let listed = rows.compactMap { $0.split(separator: " | ").first }
      .flatMap { $0.matches(of: /--[a-z-]+/).map { String($0.0) } }
    #expect(Set(listed) == Set(offered).subtracting(["--version", "--help"]))
  }
}
