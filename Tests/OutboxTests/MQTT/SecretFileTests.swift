import TestSupport
import Testing

@testable import Outbox

@Suite("Files with a secret") struct SecretFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("the last newline is not part of it", arguments: ["a b\n", "a b\r\n", "a b"])
  func newline(content: String) throws {
    try folder.write("key", content)
    #expect(try SecretFile.read(folder.file("key"), credentials: nil) == "a b")
  }

  @Test("a name alone is looked for among the credentials first")
  func credentials() throws {
    try folder.write("waymark-test-secret", "x\n\n")
    #expect(try SecretFile.read("waymark-test-secret", credentials: folder.path) == "x\n")
    #expect(throws: SecretFile.Failure.self) {
      try SecretFile.read("./waymark-test-secret", credentials: folder.path)
    }
  }

  @Test("a failure names the file and not its content")
  func failures() throws {
    try folder.write("empty", "\n")
    try folder.write("binary", bytes: [0x70, 0, 0x71])
    #expect(throws: SecretFile.Failure(reason: "\(folder.file("empty")) is empty")) {
      try SecretFile.read(folder.file("empty"), credentials: nil)
    }
    #expect(throws: SecretFile.Failure(reason: "\(folder.file("binary")) is not text in UTF-8")) {
      try SecretFile.read(folder.file("binary"), credentials: nil)
    }
    #expect(
      throws: SecretFile.Failure(
        reason: "\(folder.file("none")) cannot be read: no such file or directory")
    ) {
      try SecretFile.read(folder.file("none"), credentials: nil)
    }
  }
}
