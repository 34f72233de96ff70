internal import Locking

/// A lock for tasks, first come, first served.
///
/// A task that waits is suspended and blocks no thread. The lock is not reentrant: a task that has
/// it and calls ``lock()`` waits for itself.
package final class AsyncLock: Sendable {
  private struct State {
    var isLocked = false
    var waiting: [OneShot<Void>] = []
  }

  private let state = Mutex(State())

  /// Makes a lock that no task has.
  package init() {}

  /// How many tasks wait for the lock.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits for the lock; false if the task is cancelled first.
  ///
  /// After true, call ``unlock()``.
  package func lock() async -> Bool {
    guard !Task.isCancelled else { return false }
    let signal = state.withLock { state -> OneShot<Void>? in
      guard state.isLocked else {
        state.isLocked = true
        return nil
      }
      let signal = OneShot<Void>()
      state.waiting.append(signal)
      return signal
    }
    guard let signal, await signal.value() == nil else { return true }
    let wasWaiting = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === signal }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
    // It got the lock while it was cancelled: pass it on.
    if !wasWaiting { unlock() }
    return false
  }

  /// Passes the lock to the next task.
  package func unlock() {
    let next = state.withLock { state -> OneShot<Void>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isLocked = false
      return nil
    }
    next?.set(())
  }
}
