internal import Dispatch
internal import Foundation
internal import Locking

/// Whose turn it is to be told on one run loop, or on the main queue: first in, first out.
///
/// One timer, or one block of the queue, brings the turn of all who wait, as every one costs system
/// calls. Timers are kept and set anew: on Linux every timer that is added to a loop leaves about 300
/// bytes behind in Foundation. So a loop on which something was told goes on for ever, as it does on
/// Apple's systems, where a manager is a source of it.
final class LoopDeliveries: Sendable {
  private struct State {
    var turns: [Inbox] = []
    /// How many of them are over, from the first on.
    var done = 0
    /// Whether a timer is about to fire, or a block to be called.
    var isArmed = false
    /// Timers that nobody waits for and that are not firing.
    var idle: [LoopTimer] = []

    /// How many wait.
    var count: Int { turns.count - done }

    /// Whether one is needed that is not there; then there is one from now on.
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

  /// Nil for the main queue.
  private let reference: LoopReference?
  private let state = Mutex(State())

  private init(_ reference: LoopReference?) { self.reference = reference }

  /// Those of the main queue.
  static let ofMain = LoopDeliveries(nil)

  /// Those of this thread.
  static var ofThread: LoopDeliveries {
    let values = Thread.current.threadDictionary
    if let known = values[key] as? LoopDeliveries { return known }
    let new = LoopDeliveries(LoopReference(loop: .current))
    values[key] = new
    return new
  }

  private static let key = "CoreLocation.LoopDeliveries"

  /// Whether they are those of this thread's loop.
  var isOfThread: Bool { reference.map { $0.loop === RunLoop.current } ?? false }

  /// Timers that are kept for the next delivery.
  var idleCount: Int { state.withLock { $0.idle.count } }

  /// Has an inbox emptied there, soon.
  func add(_ inbox: Inbox) {
    let arms = state.withLock { state in
      state.turns.append(inbox)
      return state.arms()
    }
    if arms { arm() }
  }

  private func arm() {
    guard let reference else { return DispatchQueue.main.async { [self] in deliver() } }
    if let known = state.withLock({ $0.idle.popLast() }) {
      known.timer.fireDate = .now
      return
    }
    // A timer wakes a sleeping loop; on Linux a block given to `perform` does not.
    let timer = Timer(fire: .now, interval: Self.never, repeats: true) { [weak self] timer in
      self?.fired(LoopTimer(timer: timer))
    }
    reference.loop.add(timer, forMode: .common)
  }

  /// A timer that fires does not fire again within, so while it does it is not an idle one.
  private func fired(_ timer: LoopTimer) {
    deliver()
    state.withLock { $0.idle.append(timer) }
  }

  /// A timer that does not repeat could not be set anew, seconds.
  private static let never = 1e9

  /// Empties the inboxes that wait now.
  ///
  /// While some are left a timer or block is there for them: a delegate may run the loop itself, and others
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

/// A timer of a run loop.
///
/// Unchecked, as other threads only set when it fires, which CFRunLoop guards with a lock of its own.
struct LoopTimer: @unchecked Sendable {
  let timer: Timer
}

/// The run loop of a thread.
///
/// Unchecked, as only two things are done with it from other threads: a timer is added, which
/// CFRunLoop guards with a lock of its own, and it is compared.
struct LoopReference: @unchecked Sendable {
  let loop: RunLoop
}
