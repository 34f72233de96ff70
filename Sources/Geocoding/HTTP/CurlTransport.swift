internal import Dispatch
package import Foundation
package import HTTP
internal import Locking

/// HTTP by libcurl: requests share the connection and nothing else.
///
/// Foundation's `URLSession` is libcurl as well, but a program that links it loads forty libraries
/// at its start, even if it never makes a request.
package final class CurlTransport: HTTPTransport {
  /// After so long without a byte a request fails, seconds; so it does after twice as long in all.
  private let timeout: Int
  private let environment: [String: String]
  /// How many redirects of one request are followed.
  private static let maximumRedirects = 20

  private let queue = DispatchQueue(label: "waymark.http", attributes: .concurrent)
  /// Connections that no request uses.
  private let idle = Mutex<[HTTPConnection]>([])

  /// - Parameters:
  ///   - timeout: After so long without a byte a request fails, seconds; so it does after twice as
  ///     long in all.
  ///   - environment: The variables that name a proxy.
  package init(
    timeout: Int = 30, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.timeout = timeout
    self.environment = environment
  }

  /// By `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as `curl` reads them.
  package func proxy(for url: URL) -> HTTPProxy? { HTTPProxy(for: url, in: environment) }

  /// Makes the request on a thread, which the cancellation of the task ends soon.
  ///
  /// - Throws: ``HTTPFailure``: cancelled, unreachable, or a body that is too long.
  package func get(
    _ url: URL, headers: [String: String], limit: Int
  ) async throws(HTTPFailure) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled }
    let isCancelled = Flag()
    let answer = OneShot<Result<HTTPResponse, HTTPFailure>>()
    var headers = headers
    headers["Accept-Encoding"] = "identity"
    let lines = headers.map { "\($0): \($1)" }.sorted()
    queue.async {
      answer.set(Result { () throws(HTTPFailure) in try self.get(url, lines, limit, isCancelled) })
    }
    guard let result = await answer.value() else {
      isCancelled.set()
      throw .cancelled
    }
    return try result.get()
  }

  /// The response, after redirects within the server.
  private func get(
    _ url: URL, _ lines: [String], _ limit: Int, _ isCancelled: Flag
  ) throws(HTTPFailure) -> HTTPResponse {
    let connection: HTTPConnection
    if let used = idle.withLock({ $0.popLast() }) {
      connection = used
    } else {
      connection = try HTTPConnection()
    }
    defer { idle.withLock { $0.append(connection) } }
    var request = HTTPRequest(url, headers: lines, limit: limit, timeout: timeout)
    request.proxy = proxy(for: url)
    var redirects = 0
    while true {
      let response = try connection.response(to: request) { isCancelled.isSet }
      guard (response.headers["content-encoding"] ?? "identity").lowercased() == "identity" else {
        throw .unreachable("it sent a compressed response, which was not requested")
      }
      guard [301, 302, 303, 307, 308].contains(response.status),
        redirects < Self.maximumRedirects,
        let next = response.headers["location"].flatMap({
          URL(string: $0, relativeTo: request.url)?.absoluteURL
        }), Self.mayFollow(from: url, to: next)
      else { return response }
      request.url = next
      redirects += 1
    }
  }

  /// Whether a redirect stays with the server: the position, the key and the contact go with it.
  private static func mayFollow(from old: URL, to new: URL) -> Bool {
    guard let scheme = old.scheme?.lowercased(), let host = old.host?.lowercased() else {
      return false
    }
    let standard = scheme == "https" ? 443 : 80
    return scheme == new.scheme?.lowercased() && host == new.host?.lowercased()
      && old.port ?? standard == new.port ?? standard && new.user == nil && new.password == nil
  }
}

/// A flag that a task sets for the thread that makes its request.
private final class Flag: Sendable {
  private let isRaised = Mutex(false)

  func set() { isRaised.withLock { $0 = true } }
  var isSet: Bool { isRaised.withLock { $0 } }
}
