internal import Dispatch
internal import Foundation
internal import Locking

/// The order in which managers get their deliveries on one run loop, or on the main queue: first in,
/// first out.
///
/// One timer, or one block of the queue, serves all waiting managers, because each costs system calls.
/// Timers are kept and reused: on Linux Foundation leaks about 300 bytes for every timer added to a
/// loop. So a loop that has delivered something runs for ever, as on Apple's systems, where a manager
/// is a source of the loop.
package final class RunLoopScheduler: Sendable {
  private struct State {
    var turns: [any ScheduledQueue] = []
    /// How many of them are done, from the first on.
    var done = 0
    /// Whether a timer or a block is scheduled.
    var isArmed = false
    /// Timers that are neither scheduled nor firing.
    var idle: [LoopTimer] = []

    /// How many turns are waiting.
    var count: Int { turns.count - done }

    /// Whether the caller must schedule a timer or a block; marks it as scheduled.
    mutating func arms() -> Bool {
      guard !isArmed, count > 0 else { return false }
      isArmed = true
      return true
    }

    mutating func next() -> (any ScheduledQueue)? {
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

  /// The scheduler of the main queue.
  package static let ofMain = RunLoopScheduler(nil)

  /// The scheduler of the current thread.
  package static var ofThread: RunLoopScheduler {
    let values = Thread.current.threadDictionary
    if let known = values[key] as? RunLoopScheduler { return known }
    let new = RunLoopScheduler(LoopReference(loop: .current))
    values[key] = new
    return new
  }

  private static let key = "waymark.RunLoopScheduler"

  /// Whether it is the scheduler of the current thread's loop.
  package var isOfThread: Bool { reference.map { $0.loop === RunLoop.current } ?? false }

  /// The number of timers kept for later deliveries.
  package var idleCount: Int { state.withLock { $0.idle.count } }

  /// Schedules the delivery of a manager's queue.
  package func add(_ queue: any ScheduledQueue) {
    let arms = state.withLock { state in
      state.turns.append(queue)
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
    // A timer wakes a sleeping loop; on Linux a block passed to `perform` does not.
    let timer = Timer(fire: .now, interval: Self.never, repeats: true) { [weak self] timer in
      self?.fired(LoopTimer(timer: timer))
    }
    reference.loop.add(timer, forMode: .common)
  }

  /// A firing timer cannot fire again in a nested loop, so it becomes idle only afterwards.
  private func fired(_ timer: LoopTimer) {
    deliver()
    state.withLock { $0.idle.append(timer) }
  }

  /// The interval of timers, seconds: a timer that does not repeat could not be reused.
  private static let never = 1e9

  /// Delivers the queues that wait now.
  ///
  /// While some are left another timer or block is scheduled: a delegate may run the loop itself, and
  /// the others must get their deliveries within it.
  private func deliver() {
    let (count, first, arms) = state.withLock { state in
      // On a busy loop the list is never empty, so finished turns are removed here.
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
/// Unchecked: other threads only set its fire date, which CFRunLoop guards with its own lock.
struct LoopTimer: @unchecked Sendable {
  let timer: Timer
}

/// The run loop of a thread.
///
/// Unchecked: other threads only compare it and add timers, which CFRunLoop guards with its own lock.
struct LoopReference: @unchecked Sendable {
  let loop: RunLoop
}
