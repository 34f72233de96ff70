internal import Dispatch
internal import Foundation
internal import Locking

/// Whose turn it is to be told, over all managers of an isolated service: first in, first out.
///
/// One thread delivers at a time. What comes up while it does, in a callback or from another thread,
/// is delivered by it too, afterwards; another thread that wants to deliver waits until that is done.
final class DeliveryQueue: Sendable {
  private struct State {
    var turns: [Inbox] = []
    var isReplaying = false
    /// The thread that delivers just now.
    var deliverer: ObjectIdentifier?
    /// Threads that wait for its end.
    var waiters: [DispatchSemaphore] = []
  }

  /// What a thread that wants to deliver does.
  private enum Start {
    case deliver
    case wait(DispatchSemaphore)
    /// It is within a callback: the code around that delivers.
    case leave
  }

  private let state = Mutex(State())

  /// One more entry of an inbox is to be delivered.
  func add(_ inbox: Inbox) {
    state.withLock { $0.turns.append(inbox) }
  }

  /// Begins a replay, which may take many deliveries; false within a callback, and during another.
  func beginReplay() -> Bool {
    let thread = Self.thread
    return state.withLock { state in
      guard !state.isReplaying, state.deliverer != thread else { return false }
      state.isReplaying = true
      return true
    }
  }

  func endReplay() {
    state.withLock { $0.isReplaying = false }
  }

  /// Delivers what there is; when it returns, all that was there has been delivered.
  ///
  /// Within a callback it does nothing, as what there is comes when that is over.
  func deliver() {
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

  /// The turns that there are; nil when there are none, which is the end of the delivery.
  private func takeTurns() -> [Inbox]? {
    let (turns, waiters): ([Inbox], [DispatchSemaphore]) = state.withLock { state in
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
