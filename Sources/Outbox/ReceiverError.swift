internal import Settings

/// Why a receiver cannot be used as it is configured.
package enum ReceiverError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Not an address of a web server; the text is not repeated, because it may be secret.
  case address
  /// A file with a secret or with certificates.
  case file(path: String, problem: String)
  /// A library that is not installed.
  case library(problem: String)
  /// More fences than a broker gets.
  case fences(count: Int, limit: Int)

  package var description: String {
    switch self {
    case .address:
      "the url is not an address; expected one such as https://hooks.example/waymark, without a "
        + "user and a password"
    case .file(let path, let problem): "\(path): \(problem)"
    case .library(let problem): problem
    case .fences(let count, let limit):
      "the config has \(count) fences, and a broker gets \(limit) at most; name those that "
        + "it needs under fences"
    }
  }
}

extension ReceiverError {
  /// The text of a file with a secret.
  static func secret(
    _ path: String, in environment: [String: String]
  ) throws(ReceiverError) -> String {
    do throws(SecretFile.Failure) {
      return try SecretFile.text(path, in: environment)
    } catch {
      throw .file(path: error.path, problem: error.problem)
    }
  }
}
