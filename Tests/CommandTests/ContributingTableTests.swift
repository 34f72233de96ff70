import Foundation
import TestSupport
import Testing

@Suite("The tables of CONTRIBUTING.md")
struct ContributingTableTests {
  @Test("list every target of the package and every test target, and no other")
  func targets() throws {
    let manifest = try String(contentsOf: Built.package("Package.swift"), encoding: .utf8)
    let tests = manifest.matches(of: /\.testTarget\(\s*name: "(\w+)"/).map { String($0.1) }
    let folder = Built.package("Sources").resolvingSymlinksInPath()
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let text = try String(contentsOf: Built.package("CONTRIBUTING.md"), encoding: .utf8)
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: " | ").first }
    let listed = cells.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(listed.sorted() == (tests + sources.filter { !$0.hasPrefix(".") }).sorted())
  }
}
