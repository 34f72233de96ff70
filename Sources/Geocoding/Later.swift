internal import Dispatch
internal import Locking

/// A value that comes later, from another thread.
package final class Later<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let came = DispatchSemaphore(value: 0)

  /// Makes one that has not come.
  package init() {}

  /// The value, if it is there.
  package var now: Value? { value.withLock { $0 } }

  /// Says the value, once.
  package func set(_ found: Value) {
    value.withLock { $0 = found }
    came.signal()
  }

  /// Waits until it is there.
  package func wait() -> Value {
    while true {
      if let now { return now }
      came.wait()
      // For whoever else waits.
      came.signal()
    }
  }
}
