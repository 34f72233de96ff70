internal import System

/// A file with a secret in it: a key, a token, a password.
package enum SecretFile {
  /// Why a file holds no secret.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var problem: String

    package var description: String { "\(path): \(problem)" }
  }

  /// The text of a file, without the white space around it.
  ///
  /// A name without a slash is looked up in the folder of systemd's credentials first, see
  /// `LoadCredential=` in systemd.exec(5).
  package static func text(
    _ path: String, in environment: [String: String]
  ) throws(Failure) -> String {
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(credential(path, in: environment) ?? path, limit: largestSize)
    } catch {
      throw Failure(
        path: path, problem: "it cannot be read (\(error.reason)); expected a file with a secret")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { throw Failure(path: path, problem: "it is empty; expected a secret") }
    return String(text[first...last])
  }

  private static let largestSize = 64 << 10

  /// A warning about a file that every user of the machine can read; nil for another one.
  package static func warning(_ path: String) -> String? {
    guard let mode = try? WholeFile.mode(of: path), mode & 0o004 != 0 else { return nil }
    return "every user of this machine can read \(path); run chmod 600 on it"
  }

  /// The path of a credential of the service with a plain name; nil without one.
  package static func credential(_ name: String, in environment: [String: String]) -> String? {
    guard !name.contains("/"), let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/\(name)"
    return (try? WholeFile.mode(of: path)) == nil ? nil : path
  }
}
