internal import Glibc

/// Files that are read and replaced as a whole, private to their owner.
package enum WholeFile {
  /// What the system said.
  package struct Failure: Error, Hashable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// In words, such as `no space left on device`.
    package var reason: String {
      // strerror's text is valid until the next call in this thread, and copied here.
      strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
    }
  }

  /// The bytes of a file.
  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count > 0 { all += piece[..<count] }
      if count == 0 { return all }
      if count < 0, errno != EINTR { throw Failure(code: errno) }
    }
  }

  /// Writes a file beside it and puts that in its place; by default for its owner alone.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(Failure) {
    try replace(path, mode: mode) { (descriptor) throws(Failure) in
      try writeAll(bytes[...], to: descriptor)
    }
  }

  /// The same with what `write` writes to the descriptor that it is given.
  package static func replace(
    _ path: String, mode: UInt32 = 0o600, _ write: (Int32) throws(Failure) -> Void
  ) throws(Failure) {
    let draft = "\(path).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    do throws(Failure) {
      defer { close(descriptor) }
      try write(descriptor)
      guard fsync(descriptor) == 0 else { throw Failure(code: errno) }
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, path) == 0 else { throw Failure(code: errno) }
    synchroniseFolder(of: path)
  }

  /// Writes all of `bytes`.
  package static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }

  /// A renamed file is safe from a power cut once its folder is.
  private static func synchroniseFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
