@_implementationOnly import CCurl
internal import Foundation

/// A handle of libcurl, which keeps the connection to a server between requests.
///
/// Unchecked because pointers are not Sendable. Any thread may use a handle, one at a time
/// (libcurl-thread(3)): who makes a request owns the object alone, as a list of idle connections has it
/// once, and a courier has one thread.
package final class HTTPConnection: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// - Throws: ``HTTPFailure/unreachable(_:)`` when libcurl is not installed.
  package init() throws(HTTPFailure) {
    if let failure = waymark_curl_load() { throw .unreachable(String(cString: failure)) }
    guard let handle = waymark_curl_open() else { throw .unreachable("out of memory") }
    self.handle = handle
  }

  deinit { waymark_curl_close(handle) }

  /// Makes a request and waits for its end; no redirect is followed.
  ///
  /// - Parameter isCancelled: Called at least every second; true ends the request.
  package func response(
    to request: HTTPRequest, isCancelled: @escaping () -> Bool
  ) throws(HTTPFailure) -> HTTPResponse {
    // This function keeps the response alive until libcurl returns and makes no more callbacks.
    let answer = HTTPResponseBuilder(limit: request.limit, isCancelled)
    let receiver = waymark_curl_receiver(
      context: Unmanaged.passUnretained(answer).toOpaque(),
      line: { HTTPResponseBuilder.of($0).addLine($1, $2) },
      body: { HTTPResponseBuilder.of($0).addBody($1, $2) },
      progress: { HTTPResponseBuilder.of($0).isCancelled ? 1 : 0 })
    let failure = try withExtendedLifetime(answer) { () throws(HTTPFailure) in
      try perform(request, receiver)
    }
    if let failure = answer.failure { throw failure }
    guard let failure else { return answer.response }
    // Some texts of libcurl end with a space.
    let reason = String(cString: failure).trimmingCharacters(in: .whitespaces).uncapitalized
    throw answer.isCancelled ? .cancelled : .unreachable(reason)
  }

  /// Nil when there is a response, else libcurl's reason.
  private func perform(
    _ request: HTTPRequest, _ receiver: waymark_curl_receiver
  ) throws(HTTPFailure) -> UnsafePointer<CChar>? {
    let texts = [
      request.url.absoluteString, request.proxy?.address ?? "", request.authorityFile ?? "",
    ]
    // They live until libcurl returns; it keeps none of them.
    let copies = (texts + request.headers).map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    guard let url = copies[0], let proxy = copies[1], let authority = copies[2] else {
      throw .unreachable("out of memory")
    }
    let headers = copies.dropFirst(texts.count).map { UnsafePointer($0) } + [nil]
    return request.method.body.withUnsafeBytes { body in
      headers.withUnsafeBufferPointer { headers in
        guard let lines = headers.baseAddress else { return nil }
        return waymark_curl_perform(
          handle,
          waymark_curl_request(
            method: request.method.code, url: url, proxy: proxy, headers: lines,
            body: body.baseAddress, body_count: body.count, authority_file: authority,
            silence: request.timeout, refuses_link_local: request.refusesLinkLocal ? 1 : 0),
          receiver)
      }
    }
  }
}

extension HTTPRequest.Method {
  fileprivate var code: waymark_curl_method {
    switch self {
    case .get: waymark_curl_get
    case .post: waymark_curl_post
    case .connect: waymark_curl_connect
    }
  }

  fileprivate var body: [UInt8] {
    if case .post(let body) = self { body } else { [] }
  }
}

extension String {
  /// With a small first letter, for the middle of a sentence.
  fileprivate var uncapitalized: String {
    let rest = prefix { !$0.isWhitespace }.dropFirst()
    // Not `SSL…` nor `OpenSSL/…`.
    guard rest.first?.isLowercase == true, !rest.contains(where: \.isUppercase) else { return self }
    return prefix(1).lowercased() + dropFirst()
  }
}
