package import Foundation
package import HTTP

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
