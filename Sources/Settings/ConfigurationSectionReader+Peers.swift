package import Foundation
internal import System

/// Addresses of other services, and the files that a connection to them needs.
extension ConfigurationSectionReader {
  /// The path of a PEM file, which must exist and have a block of a kind such as `CERTIFICATE`.
  package mutating func pemFile(_ key: String, with kind: String) -> String? {
    let expected = "the path of a PEM file"
    guard let file = path(key, expected: expected) else { return nil }
    do throws(WholeFile.Failure) {
      let bytes = try WholeFile.read(file, limit: Self.longestPEMFile)
      let text = String(decoding: bytes, as: UTF8.self)
      // Otherwise OpenSSL refuses it at every connection.
      if text.contains("-----BEGIN "), text.contains("\(kind)-----") { return file }
      note(
        valueOf: key, found: "'\(file)', a file without -----BEGIN \(kind)-----",
        expected: expected)
    } catch {
      note(
        valueOf: key, found: "'\(file)', which cannot be read (\(error.reason))",
        expected: expected)
    }
    return nil
  }

  private static let longestPEMFile = 16 << 20

  /// An address with a host, and without a user or a password.
  package mutating func address(
    _ text: String, schemes: [String], key: String, expected: String
  ) -> URLComponents? {
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
      schemes.contains(scheme), url.host?.isEmpty == false, url.fragment == nil
    else {
      note(valueOf: key, found: "'\(text)'", expected: expected)
      return nil
    }
    guard url.user == nil, url.password == nil else {
      note(
        valueOf: key, found: "an address with a user or a password",
        expected: "them in a file, named by a key such as token-file or password-file")
      return nil
    }
    return url
  }

  /// The paths of files with secrets, which must exist and hold one.
  ///
  /// A plain name may also be a credential of the service, see systemd.exec(5), `LoadCredential=`.
  ///
  /// - Parameter problem: What is wrong with the text of a file; nil when nothing is.
  package mutating func secrets(
    _ key: String, problem: (String) -> String? = { _ in nil }
  ) -> [String] {
    let expected = "the path of a file that holds it"
    guard let names = texts(key, expected: expected) else { return [] }
    if names.isEmpty { note(valueOf: key, found: "an empty list", expected: expected) }
    return names.compactMap { name in
      let path =
        SecretFile.credential(name, in: ProcessInfo.processInfo.environment) ?? resolve(name)
      guard FileManager.default.isReadableFile(atPath: path) else {
        note(valueOf: key, found: "'\(name)', which cannot be read", expected: expected)
        return nil
      }
      if let problem = Self.problem(ofSecret: path, problem) {
        note(valueOf: key, found: "\(name): \(problem)")
        return nil
      }
      return path
    }
  }

  private static func problem(
    ofSecret path: String, _ problem: (String) -> String?
  ) -> String? {
    // What comes through a pipe can be read once, by who uses it.
    if WholeFile.isSpecial(path) { return nil }
    do throws(SecretFile.Failure) {
      return problem(try SecretFile.text(path, in: [:]))
    } catch {
      return error.problem
    }
  }
}
