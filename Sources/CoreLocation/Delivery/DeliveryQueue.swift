internal import Locking

/// Whose turn it is to be told, over all managers of an isolated service: first in, first out.
///
/// One delivers at a time. What comes up while it does, in a callback or from another thread, is
/// delivered by it too, afterwards.
final class DeliveryQueue: Sendable {
  private struct State {
    var turns: [Inbox] = []
    var isBusy = false
  }

  private let state = Mutex(State())

  /// One more entry of an inbox is to be delivered.
  func add(_ inbox: Inbox) {
    state.withLock { $0.turns.append(inbox) }
  }

  /// Begins to deliver; false when somebody does already.
  func enter() -> Bool {
    state.withLock { state in
      guard !state.isBusy else { return false }
      state.isBusy = true
      return true
    }
  }

  /// Delivers what there is, between ``enter()`` and ``leave()``.
  func deliver() {
    while let turns = takeTurns() { turns.forEach { $0.deliverNext() } }
  }

  /// Delivers the rest, and ends it.
  func leave() {
    while true {
      deliver()
      let isOver = state.withLock { state in
        if state.turns.isEmpty { state.isBusy = false }
        return !state.isBusy
      }
      if isOver { return }
    }
  }

  private func takeTurns() -> [Inbox]? {
    state.withLock { state in
      guard !state.turns.isEmpty else { return nil }
      defer { state.turns = [] }
      return state.turns
    }
  }
}
