internal import Dispatch
internal import Locking

/// A value that another thread sets later, for threads that block until then.
///
/// It blocks a thread, so no task of the concurrency pool should wait for it; for tasks there is
/// ``OneShot``.
package final class BlockingFuture<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isSet = DispatchSemaphore(value: 0)

  /// Makes one without a value.
  package init() {}

  /// The value, nil if it is not set.
  package var now: Value? { value.withLock { $0 } }

  /// Sets the value, once.
  package func set(_ found: Value) {
    value.withLock { $0 = found }
    isSet.signal()
  }

  /// Waits until it is set.
  ///
  /// Every thread that waits gets the value. There is no limit in time: whoever makes the request
  /// has one.
  package func wait() -> Value {
    while true {
      if let now { return now }
      isSet.wait()
      // For the next waiting thread.
      isSet.signal()
    }
  }
}
