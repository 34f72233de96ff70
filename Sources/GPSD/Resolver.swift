internal import Locking
internal import System

/// Finds the addresses of a host on a thread of its own, as getaddrinfo(3) blocks for as long as
/// name servers do not answer.
///
/// There is never more than one thread: while an old question is open, a new one waits for it.
struct Resolver {
  private let host: String
  private let port: UInt16
  private let resolve: ResolverQuestion.Resolve
  private var question: ResolverQuestion?

  init(
    _ address: GPSDAddress,
    resolve: @escaping ResolverQuestion.Resolve = SocketAddress.all(host:port:isNumeric:)
  ) {
    host = address.host
    port = address.port
    self.resolve = resolve
  }

  /// Readable when the answer is there; nil when nothing is asked.
  var descriptor: Int32? { question?.descriptor }

  /// Begins to ask; gives the answer when it needs no waiting, as for a numeric address.
  mutating func begin() -> Result<[SocketAddress], ResolverFailure>? {
    if let addresses = try? SocketAddress.all(host: host, port: port, isNumeric: true) {
      return .success(addresses)
    }
    guard question == nil else { return nil }
    do throws(SystemError) {
      let question = try ResolverQuestion()
      try question.start(host: host, port: port, resolve)
      self.question = question
      return nil
    } catch {
      return .failure(ResolverFailure(reason: error.description))
    }
  }

  /// The answer, if it is there.
  mutating func take() -> Result<[SocketAddress], ResolverFailure>? {
    guard let answer = question?.answer else { return nil }
    question = nil
    return answer.mapError { ResolverFailure(reason: $0.description) }
  }
}

/// Why no address was found, in the system's words.
struct ResolverFailure: Error, Sendable, Hashable {
  let reason: String
}

/// One question, shared by the loop and the thread; either may be done with it first.
final class ResolverQuestion: Sendable {
  typealias Resolve =
    @Sendable (String, UInt16, Bool) throws(ResolverError) -> [SocketAddress]

  /// Readable when the answer is there.
  var descriptor: Int32 { waker.descriptor }
  private let waker: Waker
  private let found = Mutex<Result<[SocketAddress], ResolverError>?>(nil)

  init() throws(SystemError) {
    waker = try Waker()
  }

  var answer: Result<[SocketAddress], ResolverError>? { found.withLock { $0 } }

  /// Asks on a new thread, which keeps the question alive.
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
