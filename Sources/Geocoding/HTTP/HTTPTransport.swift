package import Foundation

/// Makes HTTP requests; tests have one without a network.
package protocol HTTPTransport: Sendable {
  /// Makes one GET request. The body is at most `limit` bytes long.
  ///
  /// A redirect to another scheme, host or port is not followed, but returned.
  func get(
    _ url: URL, headers: [String: String], limit: Int
  ) async throws(HTTPFailure) -> HTTPResponse

  /// The proxy through which a request goes; nil if it goes to the server directly.
  func proxy(for url: URL) -> HTTPProxy?
}

extension HTTPTransport {
  /// None.
  package func proxy(for url: URL) -> HTTPProxy? { nil }
}

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
