internal import Synchronization
internal import System

/// One run of a source, from start to stop: how others reach the thread that does it.
final class SourceRun: Sendable {
  private let waker: Waker
  private let hasStopped = Atomic(false)
  private let hasEnded = Atomic(false)

  init() throws(SystemError) {
    waker = try Waker()
  }

  /// Whether nothing more is to be said.
  var isStopped: Bool { hasStopped.load(ordering: .acquiring) }
  /// Whether nothing more will be said.
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  func stop() {
    hasStopped.store(true, ordering: .releasing)
    waker.wake()
  }

  func wake() { waker.wake() }

  /// The thread is done.
  func end() { hasEnded.store(true, ordering: .releasing) }

  /// Takes a slot in the next wait of `poller`; it is ready when somebody wakes the thread.
  func join(_ poller: inout Poller) -> Int { poller.add(waker.descriptor, .read) }

  /// Takes note that the thread was woken.
  func clear() { waker.clear() }

  /// Waits, until somebody wakes the thread.
  func wait(_ duration: Duration) {
    var poller = Poller()
    let slot = join(&poller)
    poller.wait(until: .now + duration)
    if !poller.ready(slot).isEmpty { clear() }
  }
}
