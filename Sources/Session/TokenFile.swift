internal import Glibc
internal import System
internal import Text

/// The file of a token that requests to a server need: 32 random bytes, for its owner alone.
package enum TokenFile {
  /// Why a file gives no token.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var problem: String
    /// The error of the system; nil for a file that was read.
    fileprivate var code: Int32?

    package var description: String { "\(path): \(problem)" }
  }

  /// Bytes of a token; the file has twice as many hexadecimal digits.
  private static let size = 32

  /// The digits of a file, which is made with new ones when it is missing.
  package static func digits(of path: String) throws(Failure) -> [UInt8] {
    do throws(WholeFile.Failure) {
      if try WholeFile.mode(of: path) == nil {
        try WholeFile.replace(path, with: random(), mode: 0o600)
      }
    } catch {
      throw failure(path, error)
    }
    return try read(path)
  }

  /// What is wrong with a file; nil when nothing is, or when this user cannot know.
  package static func problem(of path: String) -> String? {
    // What comes through a pipe can be read once, by who uses it.
    if WholeFile.isSpecial(path) { return nil }
    do throws(Failure) {
      _ = try read(path)
      return nil
    } catch {
      // The server makes a missing file, in a folder that a service may get at its start. A file that
      // its user alone can read is judged by the server.
      return [ENOENT, EACCES].contains(error.code) ? nil : error.problem
    }
  }

  /// The digits of a text.
  ///
  /// - Parameter path: The file that has the text, for the error.
  package static func digits(in text: String, of path: String) throws(Failure) -> [UInt8] {
    let digits = text.utf8.filter { $0 > 0x20 }
    let isHex = digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    guard digits.count == 2 * size, isHex else {
      throw Failure(
        path: path,
        problem: "found \(digits.count) characters, expected a token of \(2 * size) hexadecimal "
          + "digits; remove the file to get a new one")
    }
    return digits
  }

  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]
    let mode: UInt32?
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, limit: 4_096)
      mode = try WholeFile.mode(of: path)
    } catch {
      throw failure(path, error)
    }
    if let mode, mode & 0o077 != 0 {
      throw Failure(
        path: path,
        problem: "no token: other users have rights to it; it must be for its owner alone "
          + "(chmod 600)")
    }
    return try digits(in: String(decoding: bytes, as: UTF8.self), of: path)
  }

  private static func failure(_ path: String, _ error: WholeFile.Failure) -> Failure {
    Failure(path: path, problem: "no token: \(error.reason)", code: error.code)
  }

  private static func random() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    var text: [UInt8] = []
    for _ in 0..<size { HexText.append(.random(in: .min ... .max, using: &random), to: &text) }
    return text + [UInt8(ascii: "\n")]
  }
}
