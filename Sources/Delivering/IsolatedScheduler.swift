internal import Dispatch
internal import Foundation
internal import Locking

/// The order in which the managers of an isolated service get their deliveries: first in, first out.
///
/// One thread delivers at a time. It also delivers what is added meanwhile, by a callback or by
/// another thread. Another thread that wants to deliver waits until that is done.
package final class IsolatedScheduler: Sendable {
  private struct State {
    var turns: [any ScheduledQueue] = []
    var isReplaying = false
    /// The thread that is delivering.
    var deliverer: ObjectIdentifier?
    /// Threads that wait until it has finished.
    var waiters: [DispatchSemaphore] = []
  }

  /// What a thread that wants to deliver must do.
  private enum Start {
    case deliver
    case wait(DispatchSemaphore)
    /// Nothing: it is within a callback, whose caller delivers the rest.
    case leave
  }

  private let state = Mutex(State())

  package init() {}

  /// Schedules one more delivery of a manager.
  package func add(_ queue: any ScheduledQueue) {
    state.withLock { $0.turns.append(queue) }
  }

  /// Begins a replay; false within a callback and during another replay.
  package func beginReplay() -> Bool {
    let thread = Self.thread
    return state.withLock { state in
      guard !state.isReplaying, state.deliverer != thread else { return false }
      state.isReplaying = true
      return true
    }
  }

  package func endReplay() {
    state.withLock { $0.isReplaying = false }
  }

  /// Delivers everything that is scheduled, and returns when that is done.
  ///
  /// Within a callback it does nothing; the rest is delivered after the callback.
  package func deliver() {
    while true {
      switch start() {
      case .deliver: return deliverAll()
      case .wait(let semaphore): semaphore.wait()
      case .leave: return
      }
    }
  }

  private func start() -> Start {
    let thread = Self.thread
    return state.withLock { state in
      switch state.deliverer {
      case nil:
        state.deliverer = thread
        return .deliver
      case thread: return .leave
      default:
        let semaphore = DispatchSemaphore(value: 0)
        state.waiters.append(semaphore)
        return .wait(semaphore)
      }
    }
  }

  private func deliverAll() {
    while let turns = takeTurns() { turns.forEach { $0.deliverNext() } }
  }

  /// The scheduled turns; nil if there are none, which ends the delivery.
  private func takeTurns() -> [any ScheduledQueue]? {
    let (turns, waiters): ([any ScheduledQueue], [DispatchSemaphore]) = state.withLock { state in
      if state.turns.isEmpty {
        state.deliverer = nil
        defer { state.waiters = [] }
        return ([], state.waiters)
      }
      defer { state.turns = [] }
      return (state.turns, [])
    }
    for waiter in waiters { waiter.signal() }
    return turns.isEmpty ? nil : turns
  }

  private static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
