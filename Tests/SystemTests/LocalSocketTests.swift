import Foundation
import Glibc
import TestSupport
import Testing
@testable import System

@Suite("Local sockets")
struct LocalSocketTests {
  private let folder: ScratchFolder
  /// Short, as the path of a socket has at most 107 bytes.
  private var path: String { "\(folder.path)/s" }

  init() throws { folder = try ScratchFolder() }

  @Test("a question gets its answer, and the file belongs to its owner alone")
  func answers() async throws {
    let socket = try LocalSocket(path: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    let path = path
    let asker = Task { try LocalSocket.ask(path, Array("how?".utf8), patience: patience) }
    var found: (question: [UInt8], asker: LocalSocket.Asker)?
    try await eventually("a question") {
      found = found ?? socket.receive()
      return found != nil
    }
    let (question, who) = try #require(found)
    #expect(question == Array("how?".utf8))
    socket.answer(Array("so".utf8), to: who)
    #expect(try await asker.value == Array("so".utf8))
    #expect(socket.receive() == nil)
  }

  @Test("nobody listens at a missing file, nor at one that was left behind; a new one replaces it")
  func leftBehind() throws {
    #expect(throws: LocalSocket.Failure.nobody) {
      try LocalSocket.ask(path, [1], patience: patience)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    close(descriptor)
    #expect(isBound == 0)
    #expect(throws: LocalSocket.Failure.nobody) {
      try LocalSocket.ask(path, [1], patience: patience)
    }
    do {
      _ = try LocalSocket(path: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a listener that does not answer is not waited for, nor one that ends")
  func late() throws {
    var socket: LocalSocket? = try LocalSocket(path: path)
    #expect(throws: LocalSocket.Failure.late) {
      try LocalSocket.ask(path, [1], patience: .milliseconds(1))
    }
    #expect(socket != nil)
    socket = nil
  }

  @Test("a file that is no socket stays, and a long path is refused")
  func foreign() throws {
    try folder.write("s", "mine")
    #expect(throws: SystemError(code: EEXIST)) { try LocalSocket(path: path) }
    #expect(try folder.read("s") == "mine")
    #expect(throws: SystemError(code: ENAMETOOLONG)) {
      try LocalSocket(path: path + String(repeating: "x", count: 200))
    }
  }
}
