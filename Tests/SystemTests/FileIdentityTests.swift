import Foundation
import Glibc
import System
import TestSupport
import Testing

@Suite("Identity of files")
struct FileIdentityTests {
  private let scratch: ScratchFolder
  private var folder: String { scratch.path }

  init() throws {
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder + "/file"))
    try Data().write(to: URL(fileURLWithPath: folder + "/other"))
    try link("to-file", "file")
    try link("to-missing", "deep/missing")
    try link("to-deep", "deep")
    try link("loop", "loop")
  }

  private func link(_ name: String, _ target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/\(name)", withDestinationPath: target)
  }

  @Test(
    "two paths lead to one file",
    arguments: [
      ("file", "./file"), ("file", "deep/../file"), ("file", "to-file"), ("new", "./new"),
      ("new", "deep/../new"), ("deep/missing", "to-missing"), ("deep/new", "to-deep/new"),
    ])
  func same(first: String, second: String) {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let identity = FileIdentity("\(folder)/\(first)")
    #expect(identity != nil)
    #expect(identity == FileIdentity("\(folder)/\(second)"))
  }

  @Test("two files differ, whether they exist or not")
  func different() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let names = ["file", "other", "new", "newer", "deep/new"]
    #expect(Set(names.map { FileIdentity("\(folder)/\($0)") }).count == names.count)
  }

  @Test("devices, folders, endless links and files without a folder have no identity")
  func none() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for path in ["/dev/null", folder, "\(folder)/loop", "\(folder)/absent/file", ""] {
      #expect(FileIdentity(path) == nil, "\(path)")
    }
  }

  @Test(
    "links lead to a path, which need not exist",
    arguments: [
      ("file", "file"), ("new", "new"), ("to-file", "file"), ("to-missing", "deep/missing"),
      ("to-deep/new", "to-deep/new"), ("loop", "loop"),
    ])
  func target(path: String, target: String) {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(FileIdentity.target(behind: "\(folder)/\(path)") == "\(folder)/\(target)")
  }

  @Test("a link of /proc to a pipe leads to no path")
  func pipeTarget() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let path = "/proc/self/fd/\(ends[0])"
    #expect(FileIdentity.target(behind: path) == path)
  }

  @Test("a file that is written clashes with every other use of it")
  func clash() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func clash(_ uses: FileUse...) -> String? {
      FileUse.clash(in: uses).map { "\($0.first.option) \($0.second.option)" }
    }
    let (file, other) = (folder + "/file", folder + "/other")
    #expect(clash(.reading("a", file), .reading("b", file)) == nil)
    #expect(clash(.reading("a", file), .writing("b", other)) == nil)
    #expect(clash(.reading("a", file), .reading("b", file), .writing("c", file)) == "a c")
    #expect(clash(.writing("a", file), .reading("b", folder + "/to-file")) == "a b")
    let state = FileUse.writing("state", folder + "/q", suffixes: [".journal", ".new"])
    #expect(clash(state, .writing("b", folder + "/deep/../q.journal")) == "state b")
    #expect(clash(.writing("b", folder + "/q.new"), state) == "b state")
    #expect(clash(state, .writing("b", folder + "/q.old")) == nil)
  }
}
