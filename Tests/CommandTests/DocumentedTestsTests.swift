import Foundation
import TestSupport
import Testing

/// The tests that the documents name as proof exist.
@Suite("Tests named in documents")
struct DocumentedTestsTests {
  /// Documents whose tables name tests in their last column.
  static let documents = ["Docs/Limits.md", "Docs/Live.md"]

  @Test("exist, by their titles and their files", arguments: documents)
  func exist(document: String) throws {
    let (titles, files) = try Self.tests()
    let text = try String(contentsOf: Built.package(document), encoding: .utf8)
    let proofs = text.split(separator: "\n").compactMap(Self.proof)
    #expect(proofs.count > 20)
    for proof in proofs {
      for title in proof.matches(of: /"([^"]+)"/).map(\.1) {
        // A message with all titles in it would be unreadable.
        let exists = titles.contains("\"\(title)\"")
        #expect(exists, "no test \"\(title)\"")
      }
      for file in proof.replacing(/"[^"]*"/, with: "").matches(of: /\w+\/(\w+Tests)\b/).map(\.1) {
        #expect(files.contains("\(file).swift"), "no file \(file).swift")
      }
    }
  }

  /// The last cell of a row that names tests.
  private static func proof(_ line: Substring) -> Substring? {
    guard line.hasPrefix("|"), let cell = line.dropLast().split(separator: " | ").last,
      cell.contains(/\w+Tests\b/)
    else { return nil }
    return cell
  }

  /// All sources of tests as one text, and their file names.
  private static func tests() throws -> (text: String, files: Set<String>) {
    let folder = Built.package("Tests").resolvingSymlinksInPath()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    let texts = try paths.map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
    return (texts.joined(), Set(paths.map { ($0 as NSString).lastPathComponent }))
  }
}
