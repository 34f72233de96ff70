import Session
import Traces

/// A file that is read as a whole.
enum InputFile {
  /// The bytes of a file, or of standard input for `-`; gzip is unpacked.
  static func read(_ path: String) throws -> [UInt8] {
    do {
      return try bytes(of: path)
    } catch {
      throw ExitStatus.of(error)
    }
  }

  private static let step = 1 << 20

  private static func bytes(of path: String) throws(TraceError) -> [UInt8] {
    var source = try ByteSource(path: path)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      switch try source.read(into: &buffer, at: 0) {
      case .bytes(let count):
        guard count <= WholeFile.largestSize - all.count else {
          throw .unreadable(path: path, reason: "it is larger than 1 GiB, the limit")
        }
        all.append(contentsOf: buffer[..<count])
      case .end: return all
      case .damaged(let reason): throw .unreadable(path: path, reason: reason)
      }
    }
  }
}
