internal import Glibc
internal import System
internal import Text

/// The file of a token that requests to a server need: 32 random bytes, for its owner alone.
package enum TokenFile {
  /// Why a file gives no token.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var problem: String

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

  /// What is wrong with a file; nil when nothing is, or when it is missing and can be made.
  package static func problem(of path: String) -> String? {
    // What comes through a pipe can be read once, by who uses it.
    if WholeFile.isSpecial(path) { return nil }
    do throws(Failure) {
      if try mode(of: path) != nil {
        _ = try read(path)
        return nil
      }
      let folder = Folder.parent(of: path)
      return try mode(of: folder) == nil ? "no token: there is no folder \(folder)" : nil
    } catch {
      return error.problem
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
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, limit: 4_096)
      if let mode = try WholeFile.mode(of: path), mode & 0o077 != 0 {
        throw WholeFile.Failure(code: EACCES)
      }
    } catch {
      throw failure(path, error)
    }
    return try digits(in: String(decoding: bytes, as: UTF8.self), of: path)
  }

  private static func mode(of path: String) throws(Failure) -> UInt32? {
    do throws(WholeFile.Failure) {
      return try WholeFile.mode(of: path)
    } catch {
      throw failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: WholeFile.Failure) -> Failure {
    let advice = error.code == EACCES ? "; it must be for its owner alone (chmod 600)" : ""
    return Failure(path: path, problem: "no token: \(error.reason)\(advice)")
  }

  private static func random() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    var text: [UInt8] = []
    for _ in 0..<size { HexText.append(.random(in: .min ... .max, using: &random), to: &text) }
    return text + [UInt8(ascii: "\n")]
  }
}
