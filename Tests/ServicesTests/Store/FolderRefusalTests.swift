import Glibc
import Services
import System
import TestSupport
import Testing

@Suite("Services in folders that others can change")
struct FolderRefusalTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["parent", "parent/state"] {
      #expect(mkdir(folder.file(name), 0o700) == 0)
    }
  }

  private var state: String { folder.file("parent/state") }

  private func refusal() -> StoreError? {
    do throws(StoreError) {
      _ = try ServiceStore(folder: state, patience: .zero) { Issue.record("\($0)") }
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "an own folder is trusted, also when others may read it", arguments: [0o700, 0o755, 0o2755])
  func own(_ mode: UInt32) {
    chmod(state, mode)
    #expect(refusal() == nil)
  }

  @Test(
    "a folder that the group or others may write to is rejected",
    arguments: [0o777, 0o775, 0o757, 0o1777, 0o720, 0o702])
  func writable(_ mode: UInt32) {
    chmod(state, mode)
    #expect(
      refusal()?.description
        == "\(state): cannot save the state there: other users may write to \(state) (mode "
        + "\(String(mode, radix: 8))); "
        + (mode == 0o1777 ? "use a folder of your own in it" : "run 'chmod go-w \(state)'"))
  }

  @Test("a permission in such a folder is neither used nor written")
  func permission() throws {
    let file = PermissionFile(path: "\(state)/van.permission", program: "van")
    try file.write(PermissionRecord(.always))
    chmod(state, 0o777)
    let error = PermissionFileError.untrusted(
      path: file.path, .writable(path: state, mode: 0o777))
    #expect(throws: error) { try file.read() }
    #expect(throws: error) { try file.write(PermissionRecord(.denied)) }
    #expect(
      error.description
        == "\(file.path): not used, and location access is denied: other users may write to "
        + "\(state) (mode 777); run 'chmod go-w \(state)'")
    chmod(state, 0o700)
    #expect(try file.read() == PermissionRecord(.always))
  }
}
