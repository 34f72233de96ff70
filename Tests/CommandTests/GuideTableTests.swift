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
}
