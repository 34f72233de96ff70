internal import Locking

/// A value that is set once; a task waits for it until it is set or the task is cancelled.
///
/// Any number of tasks may wait. A task that is cancelled stops waiting at once, and the others go
/// on.
package final class OneShot<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    var numbers = 0
  }

  private let state = Mutex(State())

  /// Makes one without a value.
  package init() {}

  /// Sets the value for all tasks that wait now or later; only the first call counts.
  package func set(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// Suspends until the value is set; nil if the task is cancelled first.
  package func value() async -> Value? {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          if state.value == nil { state.waiting[number] = continuation }
          return state.value
        }
        if let value { return continuation.resume(returning: value) }
        // A cancellation before the lines above found no continuation.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: nil)
  }
}
