import Glibc
@testable import System
import TestSupport
import Testing

@Suite("Folders and locks")
struct FolderTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("a folder is created with its parent folders, all with the mode", arguments: ["", "/"])
  func create(_ end: String) throws {
    try Folder.create(folder.file("a/b") + end, mode: 0o700)
    #expect(Folder.exists(folder.file("a/b")))
    for name in ["a", "a/b"] {
      #expect(try WholeFile.mode(of: folder.file(name)) == 0o700)
    }
    #expect(try WholeFile.mode(of: folder.file("c")) == nil)
    try Folder.create(folder.file("a/b"), mode: 0o700)
  }

  @Test("a file in the place of a folder is named", arguments: ["a", "a/b"])
  func file(_ name: String) throws {
    try folder.write("a", "1")
    let cause = WholeFile.Failure(code: ENOTDIR)
    #expect(throws: Folder.CreationFailure(path: folder.file("a"), cause: cause)) {
      try Folder.create(folder.file(name), mode: 0o700)
    }
    let error = #expect(throws: OutputError.self) { try Folder(made: folder.file(name)) }
    #expect(error == .refused(path: folder.file("a"), reason: "it is a file, expected a folder"))
  }

  @Test("one process at a time holds a lock, until it is released")
  func lock() throws {
    let path = folder.file("lock")
    do {
      let lock = try FileLock(path)
      #expect(throws: FileLock.Failure.held) { try FileLock(path) }
      withExtendedLifetime(lock) {}
    }
    withExtendedLifetime(try FileLock(path)) {}
    #expect(try WholeFile.mode(of: path) == 0o600)
  }

  @Test("a lock file that cannot be opened is an error")
  func noLock() {
    #expect(throws: FileLock.Failure.refused(WholeFile.Failure(code: ENOENT))) {
      try FileLock(folder.file("none/lock"))
    }
  }
}
