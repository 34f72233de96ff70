import Foundation
import Testing

/// The documents link to files and headings of the repository that exist.
@Suite("Links of the documents")
struct DocumentLinkTests {
  /// Every document that people write or scripts print, by its path in the package.
  static let pages: [String] =
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
    + ["Docs", "traces"].flatMap { folder in
      let all = FileManager.default.enumerator(
        atPath: CommandRunner.package(folder).resolvingSymlinksInPath().path)
      return (all?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".md") && !$0.contains(".build") }.sorted().map { "\(folder)/\($0)" }
    }

  @Test("point to files and headings that exist", arguments: pages)
  func links(_ page: String) throws {
    for link in try Self.prose(of: page).flatMap(Self.links) {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = CommandRunner.package(page).deletingLastPathComponent()
      let file =
        parts[0].isEmpty
        ? CommandRunner.package(page)
        : folder.appendingPathComponent(String(parts[0])).standardizedFileURL
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page) links to \(link)")
      guard parts.count == 2, file.pathExtension == "md" else { continue }
      let anchors = try Self.anchors(of: file)
      #expect(anchors.contains(String(parts[1])), "\(page) links to \(link)")
    }
  }

  @Test("every linked page is found")
  func pagesAreFound() {
    #expect(Self.pages.contains("Docs/Guide.md"))
    #expect(Self.pages.contains("Docs/Decisions/0004-the-gate.md"))
  }

  @Test(
    "a heading has the anchor that repository browsers give it",
    arguments: [
      ("## Fleets: waymark pipe", "fleets-waymark-pipe"),
      ("### Rules: `eager`, `strict`", "rules-eager-strict"),
      ("## 3. Fence_decisions, über-all", "3-fence_decisions-über-all"),
    ])
  func anchor(_ heading: String, _ anchor: String) {
    #expect(Self.anchor(of: heading) == anchor)
  }

  /// The lines of a page outside of blocks of code.
  private static func prose(of page: String) throws -> [String] {
    try prose(of: CommandRunner.package(page))
  }

  private static func prose(of file: URL) throws -> [String] {
    var isCode = false
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").filter {
      if $0.hasPrefix("```") { isCode.toggle() }
      return !isCode
    }
  }

  /// The targets of a line's links, without those on the network.
  private static func links(in line: String) -> [String] {
    line.components(separatedBy: "](").dropFirst()
      .compactMap { $0.split(separator: ")", omittingEmptySubsequences: false).first }
      .map(String.init).filter { !$0.contains("://") }
  }

  private static func anchors(of file: URL) throws -> Set<String> {
    var anchors: Set<String> = []
    for heading in try prose(of: file) where heading.hasPrefix("#") {
      let title = anchor(of: heading)
      // Equal headings are numbered from the second on.
      var name = title
      var count = 0
      while !anchors.insert(name).inserted {
        count += 1
        name = "\(title)-\(count)"
      }
    }
    return anchors
  }

  private static func anchor(of heading: String) -> String {
    let title = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
    return String(
      title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .map { $0 == " " ? "-" : $0 })
  }
}
