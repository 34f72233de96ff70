package import Foundation

/// A request to a web server, and how long its response may be and may take.
package struct HTTPRequest: Sendable {
  package enum Method: Sendable {
    case get
    case post(body: [UInt8])
    /// Only connects, with TLS if the address has the scheme `https`: nothing is requested, and the
    /// response is empty.
    case connect
  }

  package var method = Method.get
  package var url: URL
  /// Lines such as `Accept: text/plain`.
  package var headers: [String]
  /// Nil if it goes to the server directly.
  package var proxy: HTTPProxy?
  /// The longest body of a response, bytes.
  package var limit: Int
  /// After so long without a byte the request fails, seconds; so it does after twice as long in all.
  package var timeout: Int
  /// The path of a PEM file with the only authorities that are trusted; nil for those of the system.
  package var authorityFile: String?
  /// Whether addresses of the link (169.254/16, fe80::/10) are refused.
  ///
  /// They are those of cloud metadata and of devices without a set-up. What counts is the address that
  /// is connected to, whatever its name is.
  package var refusesLinkLocal = false

  package init(_ url: URL, headers: [String] = [], limit: Int, timeout: Int) {
    self.url = url
    self.headers = headers
    self.limit = limit
    self.timeout = timeout
  }
}
