import Glibc
import System
import TestSupport
import Testing

@Suite("Folders that others can change")
struct FolderTrustTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["parent", "parent/state"] {
      #expect(mkdir(folder.file(name), 0o700) == 0)
    }
  }

  private var parent: String { folder.file("parent") }
  private var state: String { folder.file("parent/state") }

  private func violation(_ path: String) -> FolderTrust.Violation? {
    do throws(FolderTrust.Violation) {
      try FolderTrust.check(path)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "an own folder is trusted, also when others may read it", arguments: [0o700, 0o755, 0o2755])
  func own(_ mode: UInt32) {
    chmod(state, mode)
    #expect(violation(state) == nil)
  }

  @Test(
    "a folder that the group or others may write to is rejected",
    arguments: [0o777, 0o775, 0o757, 0o1777, 0o720, 0o702])
  func writable(_ mode: UInt32) {
    chmod(state, mode)
    #expect(violation(state) == .writable(path: state, mode: mode))
  }

  @Test("so is a folder inside one, unless it is sticky like /tmp")
  func parents() {
    chmod(parent, 0o777)
    #expect(violation(state) == .writable(path: parent, mode: 0o777))
    chmod(parent, 0o1777)
    #expect(violation(state) == nil)
  }

  @Test("a folder of another user is rejected")
  func owner() {
    // Root can give a folder away; anyone else can ask on behalf of another user.
    let (owner, user): (UInt32, UInt32) =
      geteuid() == 0 ? (54_321, 12_345) : (geteuid(), geteuid() + 1)
    if geteuid() == 0 { #expect(chown(state, owner, gid_t.max) == 0) }
    let error = #expect(throws: FolderTrust.Violation.self) {
      try FolderTrust.check(state, for: user)
    }
    #expect(error == .owner(path: state, owner: owner, user: user))
    #expect(
      error?.description
        == "\(state) belongs to user \(owner), expected user \(user) or root; use another folder, or "
        + "run 'chown \(user) \(state)'")
  }

  @Test("a link counts as its target")
  func link() {
    let link = folder.file("link")
    #expect(symlink(state, link) == 0)
    #expect(violation(link) == nil)
    chmod(state, 0o777)
    #expect(violation(link) == .writable(path: state, mode: 0o777))
  }

  @Test("a missing folder is a system error")
  func missing() {
    #expect(violation(folder.file("none")) == .system("no such file or directory"))
  }
}
