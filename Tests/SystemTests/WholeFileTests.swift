import Foundation
import Glibc
import Synchronization
@testable import System
import TestSupport
import Testing

@Suite("Whole files")
struct WholeFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("a file over the limit is not read further")
  func limit() throws {
    try folder.write("a", "12345")
    #expect(try WholeFile.read(folder.file("a"), limit: 5) == Array("12345".utf8))
    #expect(throws: WholeFile.Failure.tooLarge) {
      try WholeFile.read(folder.file("a"), limit: 4)
    }
    #expect(throws: WholeFile.Failure.tooLarge) {
      try WholeFile.read("/dev/zero", limit: 1 << 20)
    }
    #expect(WholeFile.Failure.tooLarge.reason == "it is larger than what is read at most")
  }

  @Test("a NUL in a path does not open another file")
  func embeddedNUL() throws {
    try folder.write("a", "1")
    #expect(throws: WholeFile.Failure(code: ENOENT)) {
      try WholeFile.read(folder.file("a\0b"))
    }
  }

  @Test("a replaced file has the requested mode, whatever was in its place")
  func modes() throws {
    for mode: UInt32 in [0o600, 0o640] {
      try folder.write("a", "old", mode: 0o666)
      try folder.write("a.new", "a draft of somebody's", mode: 0o666)
      try WholeFile.replace(folder.file("a"), with: Array("new".utf8), mode: mode)
      #expect(try folder.read("a") == "new")
      #expect(try folder.mode("a") == Int(mode))
      #expect(try folder.names() == ["a"])
    }
  }

  @Test("a link in the place of a file is replaced, and its target is unchanged")
  func links() throws {
    try folder.write("other", "mine", mode: 0o644)
    for name in ["a", "a.new"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name), withDestinationPath: folder.file("other"))
    }
    try WholeFile.replace(folder.file("a"), with: [1])
    #expect(try folder.read("other") == "mine")
    #expect(try folder.mode("other") == 0o644)
    #expect(try folder.read("a") == "\u{1}")
  }

  @Test("a pipe or a device is not replaced by a file, nor is a link to one")
  func special() throws {
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(symlink(pipe, folder.file("link")) == 0)
    for name in ["pipe", "link"] {
      #expect(throws: WholeFile.Failure.notRegular) {
        try WholeFile.replace(folder.file(name), with: [1])
      }
    }
    #expect(try folder.names() == ["link", "pipe"])
    var status = stat()
    #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test("a private file gets private permissions, and is not a link, pipe or folder")
  func own() throws {
    try folder.write("a", "1", mode: 0o666)
    #expect(try WholeFile.readPrivate(folder.file("a")) == Array("1".utf8))
    #expect(try folder.mode("a") == 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("a"))
    #expect(throws: WholeFile.Failure(code: ELOOP)) {
      try WholeFile.readPrivate(folder.file("link"))
    }
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    for name in ["pipe", "."] {
      #expect(throws: WholeFile.Failure.notRegular) { try WholeFile.readPrivate(folder.file(name)) }
    }
    #expect(throws: WholeFile.Failure(code: ENOENT)) {
      try WholeFile.readPrivate(folder.file("none"))
    }
  }

  @Test("a named pipe without a writer is rejected at once", .timeLimit(.minutes(90)))
  func noWriter() throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let end = NamedPipes.release(path)
    defer { end() }
    #expect(throws: WholeFile.Failure.noWriter) { try WholeFile.read(path) }
    #expect(throws: WholeFile.Failure.notRegular) { try MappedFile(path) }
    #expect(WholeFile.Failure.noWriter.reason == "it is a named pipe that no program writes to")
    #expect(WholeFile.Failure.notRegular.reason == "it is not a regular file")
  }

  @Test("a named pipe with a writer is read to its end", .timeLimit(.minutes(90)))
  func writer() throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let writer = open(path, O_RDWR | O_CLOEXEC)
    #expect(writer >= 0)
    let bytes = Mutex<[UInt8]?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let read = try? WholeFile.read(path)
      bytes.withLock { $0 = read }
      isDone.signal()
    }
    for part in ["first, ", "second"] {
      #expect(write(writer, part, part.utf8.count) == part.utf8.count)
      try drain(writer)
    }
    close(writer)
    #expect(isDone.waitInTime())
    #expect(bytes.withLock { $0 } == Array("first, second".utf8))
  }

  @Test("an unnamed pipe, as of <(…) in a shell, is read to its end", arguments: ["", "text"])
  func unnamedPipe(text: String) throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    close(ends[1])
    #expect(try WholeFile.read("/dev/fd/\(ends[0])") == Array(text.utf8))
  }

  /// Waits until all bytes of a pipe were read.
  private func drain(_ pipe: Int32) throws {
    var count: Int32 = 1
    try blockUntil("the pipe read to its end") {
      ioctl(pipe, UInt(FIONREAD), &count) != 0 || count == 0
    }
    #expect(count == 0)
  }
}
