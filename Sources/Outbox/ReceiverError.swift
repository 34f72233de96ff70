/// Why a receiver cannot be used as it is configured.
package enum ReceiverError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Not an address of a web server; the text is not repeated, because it may be secret.
  case address
  /// A header that cannot be set.
  case header(name: String)
  /// A file with a secret or with certificates.
  case file(path: String, problem: String)
  /// A library that is not installed.
  case library(problem: String)

  package var description: String {
    switch self {
    case .address:
      "the url is not an address; expected one such as https://hooks.example/waymark, without a "
        + "user and a password"
    case .header(let name):
      "the header '\(name)' cannot be set; expected a name of letters, digits and '-' that is "
        + "neither one of the connection nor one of webhook-id, webhook-timestamp and "
        + "webhook-signature"
    case .file(let path, let problem): "\(path): \(problem)"
    case .library(let problem): problem
    }
  }
}
