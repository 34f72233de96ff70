internal import Locking
internal import Session
internal import System

/// What became of the reports of one connection.
///
/// The thread of the run answers, and that of the connection waits.
final class MQTTReceipts: Sendable {
  /// Readable from an answer to ``clear()``.
  var descriptor: Int32 { waker.descriptor }
  private let waker: Waker
  private let state = Mutex(State())

  private struct State {
    /// Reports without an answer.
    var open = 0
    /// Why a report is not kept.
    var failure: String?
  }

  init() throws(SystemError) { waker = try Waker() }

  /// Whether every report has its answer.
  ///
  /// - Throws: ``MQTTFailure/unreachable(_:)`` when one is not kept: the broker is to send it again.
  func areComplete() throws(MQTTFailure) -> Bool {
    let (open, failure) = state.withLock { ($0.open, $0.failure) }
    if let failure { throw .unreachable("a report cannot be kept (\(failure))") }
    return open == 0
  }

  /// A report waits for its answer.
  func add() { state.withLock { $0.open += 1 } }

  /// A report needs no answer.
  func remove() { state.withLock { $0.open -= 1 } }

  /// Takes an answer; the reason if the report was refused for good.
  func take(_ receipt: ReportInbox.Receipt) -> String? {
    defer { waker.wake() }
    return state.withLock { state in
      state.open -= 1
      switch receipt {
      case .kept: return nil
      case .notKept(let reason):
        state.failure = reason
        return nil
      case .refused(let reason): return reason
      }
    }
  }

  func clear() { waker.clear() }
}
