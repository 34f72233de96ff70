internal import Foundation
internal import Locking

/// Whose turn it is to be told on one run loop: first in, first out.
///
/// One timer brings the turn of all who wait, as every timer costs system calls when it is added and
/// when it goes.
final class LoopDeliveries: Sendable {
  private struct State {
    var turns: [Inbox] = []
    /// How many of them are over, from the first on.
    var done = 0
    /// Whether a timer is about to fire.
    var isArmed = false

    /// How many wait.
    var count: Int { turns.count - done }

    /// Whether a timer is needed that is not there; then there is one from now on.
    mutating func arms() -> Bool {
      guard !isArmed, count > 0 else { return false }
      isArmed = true
      return true
    }

    mutating func next() -> Inbox? {
      guard count > 0 else { return nil }
      defer {
        done += 1
        if count == 0 {
          turns.removeAll(keepingCapacity: true)
          done = 0
        }
      }
      return turns[done]
    }
  }

  let reference: LoopReference
  private let state = Mutex(State())

  private init(_ loop: RunLoop) { reference = LoopReference(loop: loop) }

  /// Those of this thread.
  static var ofThread: LoopDeliveries {
    let values = Thread.current.threadDictionary
    if let known = values[key] as? LoopDeliveries { return known }
    let new = LoopDeliveries(.current)
    values[key] = new
    return new
  }

  private static let key = "CoreLocation.LoopDeliveries"

  /// Has an inbox emptied there, soon.
  func add(_ inbox: Inbox) {
    let arms = state.withLock { state in
      state.turns.append(inbox)
      return state.arms()
    }
    if arms { arm() }
  }

  private func arm() {
    // A timer wakes a sleeping loop; on Linux a block given to `perform` does not.
    let timer = Timer(timeInterval: 0, repeats: false) { [self] _ in deliver() }
    reference.loop.add(timer, forMode: .common)
  }

  /// Empties the inboxes that wait now.
  ///
  /// While some are left a timer is there for them: a delegate may run the loop itself, and others
  /// must be told within.
  private func deliver() {
    let (count, first, arms) = state.withLock { state in
      // On a busy loop there is always one that waits.
      state.turns.removeFirst(state.done)
      state.done = 0
      let count = state.count
      let first = state.next()
      state.isArmed = false
      return (count, first, state.arms())
    }
    if arms { arm() }
    first?.drain()
    for _ in 0..<max(0, count - 1) { state.withLock { $0.next() }?.drain() }
  }
}

/// The run loop of a thread.
///
/// Unchecked, as only two things are done with it from other threads: a timer is added, which
/// CFRunLoop guards with a lock of its own, and it is compared.
struct LoopReference: @unchecked Sendable {
  let loop: RunLoop
}
