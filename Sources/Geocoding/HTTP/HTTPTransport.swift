package import Foundation

/// What asks a web server; tests have one without any network.
package protocol HTTPTransport: Sendable {
  /// Makes one GET request. The body is at most `limit` bytes long.
  ///
  /// A redirection to elsewhere is not followed, but answered.
  func get(
    _ url: URL, headers: [String: String], limit: Int
  ) async throws(HTTPFailure) -> HTTPResponse
}

/// What a web server answered.
package struct HTTPResponse: Sendable, Hashable {
  package var status: Int
  /// By their names in small letters.
  package var headers: [String: String]
  package var body: Data

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Why there is no answer of a web server.
package enum HTTPFailure: Error, Sendable, Hashable {
  case cancelled
  /// The text says why, such as `couldn't connect to server`.
  case unreachable(String)
  /// The body is longer than allowed.
  case tooLong
}
