internal import FoundationEssentials
internal import Glibc
package import System

/// Files whose content is JSON.
///
/// They are not in `System`, because a program that uses the engine alone loads no Foundation.
extension ChecksummedFile {
  /// Reads a file.
  package func read<Content: Decodable>(
    _ type: Content.Type, from path: String
  ) throws(ReadError) -> Content {
    let content = try content(of: path)
    do {
      return try JSONDecoder().decode(Content.self, from: Data(content))
    } catch {
      throw .unusable("it is from another version of the engine")
    }
  }

  /// Writes a file that only its owner can read, because it contains positions.
  package func write(_ content: some Encodable, to path: String) throws(WholeFile.Failure) {
    guard let body = try? JSONEncoder().encode(content) else {
      // Numbers of the engine are finite: it rejects fixes with other numbers.
      throw WholeFile.Failure(code: EINVAL)
    }
    try write(to: path) { (writer) throws(WholeFile.Failure) in try writer.append(Array(body)) }
  }
}
