package import Foundation
internal import FoundationNetworking
internal import Locking

/// Asks by Foundation's `URLSession`: nothing is kept of one request for another but the connection.
package final class URLSessionTransport: HTTPTransport {
  /// Without a byte for so long the server is given up, seconds.
  private static let timeout = 30.0

  private let exchanges = HTTPExchanges()
  private let session: URLSession

  package init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = Self.timeout
    configuration.timeoutIntervalForResource = 2 * Self.timeout
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  // The session holds its delegate until then.
  deinit { session.invalidateAndCancel() }

  package func get(
    _ url: URL, headers: [String: String], limit: Int
  ) async throws(HTTPFailure) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled }
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    let task = session.dataTask(with: request)
    let answer = exchanges.begin(task.taskIdentifier, limit: limit)
    task.resume()
    guard let result = await answer.value() else {
      task.cancel()
      throw .cancelled
    }
    return try result.get()
  }
}

/// The requests of a session that are not answered yet, by the numbers of their tasks.
private final class HTTPExchanges: NSObject, URLSessionDataDelegate {
  typealias Answer = OneShot<Result<HTTPResponse, HTTPFailure>>

  private struct Exchange {
    let answer: Answer
    let limit: Int
    var body = Data()
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])

  func begin(_ number: Int, limit: Int) -> Answer {
    let answer = Answer()
    exchanges.withLock { $0[number] = Exchange(answer: answer, limit: limit) }
    return answer
  }

  private func end(_ number: Int, _ result: (Data) -> Result<HTTPResponse, HTTPFailure>) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: number) }) else { return }
    exchange.answer.set(result(exchange.body))
  }

  /// Refuses a body before it comes: Foundation unpacks a compressed one to any length before it
  /// hands out the first byte.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let number = dataTask.taskIdentifier
    let response = response as? HTTPURLResponse
    let encoding = response?.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
    let limit = exchanges.withLock { $0[number]?.limit ?? 0 }
    if encoding.lowercased() != "identity" {
      end(number) { _ in .failure(.unreachable("it sent a compressed answer unasked")) }
    } else if response?.expectedContentLength ?? 0 > limit {
      end(number) { _ in .failure(.tooLong) }
    } else {
      return completionHandler(.allow)
    }
    completionHandler(.cancel)
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = exchanges.withLock { exchanges in
      guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else {
        return false
      }
      let isTooLong = data.count > exchange.limit - exchange.body.count
      if !isTooLong { exchange.body.append(data) }
      exchanges[dataTask.taskIdentifier] = exchange
      return isTooLong
    }
    guard isTooLong else { return }
    end(dataTask.taskIdentifier) { _ in .failure(.tooLong) }
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task.taskIdentifier) { body in
      if let error = error as? URLError, error.code == .cancelled { return .failure(.cancelled) }
      if let error {
        let text = error.localizedDescription
        return .failure(.unreachable(text.hasSuffix(".") ? String(text.dropLast()) : text))
      }
      guard let response = task.response as? HTTPURLResponse else {
        return .failure(.unreachable("it is no web server"))
      }
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        headers["\(name)".lowercased()] = "\(value)"
      }
      return .success(
        HTTPResponse(status: response.statusCode, headers: headers, body: body))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let isAllowed = URLSessionTransport.mayFollow(from: task.originalRequest?.url, to: request.url)
    completionHandler(isAllowed ? request : nil)
  }
}

extension URLSessionTransport {
  /// A request is not handed on to another host, nor from an encrypted connection to one that is not.
  static func mayFollow(from old: URL?, to new: URL?) -> Bool {
    guard let old, let new, let host = old.host, let scheme = new.scheme else { return false }
    return host.lowercased() == new.host?.lowercased()
      && (scheme == "https" || scheme == old.scheme)
  }
}
