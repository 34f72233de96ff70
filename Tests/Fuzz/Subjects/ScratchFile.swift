import Glibc

/// A file for readers that want a path.
///
/// Only for the one thread that runs a subject.
final class ScratchFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// One for all inputs of a thread's subjects; each of them writes it anew.
  static let shared = ScratchFile()

  init() {
    // It has no name any more, so that nothing is left behind, whatever happens.
    let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(folder)/fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    unlink(template)
    path = "/proc/self/fd/\(descriptor)"
  }

  deinit { close(descriptor) }

  /// Puts `bytes` in the place of what was in it.
  func write(_ bytes: [UInt8]) {
    ftruncate(descriptor, 0)
    pwrite(descriptor, bytes, bytes.count, 0)
  }
}
