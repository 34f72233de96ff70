internal import Locking

/// Lets in one at a time, in the order of arrival.
package final class Turnstile: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [OneShot<Void>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// How many wait to be let in.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits to be let in; false when the task was cancelled first.
  ///
  /// Who was let in has to ``leave()``.
  package func enter() async -> Bool {
    guard !Task.isCancelled else { return false }
    let turn = state.withLock { state -> OneShot<Void>? in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let turn = OneShot<Void>()
      state.waiting.append(turn)
      return turn
    }
    guard let turn, await turn.value() == nil else { return true }
    let wasWaiting = state.withLock { state in
      guard let place = state.waiting.firstIndex(where: { $0 === turn }) else { return false }
      state.waiting.remove(at: place)
      return true
    }
    // Its turn came as it was cancelled: somebody else's now.
    if !wasWaiting { leave() }
    return false
  }

  /// Lets in the next.
  package func leave() {
    let next = state.withLock { state -> OneShot<Void>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isTaken = false
      return nil
    }
    next?.set(())
  }
}
