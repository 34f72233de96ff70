internal import Synchronization
internal import System

/// A session of a source, from start to stop: other threads use it to reach the one that runs it.
final class SourceSession: Sendable {
  private let waker: Waker
  private let hasStopped = Atomic(false)
  private let hasEnded = Atomic(false)

  init() throws(SystemError) {
    waker = try Waker()
  }

  /// Whether it was stopped, so no more signals must be sent.
  var isStopped: Bool { hasStopped.load(ordering: .acquiring) }
  /// Whether its thread has ended, so no more signals will be sent.
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  func stop() {
    hasStopped.store(true, ordering: .releasing)
    waker.wake()
  }

  func wake() { waker.wake() }

  /// The thread has ended.
  func end() { hasEnded.store(true, ordering: .releasing) }

  /// Adds a slot to the next wait of `poller`; it is ready when the thread is woken.
  func join(_ poller: inout Poller) -> Int { poller.add(waker.descriptor, .read) }

  /// Clears the wake-up.
  func clear() { waker.clear() }

  /// Waits for `duration`, or until the thread is woken.
  func wait(_ duration: Duration) {
    var poller = Poller()
    let slot = join(&poller)
    poller.wait(until: .now + duration)
    if !poller.ready(slot).isEmpty { clear() }
  }
}
