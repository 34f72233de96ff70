internal import Locking

/// A value that comes once; each task that waits for it does so until it is there or the task is
/// cancelled.
package final class OneShot<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    var numbers = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Gives the value to all who wait for it now or later; any but the first is ignored.
  package func set(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// Suspends until the value is there; nil when the task was cancelled first.
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
        // A cancellation before the lines above found nobody to wake.
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
