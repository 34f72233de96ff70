internal import Receivers
internal import Locking
internal import System

/// Resolves a host name on a thread of its own, because getaddrinfo(3) blocks until the name servers
/// answer.
///
/// There is at most one thread: a new request waits for a pending lookup.
struct Resolver {
  private let host: String
  private let port: UInt16
  private let resolve: HostLookup.Resolve
  private var lookup: HostLookup?

  init(
    _ address: GPSDAddress,
    resolve: @escaping HostLookup.Resolve = SocketAddress.all(host:port:isNumeric:)
  ) {
    host = address.host
    port = address.port
    self.resolve = resolve
  }

  /// Readable when the result is available; nil without a lookup.
  var descriptor: Int32? { lookup?.descriptor }

  /// Starts a lookup; returns the result of a numeric address at once.
  mutating func start() -> Result<[SocketAddress], ResolverFailure>? {
    if let addresses = try? SocketAddress.all(host: host, port: port, isNumeric: true) {
      return .success(addresses)
    }
    guard lookup == nil else { return nil }
    do throws(SystemError) {
      let lookup = try HostLookup()
      try lookup.start(host: host, port: port, resolve)
      self.lookup = lookup
      return nil
    } catch {
      return .failure(ResolverFailure(reason: error.description))
    }
  }

  /// The result, once available.
  mutating func takeResult() -> Result<[SocketAddress], ResolverFailure>? {
    guard let answer = lookup?.answer else { return nil }
    lookup = nil
    return answer.mapError { ResolverFailure(reason: $0.description) }
  }
}

/// Why a host name could not be resolved: the system's error.
struct ResolverFailure: Error, Sendable, Hashable {
  let reason: String
}

/// One lookup, shared by the event loop and the thread; either may outlive the other.
final class HostLookup: Sendable {
  typealias Resolve =
    @Sendable (String, UInt16, Bool) throws(ResolverError) -> [SocketAddress]

  /// Readable when the result is available.
  var descriptor: Int32 { waker.descriptor }
  private let waker: Waker
  private let found = Mutex<Result<[SocketAddress], ResolverError>?>(nil)

  init() throws(SystemError) {
    waker = try Waker()
  }

  var answer: Result<[SocketAddress], ResolverError>? { found.withLock { $0 } }

  /// Resolves the name on a new thread, which keeps this object alive.
  func start(host: String, port: UInt16, _ resolve: @escaping Resolve) throws(SystemError) {
    try DetachedThread.start { [self] in
      do throws(ResolverError) {
        let addresses = try resolve(host, port, false)
        found.withLock { $0 = .success(addresses) }
      } catch {
        found.withLock { $0 = .failure(error) }
      }
      waker.wake()
    }
  }
}
