internal import Foundation

/// Collects a response line by line; used by the thread of the request alone.
final class HTTPResponseBuilder {
  private(set) var response = HTTPResponse(status: 0)
  /// Why the response was rejected.
  private(set) var failure: HTTPFailure?
  private let limit: Int
  private let cancellation: () -> Bool

  init(limit: Int, _ cancellation: @escaping () -> Bool) {
    (self.limit, self.cancellation) = (limit, cancellation)
  }

  var isCancelled: Bool { cancellation() }

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
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    response.headers[line[..<colon].lowercased()] = value
    return 0
  }

  func addBody(_ start: UnsafePointer<CChar>, _ count: Int) -> CInt {
    guard count <= limit - response.body.count else {
      failure = .tooLong
      return 1
    }
    response.body.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
    return 0
  }
}
