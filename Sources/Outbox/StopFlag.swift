internal import Locking
package import System

/// Tells the thread of a receiver that something changed: new events, a request, or the end of the run.
///
/// Any thread may use it.
package final class StopFlag: Sendable {
  private let waker: Waker
  private let stopped = Mutex(false)

  package init() throws(SystemError) { waker = try Waker() }

  /// Readable from ``ring()`` or ``stop()`` to ``clear()``, for ``Poller``.
  package var descriptor: Int32 { waker.descriptor }

  /// Whether the run ends.
  package var isSet: Bool { stopped.withLock { $0 } }

  /// Ends a wait, because there are events.
  package func ring() { waker.wake() }

  /// Ends the run: this attempt, and every wait from now on.
  package func stop() {
    stopped.withLock { $0 = true }
    waker.wake()
  }

  /// Makes the next wait possible; the end of the run stays.
  package func clear() { waker.clear() }
}
