import Foundation

/// A file for readers that want a path.
///
/// Only for the one thread that runs a subject.
final class ScratchFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// One for all inputs of a thread's subjects; each of them writes it anew.
  static let shared = ScratchFile()

  /// Makes it in the folder for temporary files, with a name: a reader of our own files follows no
  /// link, and the numbers below /proc are links.
  private init() {
    // In a folder of its own, as files of ours are refused where others may write.
    let folder = FileManager.default.temporaryDirectory.path + "/waymark-fuzz-\(getpid())"
    mkdir(folder, 0o700)
    var template = Array("\(folder)/XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    precondition(descriptor >= 0, "no file can be made in \(folder)")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    atexit {
      let path = ScratchFile.shared.path
      unlink(path)
      rmdir((path as NSString).deletingLastPathComponent)
    }
  }

  /// Puts `bytes` in the place of what was in it.
  func write(_ bytes: [UInt8]) {
    ftruncate(descriptor, 0)
    pwrite(descriptor, bytes, bytes.count, 0)
  }
}
