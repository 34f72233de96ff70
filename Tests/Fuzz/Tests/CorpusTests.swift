import Foundation
import Testing

/// Every input of a corpus, and every find of the past, is given to its subject once more.
///
/// What a fuzzer does with millions of inputs that it makes up, see `make fuzz`, these tests do with
/// the few that are kept.
// The subjects share a file.
@Suite("Kept inputs of the fuzzers", .serialized)
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files of a subject in a folder.
  private static func inputs(_ kind: String, _ subject: String) -> [URL] {
    let folder = folder.appendingPathComponent("\(kind)/\(subject)")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).sorted { $0.path < $1.path }
  }

  @Test("no input of a corpus breaks a law", arguments: Subject.all.map(\.name))
  func corpus(name: String) throws {
    let subject = try #require(Subject.all.first { $0.name == name })
    let inputs = Self.inputs("Corpora", name)
    #expect(!inputs.isEmpty, "a subject has a corpus to begin with")
    // A subject that refuses whatever it is given has nothing behind its door looked at.
    #expect(try check(inputs, subject) > 0, "something is made of an input of the corpus")
  }

  @Test("inputs that fuzzers found stay fixed", arguments: Subject.all.map(\.name))
  func regressions(name: String) throws {
    let subject = try #require(Subject.all.first { $0.name == name })
    _ = try check(Self.inputs("Regressions", name), subject)
  }

  /// Gives a subject the inputs, and returns of how many it made something.
  private func check(_ inputs: [URL], _ subject: Subject) throws -> Int {
    var count = 0
    for input in inputs {
      let bytes = [UInt8](try Data(contentsOf: input))
      #expect(throws: Never.self, "\(input.lastPathComponent)") {
        if try subject.check(bytes) { count += 1 }
      }
    }
    return count
  }

  @Test("every folder of inputs is that of a subject", arguments: ["Corpora", "Regressions"])
  func folders(kind: String) throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent(kind).path)
    #expect(Set(names).isSubset(of: Subject.all.map(\.name)))
  }
}
