package import Foundation

/// The response of a web server.
package struct HTTPResponse: Sendable, Hashable {
  package var status: Int
  /// Keyed by name in small letters.
  package var headers: [String: String]
  package var body: Data

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why there is no response of a web server.
package enum HTTPFailure: Error, Sendable, Hashable {
  case cancelled
  /// The text gives the reason, such as `couldn't connect to server`.
  case unreachable(String)
  /// The body is longer than allowed.
  case tooLong
}
