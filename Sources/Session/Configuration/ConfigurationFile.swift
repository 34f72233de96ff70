internal import Glibc

/// Reading whole files of bounded size.
enum ConfigurationFile {
  /// Why a file could not be read.
  enum Failure: Error, Hashable {
    case notFound
    /// The system's word.
    case refused(String)
    case tooLarge
  }

  /// Larger files are refused: fences of a whole country fit, and the memory that reading takes
  /// stays bounded.
  static let largestSize = 64 << 20

  /// The bytes of the file at `path`.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    // An embedded NUL would cut the path short in C and open another file.
    guard !path.utf8.contains(0) else { throw .notFound }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(errno)
      }
      guard bytes.count + count <= largestSize else { throw .tooLarge }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }

  /// The path `name` as written in the file at `base`: relative to that file's folder.
  static func resolve(_ name: String, besides base: String) -> String {
    guard !name.hasPrefix("/"), let slash = base.lastIndex(of: "/") else { return name }
    return base[...slash] + name
  }

  private static func failure(_ code: Int32) -> Failure {
    code == ENOENT || code == ENOTDIR
      ? .notFound : .refused(String(cString: strerror(code)))
  }
}
