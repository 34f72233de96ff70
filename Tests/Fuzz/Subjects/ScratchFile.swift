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
    let folder = FileManager.default.temporaryDirectory.path
    var template = Array("\(folder)/waymark-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    precondition(descriptor >= 0, "no file can be made in \(folder)")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    atexit { unlink(ScratchFile.shared.path) }
  }

  /// Puts `bytes` in the place of what was in it.
  func write(_ bytes: [UInt8]) {
    ftruncate(descriptor, 0)
    pwrite(descriptor, bytes, bytes.count, 0)
  }
}
