internal import System

/// A file with a secret in it: a key, a token, a password.
package enum SecretFile {
  /// The text of a file, without the white space around it.
  ///
  /// A name without a slash is looked up in the folder of systemd's credentials first, see
  /// `LoadCredential=` in systemd.exec(5).
  /// - Throws: ``ReceiverError/file(path:problem:)``
  package static func text(
    _ path: String, in environment: [String: String]
  ) throws(ReceiverError) -> String {
    let bytes: [UInt8]
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(credential(path, in: environment) ?? path, limit: largestSize)
    } catch {
      throw .file(
        path: path, problem: "it cannot be read (\(error.reason)); expected a file with a secret")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { throw .file(path: path, problem: "it is empty; expected a secret") }
    return String(text[first...last])
  }

  private static let largestSize = 64 << 10

  /// Whether the mode of a file lets every user of the machine read it.
  static func isExposed(_ path: String) -> Bool {
    guard let mode = try? WholeFile.mode(of: path) else { return false }
    return mode & 0o004 != 0
  }

  /// The path of a credential of the service with a plain name; nil without one.
  static func credential(_ name: String, in environment: [String: String]) -> String? {
    guard !name.contains("/"), let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/\(name)"
    return (try? WholeFile.mode(of: path)) == nil ? nil : path
  }
}
