internal import Dispatch

/// Opened once; threads wait until it is.
package final class Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Closed.
  package init() {}

  /// Lets all threads pass, from now on.
  package func open() { semaphore.signal() }

  /// Waits until it is open.
  package func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}
