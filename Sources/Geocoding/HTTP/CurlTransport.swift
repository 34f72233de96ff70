internal import CCurl
internal import Dispatch
package import Foundation
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
  private let idle = Mutex<[CurlConnection]>([])

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

  package func proxy(for url: URL) -> HTTPProxy? { HTTPProxy(for: url, in: environment) }

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
    let connection: CurlConnection
    if let used = idle.withLock({ $0.popLast() }) {
      connection = used
    } else {
      connection = try CurlConnection()
    }
    defer { idle.withLock { $0.append(connection) } }
    let proxy = proxy(for: url)?.address ?? ""
    var (location, redirects) = (url, 0)
    while true {
      let response = try connection.get(
        location, lines, timeout, proxy: proxy, HTTPResponseBuilder(limit: limit, isCancelled))
      guard [301, 302, 303, 307, 308].contains(response.status),
        redirects < Self.maximumRedirects,
        let next = response.headers["location"].flatMap({
          URL(string: $0, relativeTo: location)?.absoluteURL
        }), Self.mayFollow(from: url, to: next)
      else { return response }
      (location, redirects) = (next, redirects + 1)
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

/// A handle of libcurl.
///
/// Unchecked because pointers are not Sendable. Any thread may use a handle, one at a time
/// (libcurl-thread(3)): a request takes it out of the transport's list of idle connections, which has it
/// once.
private final class CurlConnection: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  init() throws(HTTPFailure) {
    if let failure = waymark_curl_load() { throw .unreachable(String(cString: failure)) }
    guard let handle = waymark_curl_open() else { throw .unreachable("out of memory") }
    self.handle = handle
  }

  deinit { waymark_curl_close(handle) }

  /// Makes a request and waits for its end; an empty `proxy` means none.
  func get(
    _ url: URL, _ lines: [String], _ timeout: Int, proxy: String, _ answer: HTTPResponseBuilder
  ) throws(HTTPFailure) -> HTTPResponse {
    // This function keeps the response alive until libcurl returns and makes no more callbacks.
    let receiver = waymark_curl_receiver(
      context: Unmanaged.passUnretained(answer).toOpaque(),
      line: { HTTPResponseBuilder.of($0).addLine($1, $2) },
      body: { HTTPResponseBuilder.of($0).addBody($1, $2) },
      progress: { HTTPResponseBuilder.of($0).isCancelled ? 1 : 0 })
    var headers = lines.map { UnsafePointer(strdup($0)) } + [nil]
    defer { for line in headers { free(UnsafeMutablePointer(mutating: line)) } }
    let failure = withExtendedLifetime(answer) {
      waymark_curl_get(handle, url.absoluteString, proxy, &headers, timeout, receiver)
    }
    if let failure = answer.failure { throw failure }
    if answer.isCancelled { throw .cancelled }
    if let failure { throw .unreachable(String(cString: failure).uncapitalized) }
    return answer.response
  }
}

/// Collects a response line by line; used by the thread of the request alone.
private final class HTTPResponseBuilder {
  private(set) var response = HTTPResponse(status: 0)
  /// Why the response was rejected.
  private(set) var failure: HTTPFailure?
  private let limit: Int
  private let cancellation: Flag

  init(limit: Int, _ cancellation: Flag) {
    (self.limit, self.cancellation) = (limit, cancellation)
  }

  var isCancelled: Bool { cancellation.isSet }

  /// The builder behind a context of C.
  static func of(_ context: UnsafeMutableRawPointer) -> HTTPResponseBuilder {
    Unmanaged<HTTPResponseBuilder>.fromOpaque(context).takeUnretainedValue()
  }

  /// Returns 0 to continue, like a callback of libcurl.
  func addLine(_ start: UnsafePointer<CChar>, _ count: Int) -> CInt {
    let line = String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if line.hasPrefix("HTTP/") {
      // A proxy, or a response with status 100, may have sent a head before.
      let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      response = HTTPResponse(status: status ?? 0)
      return 0
    }
    guard let colon = line.firstIndex(of: ":") else { return 0 }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    response.headers[name] = value
    guard name == "content-encoding", value.lowercased() != "identity" else { return 0 }
    return reject(.unreachable("it sent a compressed response, which was not requested"))
  }

  func addBody(_ start: UnsafePointer<CChar>, _ count: Int) -> CInt {
    guard count <= limit - response.body.count else { return reject(.tooLong) }
    response.body.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
    return 0
  }

  private func reject(_ failure: HTTPFailure) -> CInt {
    self.failure = failure
    return 1
  }
}

extension String {
  /// With a small first letter, for the middle of a sentence.
  fileprivate var uncapitalized: String {
    // Not `SSL…`.
    guard dropFirst().first?.isLowercase == true else { return self }
    return prefix(1).lowercased() + dropFirst()
  }
}
