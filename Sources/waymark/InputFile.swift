import System
import Traces

/// A file that is read as a whole.
enum InputFile {
  /// The bytes of a file, or of standard input for `-`; gzip is unpacked.
  static func read(_ path: String) throws -> [UInt8] {
    do {
      return try ByteSource.whole(path, limit: WholeFile.largestSize)
    } catch {
      throw ExitStatus.of(error)
    }
  }
}
